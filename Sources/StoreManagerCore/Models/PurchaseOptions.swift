public import Foundation

/// What a purchase may say beyond the product.
public struct PurchaseOptions: Hashable, Sendable {
    /// How many, 1 or more.
    public var quantity: Int
    /// Ties the purchase to an account of the app's own.
    public var appAccountToken: UUID?
    /// The user's name in the app, opaque to the store (StoreKit 1). On StoreKit 2 it must be a UUID.
    public var applicationUsername: String?
    /// A reduced price to ask for. It reaches the store exactly as given, or the purchase fails.
    public var offer: PurchaseOffer?
    /// In a sandbox, whether the purchase shall wait for approval as if a child had asked.
    public var simulatesAskToBuyInSandbox: Bool
    /// Something of the app's own that comes back on the transaction; where there is a ledger also after a relaunch, if product
    /// and account token tell which purchase it was, and if that was not started more than 30 days before the launch.
    public var context: PurchaseContext?
    /// Options of the store's that have no name of their own here, by key (StoreKit 2); other stores pass them over.
    public var customOptions: [String: CustomValue]

    /// The value of a custom option.
    public enum CustomValue: Hashable, Sendable {
        /// A text.
        case string(String)
        /// A number.
        case number(Double)
        /// Yes or no.
        case flag(Bool)
        /// Bytes.
        case data(Data)
    }

    /// Makes options; each has a default.
    public init(
        quantity: Int = 1, appAccountToken: UUID? = nil, applicationUsername: String? = nil,
        offer: PurchaseOffer? = nil, simulatesAskToBuyInSandbox: Bool = false, context: PurchaseContext? = nil,
        customOptions: [String: CustomValue] = [:]
    ) {
        self.quantity = quantity
        self.appAccountToken = appAccountToken
        self.applicationUsername = applicationUsername
        self.offer = offer
        self.simulatesAskToBuyInSandbox = simulatesAskToBuyInSandbox
        self.context = context
        self.customOptions = customOptions
    }
}

/// A reduced price that a purchase asks for.
public enum PurchaseOffer: Hashable, Sendable {
    /// A promotional offer with the classic signature of the app's server.
    case promotional(PromotionalOfferSignature)
    /// A promotional offer with a signature in JWS form.
    case promotionalJWS(offerID: String, compactJWS: String)
    /// A win-back offer of the product, by its identifier.
    case winBack(offerID: String)
    /// A statement of the app's server that the buyer may, or may not, have the introductory offer.
    case introductoryEligibility(compactJWS: String)
}

/// The classic signature of a promotional offer.
public struct PromotionalOfferSignature: Hashable, Sendable {
    /// The offer's identifier.
    public var offerID: String
    /// The identifier of the key that signed.
    public var keyID: String
    /// The value that makes this signature usable once.
    public var nonce: UUID
    /// The signature in base64.
    public var signature: String
    /// When it was signed, in milliseconds since 1970.
    public var timestamp: Int

    /// Makes a signature.
    public init(offerID: String, keyID: String, nonce: UUID, signature: String, timestamp: Int) {
        self.offerID = offerID
        self.keyID = keyID
        self.nonce = nonce
        self.signature = signature
        self.timestamp = timestamp
    }
}

/// Something of the app's own that travels with a purchase: where it was started, what it is for.
public struct PurchaseContext: Hashable, Codable, Sendable {
    /// The content, encoded.
    public var data: Data

    /// Takes the content as it is.
    public init(data: Data) { self.data = data }

    /// Encodes a value as JSON.
    ///
    /// - Throws: what the value's encoding throws.
    public init(encoding value: some Encodable) throws { data = try JSONEncoder().encode(value) }

    /// Decodes the value that ``init(encoding:)`` encoded.
    ///
    /// - Throws: `DecodingError` where the content is not such a value.
    public func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try JSONDecoder().decode(type, from: data)
    }
}
