public import Foundation
public import StoreManagerCore

/// What a signed transaction says: Apple's `JWSTransactionDecodedPayload`
/// (https://developer.apple.com/documentation/appstoreserverapi/jwstransactiondecodedpayload).
public struct TransactionClaims: SignedClaims, Sendable {
    /// A transaction.
    public static var kind: SignedDataKind { .transaction }

    /// This transaction. Xcode counts from "0".
    public var transactionIdentifier: String?
    /// The transaction that this one renews or restores; its own otherwise.
    public var originalTransactionIdentifier: String?
    /// Apple's number of the renewal, for subscriptions.
    public var webOrderLineItemIdentifier: String?
    /// The app's bundle identifier.
    public var bundleIdentifier: String?
    /// The product.
    public var productIdentifier: String?
    /// The group of the subscription.
    public var subscriptionGroupIdentifier: String?
    /// How the product is sold.
    public var productType: SignedProductType?
    /// How many were bought.
    public var quantity: Int?
    /// When it was charged.
    public var purchaseDate: Date?
    /// When the original transaction was charged.
    public var originalPurchaseDate: Date?
    /// When the subscription ends or renews.
    public var expirationDate: Date?
    /// When Apple signed these data.
    public var signedDate: Date?
    /// When Apple took the purchase back.
    public var revocationDate: Date?
    /// Why Apple took it back.
    public var revocationReason: StoreRevocationReason?
    /// What the refund took back.
    public var revocationType: RevocationType?
    /// How much of the price the refund took back.
    public var revocationPercentage: Int?
    /// Whether the subscriber moved up to a better plan.
    public var isUpgraded: Bool?
    /// The account token that the purchase was started with.
    public var appAccountToken: UUID?
    /// Whose purchase it is.
    public var ownershipType: InAppOwnershipType?
    /// What brought the transaction about.
    public var reason: SignedTransactionReason?
    /// Whom the offer is for that was redeemed.
    public var offerType: SignedOfferType?
    /// The offer that was redeemed.
    public var offerIdentifier: String?
    /// How the offer is paid.
    public var offerDiscountType: OfferDiscountType?
    /// The offer's length, an ISO 8601 duration such as `P1M`.
    public var offerPeriod: String?
    /// Where it was bought.
    public var environment: StoreEnvironment?
    /// The country of the storefront, an ISO 3166-1 alpha-3 code.
    public var storefront: String?
    /// Apple's number of the storefront.
    public var storefrontIdentifier: String?
    /// What was paid, in thousandths of the currency.
    public var price: Int64?
    /// The currency, an ISO 4217 code.
    public var currency: String?
    /// The purchase of the app, one for each account and app.
    public var appTransactionIdentifier: String?
    /// How a subscription with a commitment is paid.
    public var billingPlanType: BillingPlanType?
    /// How far a commitment has come.
    public var commitment: Commitment?
    /// A hash that binds the data to a device, in base64. Only data got on a device have it.
    public var deviceVerification: String?
    /// What makes each ``deviceVerification`` another.
    public var deviceVerificationNonce: UUID?

    /// Makes claims that tell nothing yet.
    public init() {}

    enum CodingKeys: String, CodingKey {
        case transactionIdentifier = "transactionId"
        case originalTransactionIdentifier = "originalTransactionId"
        case webOrderLineItemIdentifier = "webOrderLineItemId"
        case bundleIdentifier = "bundleId"
        case productIdentifier = "productId"
        case subscriptionGroupIdentifier
        case productType = "type"
        case quantity
        case purchaseDate
        case originalPurchaseDate
        case expirationDate = "expiresDate"
        case signedDate
        case revocationDate
        case revocationReason
        case revocationType
        case revocationPercentage
        case isUpgraded
        case appAccountToken
        case ownershipType = "inAppOwnershipType"
        case reason = "transactionReason"
        case offerType
        case offerIdentifier
        case offerDiscountType
        case offerPeriod
        case environment
        case storefront
        case storefrontIdentifier = "storefrontId"
        case price
        case currency
        case appTransactionIdentifier = "appTransactionId"
        case billingPlanType
        case commitment = "commitmentInfo"
        case deviceVerification
        case deviceVerificationNonce
    }
}

extension TransactionClaims {
    /// How far a commitment to several billing periods has come.
    public struct Commitment: Codable, Hashable, Sendable {
        /// The number of the current billing period, the first one being 1.
        public var billingPeriodNumber: Int?
        /// How many billing periods the commitment has.
        public var totalBillingPeriods: Int?
        /// When the commitment ends.
        public var expirationDate: Date?
        /// What the whole commitment costs, in thousandths of the currency.
        public var price: Int64?

        /// Makes a commitment of which nothing is told yet.
        public init() {}

        enum CodingKeys: String, CodingKey {
            case billingPeriodNumber
            case totalBillingPeriods
            case expirationDate = "commitmentExpiresDate"
            case price = "commitmentPrice"
        }
    }
}
