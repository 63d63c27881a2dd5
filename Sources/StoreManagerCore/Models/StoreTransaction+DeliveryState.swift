public import Foundation

extension StoreTransaction {
    /// What makes one word of the store about a transaction different from another in a way that a receiver must hear of.
    ///
    /// The date of the signature is not part of it: the store signs the same state again whenever it is asked.
    public struct DeliveryState: Hashable, Codable, Sendable {
        /// The transaction.
        public var id: StoreTransaction.ID
        /// When the store took the purchase back; nil while it stands.
        public var revocationDate: Date?
        /// Whether the subscriber moved up to a better plan.
        public var isUpgraded: Bool
        /// When a subscription's paid period ends.
        public var expirationDate: Date?

        /// Whether the purchase stands in this state.
        var grants: Bool { revocationDate == nil && !isUpgraded }
    }

    /// The state that a receiver hears of once.
    public var deliveryState: DeliveryState {
        DeliveryState(
            id: id, revocationDate: revocationDate, isUpgraded: isUpgraded, expirationDate: expirationDate)
    }
}

/// One word of the store about a transaction: the state that it told, and when it was signed.
struct StoreTransactionMark: Hashable, Codable, Sendable {
    var state: StoreTransaction.DeliveryState
    var signedDate: Date?

    init(_ transaction: StoreTransaction) {
        state = transaction.deliveryState
        signedDate = transaction.signedDate
    }

    /// Whether the transaction says nothing beyond this: the same state, or an older one.
    func covers(_ transaction: StoreTransaction) -> Bool {
        state == transaction.deliveryState || isNewer(than: transaction)
    }

    /// Whether this is the later word. Without dates to go by, what took the purchase away is later than the purchase itself.
    func isNewer(than transaction: StoreTransaction) -> Bool {
        if let signedDate, let other = transaction.signedDate, signedDate != other { return signedDate > other }
        return (state.revocationDate != nil && transaction.revocationDate == nil)
            || (state.isUpgraded && !transaction.isUpgraded)
    }
}
