public import Foundation
import StoreManagerCore

// Where, why and at what price a purchase was made.
extension Transaction {
    /// Where the purchase was made.
    public var environment: AppStore.Environment { AppStore.Environment(source.environment) }
    /// Where the purchase was made.
    public var environmentStringRepresentation: String { environment.rawValue }
    /// What brought the transaction about.
    public var reason: Reason { source.reason == .purchase ? .purchase : .renewal }
    /// What brought the transaction about.
    public var reasonStringRepresentation: String { reason.rawValue }
    /// The storefront that was sold from.
    public var storefront: Storefront { Storefront(countryCode: storefrontCountryCode) }
    /// The country of the storefront, an ISO 3166-1 alpha-3 code.
    public var storefrontCountryCode: String { source.storefrontCountryCode ?? "" }
    /// What was paid, for the whole quantity.
    public var price: Decimal? { source.price }
    /// The currency of the price.
    public var currency: Locale.Currency? { source.currencyCode.map { Locale.Currency($0) } }
    /// The currency of the price, an ISO 4217 code.
    public var currencyCode: String? { source.currencyCode }
    /// What was sold through the Advanced Commerce API; nil here, where it is not sold.
    public var advancedCommerceInfo: AdvancedCommerceInfo? { nil }

    /// How the subscription stands that the transaction belongs to; nil for everything else.
    public var subscriptionStatus: Product.SubscriptionInfo.Status? {
        get async { try? await StoreLink.shared.status(ofTransaction: id) }
    }

    /// What brought a transaction about. The set is open: any raw value is one.
    public struct Reason: RawRepresentable, Equatable, Hashable, Sendable {
        /// The store's name.
        public let rawValue: String
        /// Keeps the store's name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// Somebody bought.
        public static let purchase = Reason(rawValue: "PURCHASE")
        /// The store renewed a subscription.
        public static let renewal = Reason(rawValue: "RENEWAL")
    }

    /// Why the store took a purchase back. The set is open: any raw value is one.
    public struct RevocationReason: RawRepresentable, Equatable, Hashable, Sendable {
        /// The store's number.
        public let rawValue: Int
        /// Keeps the store's number.
        public init(rawValue: Int) { self.rawValue = rawValue }
        /// Trouble with the app.
        public static let developerIssue = RevocationReason(rawValue: 1)
        /// Some other reason.
        public static let other = RevocationReason(rawValue: 0)
    }

    /// Whose purchase it is. The set is open: any raw value is one.
    public struct OwnershipType: RawRepresentable, Equatable, Hashable, Sendable {
        /// The store's name.
        public let rawValue: String
        /// Keeps the store's name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// This account's own.
        public static let purchased = OwnershipType(rawValue: "PURCHASED")
        /// A family member's.
        public static let familyShared = OwnershipType(rawValue: "FAMILY_SHARED")
    }

    /// What was sold through the Advanced Commerce API.
    public struct AdvancedCommerceInfo: Equatable, Hashable, Sendable {}
}
