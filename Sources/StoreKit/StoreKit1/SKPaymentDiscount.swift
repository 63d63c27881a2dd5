public import Foundation

// `@unchecked Sendable` is right because all that is stored is immutable and Sendable.
/// A promotional offer with the signature of the app's server.
open class SKPaymentDiscount: NSObject, @unchecked Sendable {
    private let fields: (identifier: String, keyIdentifier: String, nonce: UUID, signature: String, time: Int64)

    /// An offer of no product.
    public override init() { fields = ("", "", UUID(), "", 0) }

    /// An offer as it was signed.
    ///
    /// - Parameters:
    ///   - identifier: The offer's identifier.
    ///   - keyIdentifier: The identifier of the key that signed.
    ///   - nonce: The value that makes the signature usable once.
    ///   - signature: The signature in base64.
    ///   - timestamp: When it was signed, in milliseconds since 1970.
    public init(identifier: String, keyIdentifier: String, nonce: UUID, signature: String, timestamp: NSNumber) {
        fields = (identifier, keyIdentifier, nonce, signature, timestamp.int64Value)
    }

    /// The offer's identifier.
    open var identifier: String { fields.identifier }
    /// The identifier of the key that signed.
    open var keyIdentifier: String { fields.keyIdentifier }
    /// The value that makes the signature usable once.
    open var nonce: UUID { fields.nonce }
    /// The signature in base64.
    open var signature: String { fields.signature }
    /// When it was signed, in milliseconds since 1970.
    open var timestamp: NSNumber { NSNumber(value: fields.time) }
}
