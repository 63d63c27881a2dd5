public import Foundation

/// One transaction as the store tells it: what was bought, when, by whom and in which state it is.
///
/// A transaction is a value. A later word of the store about the same purchase (a refund, a renewal's new expiry) arrives
/// as another value with the same ``id``.
public struct StoreTransaction: Hashable, Codable, Sendable, Identifiable {
    /// The store's identifier; where the store gave none (StoreKit 1's failed payments), one made by the backend.
    public var id: String
    /// The identifier of the purchase that this one renews or restores; its own otherwise. Empty where the store took a product
    /// back without saying which purchase of it (StoreKit 1).
    public var originalID: String
    /// The product that was bought.
    public var productIdentifier: String
    /// The kind of that product.
    public var productType: StoreProductType
    /// Where the transaction stands.
    public var state: StoreTransactionState
    /// How many were bought, 1 or more.
    public var quantity: Int
    /// When this transaction was charged.
    public var purchaseDate: Date
    /// When the first purchase was charged.
    public var originalPurchaseDate: Date
    /// When a subscription's paid period ends.
    public var expirationDate: Date?
    /// When the store took the purchase back; nil while it stands.
    public var revocationDate: Date?
    /// Why the store took the purchase back.
    public var revocationReason: StoreRevocationReason?
    /// Whether the subscriber moved up to a better plan, so that this one no longer counts.
    public var isUpgraded: Bool
    /// Whether it was bought by this account, or by a family member.
    public var ownership: StoreOwnership
    /// Whether it was bought by a person or renewed by the store.
    public var reason: StoreTransactionReason
    /// The account token that the purchase was started with.
    public var appAccountToken: UUID?
    /// The application user name that the purchase was started with.
    public var applicationUsername: String?
    /// The subscription group of the product.
    public var subscriptionGroupID: String?
    /// The offer that was redeemed.
    public var offer: StoreRedeemedOffer?
    /// What was paid, for the whole quantity, in `currencyCode`.
    public var price: Decimal?
    /// The currency of the price, an ISO 4217 code.
    public var currencyCode: String?
    /// The country of the storefront, an ISO 3166-1 alpha-3 code.
    public var storefrontCountryCode: String?
    /// Where the purchase was made.
    public var environment: StoreEnvironment?
    /// When the store signed this word about the transaction. The newest one is right.
    public var signedDate: Date?
    /// The store's signed form of the transaction, a JWS; nil on StoreKit 1.
    public var jwsRepresentation: String?
    /// What the store's own library made of the signature.
    public var storeVerification: StoreVerification
    /// Content that the store hosts for this purchase.
    public var downloads: [StoreDownload]
    /// What the app gave along with the purchase, where it is known to belong to it.
    public var context: PurchaseContext?

    /// Makes a transaction. What is not given is as for a simple purchase of one piece.
    public init(
        id: String, originalID: String? = nil, productIdentifier: String, productType: StoreProductType = .unknown,
        state: StoreTransactionState, quantity: Int = 1, purchaseDate: Date, originalPurchaseDate: Date? = nil,
        expirationDate: Date? = nil
    ) {
        self.id = id
        self.originalID = originalID ?? id
        self.productIdentifier = productIdentifier
        self.productType = productType
        self.state = state
        self.quantity = quantity
        self.purchaseDate = purchaseDate
        self.originalPurchaseDate = originalPurchaseDate ?? purchaseDate
        self.expirationDate = expirationDate
        isUpgraded = false
        ownership = .purchased
        reason = .purchase
        storeVerification = .notChecked
        downloads = []
    }
}

/// Where a transaction stands.
public enum StoreTransactionState: String, Hashable, Codable, Sendable, CaseIterable {
    /// The store is at work on the payment.
    case purchasing
    /// Waiting for somebody's approval (Ask to Buy).
    case deferred
    /// Paid.
    case purchased
    /// Paid earlier, and owned.
    case restored
    /// A plan change that takes effect at the next renewal: nothing was paid, nothing is to be granted now.
    case scheduled
    /// Not paid.
    case failed
}

/// Whose purchase it is.
public enum StoreOwnership: String, Hashable, Codable, Sendable, CaseIterable {
    /// This account's own.
    case purchased
    /// A family member's.
    case familyShared
}

/// What brought a transaction about.
public enum StoreTransactionReason: String, Hashable, Codable, Sendable, CaseIterable {
    /// Somebody bought.
    case purchase
    /// The store renewed a subscription.
    case renewal
}

/// Why the store took a purchase back. Stores add reasons, so the raw value is kept as it came.
public struct StoreRevocationReason: RawRepresentable, Hashable, Codable, Sendable {
    /// The store's number for the reason.
    public var rawValue: Int
    /// Keeps the store's number.
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// A refund for a reason of the buyer's.
    public static let other = StoreRevocationReason(rawValue: 0)
    /// A refund because of trouble with the app.
    public static let developerIssue = StoreRevocationReason(rawValue: 1)
}

/// Where a purchase was made. Stores add environments, so the name is kept as it came.
public struct StoreEnvironment: RawRepresentable, Hashable, Codable, Sendable {
    /// The store's name for the environment.
    public var rawValue: String
    /// Keeps the store's name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Real money.
    public static let production = StoreEnvironment(rawValue: "Production")
    /// Apple's sandbox.
    public static let sandbox = StoreEnvironment(rawValue: "Sandbox")
    /// Store testing on a developer's machine, the simulated store included.
    public static let xcode = StoreEnvironment(rawValue: "Xcode")
}

/// What the store's own library made of a transaction's signature.
public enum StoreVerification: Hashable, Codable, Sendable {
    /// It did not look (StoreKit 1).
    case notChecked
    /// The signature holds.
    case verified
    /// The signature does not hold, for the reason given.
    case unverified(reason: String)
}

/// The offer that a transaction redeemed.
public struct StoreRedeemedOffer: Hashable, Codable, Sendable {
    /// The offer's identifier; nil for an introductory offer.
    public var id: String?
    /// Whom the offer is for.
    public var type: StoreOfferType
    /// How it is paid; nil where the store does not say.
    public var paymentMode: StoreOfferPaymentMode?

    /// Makes a redeemed offer.
    public init(id: String? = nil, type: StoreOfferType, paymentMode: StoreOfferPaymentMode? = nil) {
        self.id = id
        self.type = type
        self.paymentMode = paymentMode
    }
}
