import Foundation

/// Pairs the approval of a deferred purchase with its request, for a store that gives the purchase no identifier while it
/// waits (StoreKit 2).
///
/// An approval belongs to the oldest pending request of the same product and account token that was made before it was
/// bought. Renewals, what was revoked and what a family member bought approve nothing.
struct DeferredPairing {
    /// A purchase that waits for approval.
    struct Pending {
        var token: RequestToken
        var productIdentifier: String
        var appAccountToken: UUID?
        var requestDate: Date
    }

    private var pending: [Pending] = []

    /// A purchase waits for approval.
    mutating func add(_ purchase: Pending) { pending.append(purchase) }

    /// Nobody waits for this purchase any more.
    mutating func remove(_ token: RequestToken) { pending.removeAll { $0.token == token } }

    /// The request that the transaction approves; it is not matched again. To be asked once about each transaction.
    mutating func match(_ transaction: StoreTransaction) -> RequestToken? {
        guard transaction.state == .purchased, transaction.reason == .purchase, transaction.ownership == .purchased,
            transaction.revocationDate == nil
        else { return nil }
        let approved = pending.indices.filter { index in
            let purchase = pending[index]
            return purchase.productIdentifier == transaction.productIdentifier
                && purchase.appAccountToken == transaction.appAccountToken
                && purchase.requestDate <= transaction.purchaseDate
        }
        guard let oldest = approved.min(by: { pending[$0].token.number < pending[$1].token.number }) else { return nil }
        return pending.remove(at: oldest).token
    }
}
