/// The country whose store is sold from.
public struct StoreStorefront: Hashable, Codable, Sendable, Identifiable {
    /// The store's own identifier of the storefront.
    public var id: String
    /// The country, an ISO 3166-1 alpha-3 code such as `USA`.
    public var countryCode: String

    /// Makes a storefront.
    public init(id: String, countryCode: String) {
        self.id = id
        self.countryCode = countryCode
    }
}
