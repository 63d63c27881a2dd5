/// Pairs transactions with payments for a store that knows no tokens (StoreKit 1).
///
/// A token is bound to a transaction when that is first seen purchasing, first in first out among equal payments. A
/// transaction that was never seen purchasing belongs to no request: it is one that an earlier run left behind.
struct QueuePairing {
    private var waiting: [StorePayment.Fingerprint: [RequestToken]] = [:]
    /// By handle, and for good: a transaction that is seen purchasing again late must not take another payment's token.
    private var bound: [UInt64: RequestToken] = [:]

    /// A payment was added to the store's queue.
    mutating func add(_ payment: StorePayment) {
        waiting[payment.fingerprint, default: []].append(payment.token)
    }

    /// A payment has ended, perhaps before the queue had a transaction for it.
    mutating func remove(_ payment: StorePayment) {
        waiting[payment.fingerprint]?.removeAll { $0 == payment.token }
        if waiting[payment.fingerprint]?.isEmpty == true { waiting[payment.fingerprint] = nil }
    }

    /// The token of a transaction that the queue reports, if it answers a payment of ours.
    mutating func match(_ update: StoreTransactionUpdate) -> RequestToken? {
        guard let queued = update.queued else { return nil }
        if let token = bound[queued.handle] { return token }
        guard update.transaction.state == .purchasing, let token = waiting[queued.fingerprint]?.first else {
            return nil
        }
        waiting[queued.fingerprint]?.removeFirst()
        bound[queued.handle] = token
        return token
    }
}
