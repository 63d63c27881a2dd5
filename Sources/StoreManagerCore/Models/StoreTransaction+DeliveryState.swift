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
    }

    /// The state that a receiver hears of once.
    public var deliveryState: DeliveryState {
        DeliveryState(
            id: id, revocationDate: revocationDate, isUpgraded: isUpgraded, expirationDate: expirationDate)
    }
}
