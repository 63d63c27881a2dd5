import Foundation

/// Pairs the approval of a deferred purchase with its request, for a store that gives the purchase no identifier while it
/// waits (StoreKit 2).
///
/// An approval belongs to the oldest pending request of the same product and account token that was made before it was
/// bought, as far as the two clocks tell. Renewals, what was revoked and what a family member bought approve nothing.
struct DeferredPairing {
    /// A purchase that waits for approval.
    struct Pending {
        var token: RequestToken
        var productIdentifier: String
        var appAccountToken: UUID?
        /// By the device's clock.
        var requestDate: Date
    }

    private var pending: [Pending] = []

    /// A purchase waits for approval.
    mutating func add(_ purchase: Pending) { pending.append(purchase) }

    /// Nobody waits for this purchase any more.
    mutating func remove(_ token: RequestToken) { pending.removeAll { $0.token == token } }

    /// The request that the transaction approves; it is not matched again. To be asked once about each transaction.
    mutating func match(_ transaction: StoreTransaction, by time: StoreTime) -> RequestToken? {
        let approved = pending.indices.filter { transaction.mayAnswer(pending[$0], by: time) }
        guard let oldest = approved.min(by: { pending[$0].token.number < pending[$1].token.number }) else { return nil }
        return pending.remove(at: oldest).token
    }
}

extension StoreTransaction {
    /// Whether it may be what was asked for: bought by this account, not renewed and not taken back, of the product, under the
    /// account token, and not before it was asked for. One that was seen by then is to be ruled out beforehand.
    func mayAnswer(_ purchase: DeferredPairing.Pending, by time: StoreTime) -> Bool {
        state == .purchased && reason == .purchase && ownership == .purchased && deliveryState.grants
            && productIdentifier == purchase.productIdentifier && appAccountToken == purchase.appAccountToken
            && purchaseDate >= time.earliest(for: purchase.requestDate)
    }
}
