/// Pairs transactions with payments for a store that knows no tokens (StoreKit 1).
///
/// A token is bound to a transaction when that is first seen purchasing, first in first out among equal payments. A
/// transaction that was never seen purchasing belongs to no request: it is one that an earlier run left behind.
struct QueuePairing {
    /// Equal payments, in the order in which they came.
    private var waiting: [StorePayment.Fingerprint: WaitingLine<RequestToken>] = [:]
    /// The place of each in its line.
    private var numbers: [RequestToken: UInt64] = [:]
    private var lastNumber: UInt64 = 0
    /// By handle, and for good: a transaction that is seen purchasing again late must not take another payment's token.
    private var bound: [UInt64: RequestToken] = [:]

    /// A payment was added to the store's queue.
    mutating func add(_ payment: StorePayment) {
        lastNumber += 1
        numbers[payment.token] = lastNumber
        waiting[payment.fingerprint, default: WaitingLine()].insert(payment.token, number: lastNumber)
    }

    /// A payment has ended, perhaps before the queue had a transaction for it.
    mutating func remove(_ payment: StorePayment) { remove(payment.token, payment.fingerprint) }

    /// The token of a transaction that the queue reports, if it answers a payment of ours.
    mutating func match(_ update: StoreTransactionUpdate) -> RequestToken? {
        guard let queued = update.queued else { return nil }
        if let token = bound[queued.handle] { return token }
        guard update.transaction.state == .purchasing, let token = waiting[queued.fingerprint]?.first()?.element else {
            return nil
        }
        remove(token, queued.fingerprint)
        bound[queued.handle] = token
        return token
    }

    private mutating func remove(_ token: RequestToken, _ fingerprint: StorePayment.Fingerprint) {
        guard let number = numbers.removeValue(forKey: token) else { return }
        waiting[fingerprint]?.remove(number)
        if waiting[fingerprint]?.isEmpty == true { waiting[fingerprint] = nil }
    }
}
