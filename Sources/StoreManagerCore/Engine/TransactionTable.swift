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
        /// Who of its request is to be asked whether it is genuine; kept until the verdict is final.
        var verifier: PurchaseReceiver?
        /// The request had a verify closure, so that the transaction never counts as valid unasked.
        var hadVerifyHandler = false
        /// What the purchase was started with, as the ledger has it; struck out when the purchase has ended.
        var pending: PendingPurchase?
        /// How often it was tried again.
        var retries = 0
        /// Ends the wait for a verdict, or begins the next try.
        var timer: TimerTable.Timer?
        /// Fetches its content.
        var download: Task<Void, Never>?
    }

    private(set) var entries: [TransactionKey: Entry] = [:]
    private var keys: [StoreTransaction.ID: TransactionKey] = [:]
    private var settled: [StoreTransaction.ID: Settled] = [:]

    /// The last state of a transaction that was dealt with in this run.
    private struct Settled {
        var state: StoreTransaction.DeliveryState
        var signedDate: Date?
    }

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

    /// Remembers that this state of the transaction was dealt with.
    mutating func settle(_ transaction: StoreTransaction) {
        settled[transaction.id] = Settled(state: transaction.deliveryState, signedDate: transaction.signedDate)
    }

    /// What this run knows of the transaction; nil where nothing was dealt with that says anything of this state.
    func knowledge(of transaction: StoreTransaction) -> TransactionLifecycle.Knowledge? {
        guard let last = settled[transaction.id] else { return nil }
        if last.state == transaction.deliveryState { return .handled }
        guard let lastDate = last.signedDate, let date = transaction.signedDate else { return nil }
        return date < lastDate ? .superseded : nil
    }
}
