public import Foundation
public import StoreManagerCore

/// A transaction as the store keeps it, with what `SKTestTransaction` says besides. All that a `StoreTransaction` has is
/// reached directly.
@dynamicMemberLookup
public struct SimulatedTransaction: Hashable, Sendable, Identifiable {
    /// The transaction as the app is told of it.
    public let transaction: StoreTransaction
    /// Whether its subscription will renew.
    public let autoRenewingEnabled: Bool
    /// Whether the payment, or the renewal after it, waits for its issue to be resolved.
    public let hasPurchaseIssue: Bool
    /// Whether it waits for somebody's approval.
    public let pendingAskToBuyConfirmation: Bool
    /// Whether its subscriber has to agree to a higher price.
    public let isPendingPriceIncreaseConsent: Bool
    /// How much money was given back: by a refund, or for the rest of a period when a better plan took its place, which is
    /// reckoned by the second and rounded to the nearest unit of the currency, halves up. Nil where nothing was.
    public let refundedAmount: Decimal?
    /// Whether the app has finished it.
    public let isFinished: Bool
    /// Whether it was paid.
    let hasBeenPaid: Bool

    /// The transaction's identifier.
    public var id: StoreTransaction.ID { transaction.id }

    /// Whatever the transaction has.
    public subscript<Value>(dynamicMember member: KeyPath<StoreTransaction, Value>) -> Value {
        transaction[keyPath: member]
    }

    init(_ transaction: StoreTransaction, _ index: Int32, of record: PurchaseRecord, in engine: StoreEngine) {
        let subscription = record.standing == .paid ? engine.subscriptionIndex(of: record) : nil
        let current = subscription.map { engine.subscriptions[$0] }
        let isNewest = current.map { String($0.lastID) == transaction.id } ?? false
        self.transaction = transaction
        autoRenewingEnabled = current.map { $0.isLive && $0.renews } ?? false
        hasPurchaseIssue = record.standing == .interrupted || isNewest && current?.trouble != nil
        pendingAskToBuyConfirmation = record.standing == .deferred
        isPendingPriceIncreaseConsent = current?.priceIncrease.map { !$0.isAgreed } ?? false
        refundedAmount = record.details?.refundedAmount ?? record.details?.proratedAmount
        isFinished = record.finished.contains(index)
        hasBeenPaid = record.standing == .paid
    }
}
