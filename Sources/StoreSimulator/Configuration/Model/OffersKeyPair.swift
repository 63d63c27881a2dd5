public import Foundation

extension StoreConfiguration {
    /// The key pair that signs promotional offers.
    public struct OffersKeyPair: Hashable, Codable, Sendable, Identifiable {
        /// The key's identifier, which goes with every signature.
        public var id: String
        /// The private key.
        public var privateKey: PrivateKey

        /// Makes a key pair.
        public init(id: String, privateKey: PrivateKey) {
            self.id = id
            self.privateKey = privateKey
        }
    }

    /// A private key that shows itself to nobody but ``derRepresentation``: neither printing nor dumping nor mirroring it
    /// gives anything away.
    public struct PrivateKey: Hashable, Codable, Sendable {
        private let base64: String

        /// Keeps a key, the base64 of a PKCS#8 structure (EC P-256); empty where the file has none.
        public init(base64: String) { self.base64 = base64 }

        /// The PKCS#8 structure in DER; nil where the file has none, or text that is not base64.
        public var derRepresentation: Data? { base64.isEmpty ? nil : Data(base64Encoded: base64) }
    }
}

extension StoreConfiguration.PrivateKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// A placeholder.
    public var description: String { "<private key>" }
    /// A placeholder.
    public var debugDescription: String { description }
    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
