/// The name of one request to a manager: a fetch, a purchase, a restore, or a transaction that came unasked.
///
/// Tokens are unique within their manager, count up from 1, and print as `purchase-7`. A token holds nothing alive:
/// dropping it does not cancel its request.
public struct RequestToken: Hashable, Sendable, CustomStringConvertible {
    /// What was asked for.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Products were asked for.
        case fetch
        /// A product is being bought.
        case purchase
        /// Purchases are being restored.
        case restore
        /// Nobody asked: the store brought a transaction by itself.
        case update
        /// The app receipt is being refreshed.
        case receipt
        /// The current entitlements are being read.
        case entitlements
    }

    /// What was asked for.
    public let kind: Kind
    /// The number within the manager.
    public let number: UInt64

    /// Makes a token; backends and tests need it, apps do not.
    public init(kind: Kind, number: UInt64) {
        self.kind = kind
        self.number = number
    }

    /// The number is enough: within a manager it is different for each token.
    public func hash(into hasher: inout Hasher) { hasher.combine(number) }

    /// The token in print, such as `purchase-7`.
    public var description: String { "\(kind.rawValue)-\(number)" }
}
