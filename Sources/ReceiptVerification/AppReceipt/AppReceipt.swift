public import Foundation

/// An app receipt, decoded: what it says, and nothing about whether that is true.
///
/// Anybody can write a receipt. Grant nothing for its ``unverifiedContents``; have an ``AppReceiptVerifier`` make a
/// ``VerifiedReceipt`` of it.
public struct AppReceipt: Sendable {
    /// What the receipt says. Nobody has checked it.
    public let unverifiedContents: ReceiptContents
    /// The envelope around the contents.
    let container: SignedContainer

    /// The most bytes that a receipt may have: room for more than 80,000 purchases.
    public static let maximumByteCount = 32 << 20

    /// Decodes a receipt.
    ///
    /// - Parameter data: The receipt file (DER, or the BER that Xcode writes), or base64 text of it, in lines or not.
    /// - Throws: ``MalformedInput``. Its offset counts from the start of the binary form, or in the text where that is no base64.
    public init(data: Data) throws {
        guard data.count <= Self.maximumByteCount else {
            throw MalformedInput("a receipt of more than \(Self.maximumByteCount) bytes", at: Self.maximumByteCount)
        }
        var bytes = ContiguousArray(data)
        guard let first = bytes.first else { throw MalformedInput("the receipt is empty", at: 0) }
        guard !Self.isTransactionReceipt(data) else {
            throw MalformedInput("a transaction receipt, as iOS 6 had, or JSON is no app receipt", at: 0)
        }
        if first != ASN1Tag.sequence.rawValue {
            bytes = try Base64.decode(bytes, .standard, ignoringWhitespace: true)
        }
        container = try SignedContainer(bytes)
        unverifiedContents = try ReceiptContents(container.content)
    }

    /// Whether the data are a transaction receipt in the style of iOS 6, so far as their beginning tells.
    static func isTransactionReceipt(_ data: Data) -> Bool { data.first == UInt8(ascii: "{") }
}

/// What an app receipt says, found to be genuine and for this app. Only an ``AppReceiptVerifier`` makes one.
@dynamicMemberLookup
public struct VerifiedReceipt: Hashable, Sendable {
    /// What the receipt says.
    public let contents: ReceiptContents
    /// The date as of which the certificates were looked at.
    public let validationDate: Date
    /// Whether it comes from store testing on a developer's machine, so that no money was paid. Such receipts are accepted
    /// only by a verifier that was told to.
    public let isFromLocalTesting: Bool

    /// Each property of the contents.
    public subscript<Value>(dynamicMember keyPath: KeyPath<ReceiptContents, Value>) -> Value {
        contents[keyPath: keyPath]
    }
}
