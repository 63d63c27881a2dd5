public import Foundation

/// How a ledger's bytes are changed before they are written, so that an app can obfuscate or encrypt them.
public struct LedgerEncoding: Sendable {
    /// Changes the bytes before they are written.
    public var encode: @Sendable (Data) throws -> Data
    /// Undoes `encode`.
    public var decode: @Sendable (Data) throws -> Data

    /// Makes an encoding out of two functions that undo each other.
    public init(
        encode: @escaping @Sendable (Data) throws -> Data, decode: @escaping @Sendable (Data) throws -> Data
    ) {
        self.encode = encode
        self.decode = decode
    }

    /// Leaves the bytes as they are: JSON, readable by anybody.
    public static let plain = LedgerEncoding(encode: { $0 }, decode: { $0 })
}
