import Foundation
import StoreManagerCore

/// What the store sells, found by identifier in constant time.
struct Catalogue: Sendable {
    /// The configuration that it was made of.
    let configuration: StoreConfiguration
    private let positions: [String: [Int]]

    init(_ configuration: StoreConfiguration) {
        self.configuration = configuration
        positions = Dictionary(grouping: configuration.products.indices) { configuration.products[$0].id }
    }

    /// The position of a product; of two with one identifier the first.
    func position(of identifier: String) -> Int? { positions[identifier]?.first }

    /// All products of this identifier, as many as the configuration has.
    func products(_ identifier: String) -> [StoreConfiguration.Product] {
        (positions[identifier] ?? []).map { self[$0] }
    }

    /// The product at a position.
    subscript(position: Int) -> StoreConfiguration.Product { configuration.products[position] }

    /// The product of this identifier.
    func product(_ identifier: String) -> StoreConfiguration.Product? { position(of: identifier).map { self[$0] } }

    /// The currency of a storefront, an ISO 4217 code; nil for a country that nobody knows.
    static func currency(of storefront: String) -> String? {
        Locale(identifier: "en_\(storefront)").currency?.identifier
    }
}

extension Catalogue: Codable {
    /// Reads the configuration.
    init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(StoreConfiguration.self))
    }

    /// Writes the configuration, without the private key that it may have.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        var configuration = configuration
        configuration.offersKeyPair?.privateKey = StoreConfiguration.PrivateKey(base64: "")
        try container.encode(configuration)
    }
}
