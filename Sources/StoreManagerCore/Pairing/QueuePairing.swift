/// Pairs transactions with payments for a store that knows no tokens (StoreKit 1).
///
/// A token is bound to a transaction when that is first seen purchasing, first in first out among equal payments. A
/// transaction that was never seen purchasing belongs to no request: it is one that an earlier run left behind.
struct QueuePairing {
    private var waiting: [StorePayment.Fingerprint: [RequestToken]] = [:]
    private var bound: [UInt64: RequestToken] = [:]
    private var handles: [StoreTransaction.ID: UInt64] = [:]

    /// A payment was added to the store's queue.
    mutating func add(_ payment: StorePayment) {
        waiting[payment.fingerprint, default: []].append(payment.token)
    }

    /// The token of a transaction that the queue reports, if it answers a payment of ours.
    mutating func match(_ update: StoreTransactionUpdate) -> RequestToken? {
        guard let queued = update.queued else { return nil }
        handles[update.transaction.id] = queued.handle
        if let token = bound[queued.handle] { return token }
        guard update.transaction.state == .purchasing, let token = takeFirst(equalTo: queued.fingerprint) else {
            return nil
        }
        bound[queued.handle] = token
        return token
    }

    /// The token bound to the transaction of this identifier.
    func token(of id: StoreTransaction.ID) -> RequestToken? {
        handles[id].flatMap { bound[$0] }
    }

    private mutating func takeFirst(equalTo fingerprint: StorePayment.Fingerprint) -> RequestToken? {
        guard var tokens = waiting[fingerprint], !tokens.isEmpty else { return nil }
        let token = tokens.removeFirst()
        waiting[fingerprint] = tokens.isEmpty ? nil : tokens
        return token
    }
}
