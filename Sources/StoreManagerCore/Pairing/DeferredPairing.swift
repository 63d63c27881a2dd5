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
        let approved = pending.indices.filter { transaction.mayAnswer(pending[$0]) }
        guard let oldest = approved.min(by: { pending[$0].token.number < pending[$1].token.number }) else { return nil }
        return pending.remove(at: oldest).token
    }
}

extension StoreTransaction {
    /// Whether it may be what was asked for: bought by this account, not renewed and not taken back, of the product, under the
    /// account token, and not before it was asked for.
    func mayAnswer(_ purchase: DeferredPairing.Pending) -> Bool {
        state == .purchased && reason == .purchase && ownership == .purchased && revocationDate == nil
            && productIdentifier == purchase.productIdentifier && appAccountToken == purchase.appAccountToken
            && purchaseDate >= purchase.requestDate
    }
}
