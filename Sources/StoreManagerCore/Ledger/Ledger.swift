/// What was paid for: one row an original transaction of one product.
public struct Ledger: Hashable, Codable, Sendable {
    /// Makes an empty ledger.
    public init() {}
}
