import Foundation

/// What names a transaction inside the engine, from its first sign of life to its end: the token under which it came.
typealias TransactionKey = RequestToken

/// The transactions under way, found by key or by the store's identifier at the same cost however many there are.
struct TransactionTable {
    /// A transaction under way, and what the manager has to remember for it: an object, so that none of it is ever copied.
    final class Entry {
        /// Where it stands.
        var lifecycle: TransactionLifecycle
        /// The request that it answers; its own key where it answers none.
        var owner: RequestToken
        /// What the store was asked for, where it was asked.
        var order: PurchaseOrder?
        /// What the ledger has of its purchase, from this run or an earlier one; struck out when the purchase has ended.
        var pending: PendingPurchase?
        /// Whom its request has asked whether it is genuine; kept until the verdict is final.
        fileprivate(set) var verifier: Verifier?
        /// The request had a verify closure, so that the transaction never counts as valid unasked.
        var hadVerifyHandler: Bool
        /// A restore has taken it up, so that no other does.
        var isTakenUp = false
        /// How often it was tried again.
        var retries = 0
        /// Ends the wait for a verdict, or begins the next try.
        var timer: TimerTable.Timer? {
            didSet { oldValue?.cancel() }
        }
        /// The store's identifiers of it: one, but for stores that give it another one when it is paid.
        fileprivate var ids: [StoreTransaction.ID] = []

        init(
            lifecycle: TransactionLifecycle, owner: RequestToken, order: PurchaseOrder? = nil,
            verifier: Verifier? = nil, hadVerifyHandler: Bool = false
        ) {
            self.lifecycle = lifecycle
            self.owner = owner
            self.order = order
            self.verifier = verifier
            self.hadVerifyHandler = hadVerifyHandler
        }
    }

    /// Who of a request is asked whether a transaction is genuine.
    struct Verifier {
        var token: RequestToken
        var receiver: PurchaseReceiver
    }

    /// What a purchase asked of the store.
    struct PurchaseOrder {
        var payment: StorePayment
        var date: Date
    }

    private(set) var entries: [TransactionKey: Entry] = [:]
    private var keys: [StoreTransaction.ID: TransactionKey] = [:]
    /// Whom else than its own request a transaction's verifier belongs to: a restore asks about many.
    private var asked: [RequestToken: Set<TransactionKey>] = [:]
    private var settled: [StoreTransaction.ID: Settled] = [:]

    /// Those that somebody was there to be asked about, or that were refused, and that were never handed over.
    private var doubtful: Set<StoreTransaction.ID> = []

    /// What became of a transaction that was dealt with in this run.
    enum Ending {
        /// It was handed over.
        case handedOver
        /// It was found not to be genuine.
        case refused
        /// It was never paid.
        case failed
    }

    /// The last state of a transaction that was dealt with in this run.
    private struct Settled {
        var mark: StoreTransactionMark
        var ending: Ending

        /// Whether this says more than the transaction. That a payment failed is older than whatever was paid.
        func isNewer(than transaction: StoreTransaction) -> Bool {
            ending != .failed && mark.isNewer(than: transaction)
        }
    }

    /// The transaction of a key.
    subscript(key: TransactionKey) -> Entry? { entries[key] }

    /// The key of the transaction under way with the store's identifier.
    func key(of id: StoreTransaction.ID) -> TransactionKey? { keys[id] }

    /// Adds a transaction under way.
    mutating func add(_ entry: Entry, for key: TransactionKey) { entries[key] = entry }

    /// From now on the store's identifier means this key. A transaction may have several: some stores give it another one when
    /// it is paid.
    mutating func identify(_ id: StoreTransaction.ID, as key: TransactionKey) {
        keys[id] = key
        guard let entry = entries[key], !entry.ids.contains(id) else { return }
        entry.ids.append(id)
    }

    /// Forgets a transaction; its timer is stopped.
    mutating func remove(_ key: TransactionKey) {
        setVerifier(nil, of: key)
        guard let entry = entries.removeValue(forKey: key) else { return }
        entry.timer = nil
        for id in entry.ids where keys[id] == key { keys[id] = nil }
    }

    /// Keeps whom a request has asked about a transaction, in the place of whoever was asked before.
    mutating func setVerifier(_ verifier: Verifier?, of key: TransactionKey) {
        guard let entry = entries[key] else { return }
        if let former = entry.verifier?.token, former != key {
            asked[former]?.remove(key)
            if asked[former]?.isEmpty == true { asked[former] = nil }
        }
        entry.verifier = verifier
        if let token = verifier?.token, token != key { asked[token, default: []].insert(key) }
    }

    /// Asks nobody of the request any more.
    mutating func removeVerifiers(of token: RequestToken) {
        for key in asked.removeValue(forKey: token) ?? [] { entries[key]?.verifier = nil }
        if let entry = entries[token], entry.verifier?.token == token { entry.verifier = nil }
    }

    /// The keys of all transactions in one of the phases, in the order in which they came.
    func keys(in phases: Set<TransactionLifecycle.Phase>) -> [TransactionKey] {
        entries.filter { phases.contains($0.value.lifecycle.phase) }.keys.sorted { $0.number < $1.number }
    }

    /// Remembers what became of this state of the transaction, unless a newer one is known. That a payment failed does not undo
    /// what became of it when it was paid.
    mutating func settle(_ transaction: StoreTransaction, as ending: Ending) {
        if let last = settled[transaction.id], ending == .failed || last.isNewer(than: transaction) { return }
        settled[transaction.id] = Settled(mark: StoreTransactionMark(transaction), ending: ending)
    }

    /// Whether some word of the transaction was heard in this run.
    func isKnown(_ id: StoreTransaction.ID) -> Bool { keys[id] != nil || settled[id] != nil }

    /// Remembers whether a transaction that has ended needs a yes, should the store come back to it in another state.
    mutating func doubt(_ id: StoreTransaction.ID, _ isDoubtful: Bool) {
        if isDoubtful { doubtful.insert(id) } else { doubtful.remove(id) }
    }

    /// Whether the transaction never counts as valid unasked.
    func isDoubtful(_ id: StoreTransaction.ID) -> Bool { doubtful.contains(id) }

    /// What is known of this state of the transaction in this run. A payment that failed says nothing of one that was paid
    /// later under the same identifier; that it failed is an old word by then.
    func knowledge(of transaction: StoreTransaction) -> TransactionLifecycle.Knowledge {
        guard let last = settled[transaction.id] else { return .new }
        if transaction.state == .failed { return .handled }
        if last.ending == .failed { return .new }
        if last.mark.state == transaction.deliveryState { return last.ending == .refused ? .refused : .handled }
        guard last.mark.isNewer(than: transaction) else { return .new }
        return last.mark.state.grants ? .handled : .superseded
    }
}
