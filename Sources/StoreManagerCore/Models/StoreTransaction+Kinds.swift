// The values that properties of a transaction may have.

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
