public import Foundation
public import StoreManagerCore

/// Why the simulated store could not do what a test told it to; the cases are those of `SKTestError`.
public enum SimulatorError: Error, Hashable, Sendable {
    /// The store has nothing of this kind to act on now, for the reason given.
    case invalidAction(String)
    /// The catalogue has no such product.
    case invalidProductIdentifier(String)
    /// The product is not of the kind that this can be done to.
    case invalidProductType(String)
    /// The account has no subscription to this product.
    case noSubscriptionFound(productIdentifier: String)
    /// The store has no such transaction.
    case noTransactionFound(StoreTransaction.ID)
    /// The store has no account or device of this name.
    case unknownName(String)
}

extension SimulatorError: LocalizedError, CustomStringConvertible {
    /// What went wrong, and what would be right.
    public var description: String {
        switch self {
        case .invalidAction(let reason): reason
        case .invalidProductIdentifier(let identifier): "The catalogue has no product \"\(identifier)\"."
        case .invalidProductType(let reason): reason
        case .noSubscriptionFound(let identifier): "Nobody on this account subscribes to \"\(identifier)\"."
        case .noTransactionFound(let id): "The store has no transaction \"\(id)\"."
        case .unknownName(let name): "The store has no account or device \"\(name)\"."
        }
    }

    /// The same text.
    public var errorDescription: String? { description }
}
