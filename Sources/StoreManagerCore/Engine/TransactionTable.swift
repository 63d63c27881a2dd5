import Foundation

/// What names a transaction inside the engine, from its first sign of life to its end: the token under which it came.
typealias TransactionKey = RequestToken

/// The transactions under way, found by key or by the store's identifier at the same cost however many there are.
struct TransactionTable {
    /// A transaction under way, and what the manager has to remember for it.
    struct Entry {
        /// Where it stands.
        var lifecycle: TransactionLifecycle
        /// The request that it answers; its own key where it answers none.
        var owner: RequestToken
        /// What the store was asked for, where it was asked.
        var order: PurchaseOrder?
        /// What the ledger has of its purchase, from this run or an earlier one; struck out when the purchase has ended.
        var pending: PendingPurchase?
        /// Who of its request is to be asked whether it is genuine; kept until the verdict is final.
        var verifier: Examiner?
        /// The request had a verify closure, so that the transaction never counts as valid unasked.
        var hadVerifyHandler = false
        /// A restore has asked about it, so that no other does.
        var isAsked = false
        /// How often it was tried again.
        var retries = 0
        /// Ends the wait for a verdict, or begins the next try.
        var timer: TimerTable.Timer?
        /// Fetches its content.
        var download: Task<Void, Never>?
    }

    /// What a purchase asked of the store.
    struct PurchaseOrder {
        var payment: StorePayment
        var date: Date
    }

    private(set) var entries: [TransactionKey: Entry] = [:]
    private var keys: [StoreTransaction.ID: TransactionKey] = [:]
    /// The last state of each transaction that was dealt with in this run.
    private var settled: [StoreTransaction.ID: StoreTransactionMark] = [:]

    subscript(key: TransactionKey) -> Entry? {
        get { entries[key] }
        set { entries[key] = newValue }
    }

    /// The key of the transaction under way with the store's identifier.
    func key(of id: StoreTransaction.ID) -> TransactionKey? { keys[id] }

    /// From now on the store's identifier means this key.
    mutating func identify(_ id: StoreTransaction.ID, as key: TransactionKey) { keys[id] = key }

    /// Forgets a transaction; its timer and its download are stopped.
    mutating func remove(_ key: TransactionKey) {
        guard let entry = entries.removeValue(forKey: key) else { return }
        entry.timer?.cancel()
        entry.download?.cancel()
        if let id = entry.lifecycle.transaction?.id, keys[id] == key { keys[id] = nil }
    }

    /// Replaces the timer of a transaction.
    mutating func setTimer(_ timer: TimerTable.Timer?, of key: TransactionKey) {
        entries[key]?.timer?.cancel()
        entries[key]?.timer = timer
    }

    /// The keys of all transactions in one of the phases, in the order in which they came.
    func keys(in phases: Set<TransactionLifecycle.Phase>) -> [TransactionKey] {
        entries.filter { phases.contains($0.value.lifecycle.phase) }.keys.sorted { $0.number < $1.number }
    }

    /// Remembers that this state of the transaction was dealt with, unless a newer one was.
    mutating func settle(_ transaction: StoreTransaction) {
        if settled[transaction.id]?.isNewer(than: transaction) == true { return }
        settled[transaction.id] = StoreTransactionMark(transaction)
    }

    /// What this run knows of the transaction; nil where nothing was dealt with that says anything of this state.
    func knowledge(of transaction: StoreTransaction) -> TransactionLifecycle.Knowledge? {
        guard let last = settled[transaction.id] else { return nil }
        if last.state == transaction.deliveryState { return .handled }
        return last.isNewer(than: transaction) ? .superseded : nil
    }
}
