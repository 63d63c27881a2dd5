public import Foundation
import StoreManagerCore

extension Product.SubscriptionInfo {
    /// What the store says about the next renewal of a subscription.
    public struct RenewalInfo: Equatable, Hashable, Sendable {
        let source: StoreRenewalInfo
        let signed: SignedValue
        /// How long one period of the offer lasts that the next renewal redeems.
        let offerPeriod: StoreSubscriptionPeriod?

        /// The first transaction of the subscription.
        public var originalTransactionID: UInt64 { UInt64(source.originalTransactionID) ?? 0 }
        /// The product that is subscribed to.
        public var currentProductID: String { source.currentProductIdentifier }
        /// Whether it will renew.
        public var willAutoRenew: Bool { source.willAutoRenew }
        /// The product that it will renew to; nil where it will not.
        public var autoRenewPreference: String? { source.autoRenewPreference }
        /// Why it ended; nil while it runs.
        public var expirationReason: ExpirationReason? {
            source.expirationReason.map { ExpirationReason(rawValue: $0.rawValue) }
        }
        /// Where a price increase stands.
        public var priceIncreaseStatus: PriceIncreaseStatus {
            switch source.priceIncreaseStatus {
            case .noIncreasePending: .noIncreasePending
            case .pending: .pending
            case .agreed: .agreed
            }
        }
        /// Whether the store is trying to charge for a renewal that failed.
        public var isInBillingRetry: Bool { source.isInBillingRetry }
        /// Until when access goes on although a renewal could not be charged.
        public var gracePeriodExpirationDate: Date? { source.gracePeriodExpirationDate }
        /// When the present run of periods began.
        public var recentSubscriptionStartDate: Date { source.recentSubscriptionStartDate ?? .distantPast }
        /// When the next renewal is due; nil where there is none.
        public var renewalDate: Date? { source.renewalDate }
        /// What the next renewal will cost.
        public var renewalPrice: Decimal? { source.renewalPrice }
        /// The currency of the price.
        public var currency: Locale.Currency? { source.currencyCode.map { Locale.Currency($0) } }
        /// The currency of the price, an ISO 4217 code.
        public var currencyCode: String? { source.currencyCode }
        /// The win-back offers that the subscriber may take, the best first.
        public var eligibleWinBackOfferIDs: [String] { source.eligibleWinBackOfferIDs }
        /// The account token that the purchase was started with.
        public var appAccountToken: UUID? { source.appAccountToken }
        /// The identifier of the download of the app that the purchase belongs to.
        public var appTransactionID: String { signed.appTransactionID }
        /// Where the purchase was made.
        public var environment: AppStore.Environment { AppStore.Environment(source.environment) }
        /// Where the purchase was made.
        public var environmentStringRepresentation: String { environment.rawValue }
        /// What was sold through the Advanced Commerce API; nil here, where it is not sold.
        public var advancedCommerceInfo: Transaction.AdvancedCommerceInfo? { nil }

        /// What ties the word to this device.
        public var deviceVerification: Data { signed.deviceVerification }
        /// What went into ``deviceVerification``.
        public var deviceVerificationNonce: UUID { signed.deviceVerificationNonce }
        /// When the store signed this word.
        public var signedDate: Date { signed.signedDate }
        /// The word as the store wrote it, in JSON.
        public var jsonRepresentation: Data { signed.payload }

        /// Why a subscription ended. The set is open: any raw value is one.
        public struct ExpirationReason: RawRepresentable, Equatable, Hashable, Sendable {
            /// The store's number.
            public let rawValue: Int
            /// Keeps the store's number.
            public init(rawValue: Int) { self.rawValue = rawValue }
            /// The subscriber turned renewal off.
            public static let autoRenewDisabled = ExpirationReason(rawValue: 1)
            /// The renewal could not be charged.
            public static let billingError = ExpirationReason(rawValue: 2)
            /// The subscriber did not agree to a higher price.
            public static let didNotConsentToPriceIncrease = ExpirationReason(rawValue: 3)
            /// The product was no longer sold.
            public static let productUnavailable = ExpirationReason(rawValue: 4)
            /// Something else.
            public static let unknown = ExpirationReason(rawValue: 5)
        }

        /// Where a price increase stands.
        @frozen public enum PriceIncreaseStatus: Equatable, Hashable, Sendable {
            /// There is none that asks for consent.
            case noIncreasePending
            /// The subscriber has not agreed yet.
            case pending
            /// The subscriber agreed.
            case agreed
        }
    }
}

extension Product.SubscriptionInfo.RenewalInfo {
    /// The offer that the next renewal redeems.
    public var offer: Transaction.Offer? { source.offer.map { Transaction.Offer($0, period: offerPeriod) } }
    /// For whom that offer is.
    public var offerType: Transaction.OfferType? { offer?.type }
    /// The identifier of that offer.
    public var offerID: String? { offer?.id }
    /// How that offer is paid, as the store writes it.
    public var offerPaymentModeStringRepresentation: String? { offer?.paymentMode?.rawValue }
    /// How long one period of that offer lasts, as ISO 8601 writes it.
    public var offerPeriodStringRepresentation: String? { offerPeriod?.iso8601 }
}

extension Product.SubscriptionInfo.RenewalInfo: CustomDebugStringConvertible {
    /// The JSON of the word.
    public var debugDescription: String { String(decoding: jsonRepresentation, as: UTF8.self) }
}
