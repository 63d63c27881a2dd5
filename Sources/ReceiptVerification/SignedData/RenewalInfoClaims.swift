public import Foundation
public import StoreManagerCore

/// What is known of a subscription's next renewal: Apple's `JWSRenewalInfoDecodedPayload`
/// (https://developer.apple.com/documentation/appstoreserverapi/jwsrenewalinfodecodedpayload). It does not name the app.
public struct RenewalInfoClaims: SignedClaims, Sendable {
    /// A renewal info.
    public static var kind: SignedDataKind { .renewalInfo }

    /// The subscription's first transaction.
    public var originalTransactionIdentifier: String?
    /// The product that it renews to.
    public var autoRenewProductIdentifier: String?
    /// The product that it is now.
    public var productIdentifier: String?
    /// Whether it will renew.
    public var autoRenewStatus: AutoRenewStatus?
    /// Why it ended.
    public var expirationIntent: ExpirationIntent?
    /// Whether Apple keeps trying to charge.
    public var isInBillingRetryPeriod: Bool?
    /// Whether the subscriber consented to a higher price.
    public var priceIncreaseStatus: PriceIncreaseStatus?
    /// When the grace period ends, in which it counts as paid.
    public var gracePeriodExpirationDate: Date?
    /// When it began, not counting gaps of 60 days or less.
    public var recentSubscriptionStartDate: Date?
    /// When it renews.
    public var renewalDate: Date?
    /// What it will cost, in thousandths of the currency.
    public var renewalPrice: Int64?
    /// The currency, an ISO 4217 code.
    public var currency: String?
    /// When Apple signed these data.
    public var signedDate: Date?
    /// Where it was bought.
    public var environment: StoreEnvironment?
    /// Whom the offer is for that the renewal redeems.
    public var offerType: SignedOfferType?
    /// The offer that the renewal redeems.
    public var offerIdentifier: String?
    /// How that offer is paid.
    public var offerDiscountType: OfferDiscountType?
    /// That offer's length, an ISO 8601 duration such as `P1M`.
    public var offerPeriod: String?
    /// The win-back offers that the subscriber may redeem, the best first.
    public var eligibleWinBackOfferIdentifiers: [String]?
    /// The account token that the purchase was started with.
    public var appAccountToken: UUID?
    /// The purchase of the app, one for each account and app.
    public var appTransactionIdentifier: String?
    /// How the renewal is paid.
    public var renewalBillingPlanType: BillingPlanType?
    /// What the next commitment will be.
    public var commitment: Commitment?
    /// A hash that binds the data to a device, in base64. Only data got on a device have it.
    public var deviceVerification: String?
    /// What makes each ``deviceVerification`` another.
    public var deviceVerificationNonce: UUID?

    /// Makes claims that tell nothing yet.
    public init() {}

    enum CodingKeys: String, CodingKey {
        case originalTransactionIdentifier = "originalTransactionId"
        case autoRenewProductIdentifier = "autoRenewProductId"
        case productIdentifier = "productId"
        case autoRenewStatus
        case expirationIntent
        case isInBillingRetryPeriod
        case priceIncreaseStatus
        case gracePeriodExpirationDate = "gracePeriodExpiresDate"
        case recentSubscriptionStartDate
        case renewalDate
        case renewalPrice
        case currency
        case signedDate
        case environment
        case offerType
        case offerIdentifier
        case offerDiscountType
        case offerPeriod
        case eligibleWinBackOfferIdentifiers = "eligibleWinBackOfferIds"
        case appAccountToken
        case appTransactionIdentifier = "appTransactionId"
        case renewalBillingPlanType
        case commitment = "commitmentInfo"
        case deviceVerification
        case deviceVerificationNonce
    }
}

extension RenewalInfoClaims {
    /// What the next commitment to several billing periods will be.
    public struct Commitment: Codable, Hashable, Sendable {
        /// The product of the next commitment.
        public var autoRenewProductIdentifier: String?
        /// Whether there will be a next one.
        public var autoRenewStatus: AutoRenewStatus?
        /// How it will be paid.
        public var billingPlanType: BillingPlanType?
        /// When it begins.
        public var renewalDate: Date?
        /// What it will cost, in thousandths of the currency.
        public var renewalPrice: Int64?

        /// Makes a commitment of which nothing is told yet.
        public init() {}

        enum CodingKeys: String, CodingKey {
            case autoRenewProductIdentifier = "commitmentAutoRenewProductId"
            case autoRenewStatus = "commitmentAutoRenewStatus"
            case billingPlanType = "commitmentRenewalBillingPlanType"
            case renewalDate = "commitmentRenewalDate"
            case renewalPrice = "commitmentRenewalPrice"
        }
    }
}
