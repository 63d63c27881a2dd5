public import Foundation

/// What the store says about the next renewal of a subscription.
public struct StoreRenewalInfo: Hashable, Codable, Sendable {
    /// The first transaction of the subscription.
    public var originalTransactionID: StoreTransaction.ID
    /// The product that is subscribed to.
    public var currentProductIdentifier: String
    /// Whether it will renew at the end of the period.
    public var willAutoRenew: Bool
    /// The product that it will renew to; nil where it will not.
    public var autoRenewPreference: String?
    /// Why it ended; nil while it runs.
    public var expirationReason: StoreExpirationReason?
    /// Whether the store is trying to charge for a renewal that failed.
    public var isInBillingRetry: Bool
    /// Until when access goes on although a renewal could not be charged; nil where no such period runs.
    public var gracePeriodExpirationDate: Date?
    /// Whether the subscriber has to agree to a higher price, or has.
    public var priceIncreaseStatus: PriceIncreaseStatus
    /// When the next renewal is due.
    public var renewalDate: Date?
    /// What the next renewal will cost, in `currencyCode`.
    public var renewalPrice: Decimal?
    /// The currency of the price, an ISO 4217 code.
    public var currencyCode: String?
    /// The offer that the next renewal will redeem.
    public var offer: StoreRedeemedOffer?
    /// The win-back offers that the subscriber may take, the best first.
    public var eligibleWinBackOfferIDs: [String]
    /// When the present run of periods without a gap began.
    public var recentSubscriptionStartDate: Date?
    /// The account token that the purchase was started with.
    public var appAccountToken: UUID?
    /// Where the purchase was made.
    public var environment: StoreEnvironment?
    /// When the store signed this word. The newest one is right.
    public var signedDate: Date?

    /// Where a price increase stands.
    public enum PriceIncreaseStatus: String, Hashable, Codable, Sendable, CaseIterable {
        /// There is none that asks for consent.
        case noIncreasePending
        /// The subscriber has not agreed yet.
        case pending
        /// The subscriber agreed.
        case agreed
    }

    /// Makes what is known of a subscription that renews as usual, or does not.
    public init(
        originalTransactionID: StoreTransaction.ID, currentProductIdentifier: String, willAutoRenew: Bool = true,
        isInBillingRetry: Bool = false, gracePeriodExpirationDate: Date? = nil, signedDate: Date? = nil
    ) {
        self.originalTransactionID = originalTransactionID
        self.currentProductIdentifier = currentProductIdentifier
        self.willAutoRenew = willAutoRenew
        autoRenewPreference = willAutoRenew ? currentProductIdentifier : nil
        self.isInBillingRetry = isInBillingRetry
        self.gracePeriodExpirationDate = gracePeriodExpirationDate
        priceIncreaseStatus = .noIncreasePending
        eligibleWinBackOfferIDs = []
        self.signedDate = signedDate
    }
}

/// Why a subscription ended. Stores add reasons, so the raw value is kept as it came.
public struct StoreExpirationReason: RawRepresentable, Hashable, Codable, Sendable {
    /// The store's number for the reason: `expirationIntent` in Apple's renewal info.
    public var rawValue: Int
    /// Keeps the store's number.
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// The subscriber turned renewal off.
    public static let autoRenewDisabled = StoreExpirationReason(rawValue: 1)
    /// The renewal could not be charged.
    public static let billingError = StoreExpirationReason(rawValue: 2)
    /// The subscriber did not agree to a higher price.
    public static let didNotConsentToPriceIncrease = StoreExpirationReason(rawValue: 3)
    /// The product was no longer sold.
    public static let productUnavailable = StoreExpirationReason(rawValue: 4)
    /// Something else.
    public static let unknown = StoreExpirationReason(rawValue: 5)
}
