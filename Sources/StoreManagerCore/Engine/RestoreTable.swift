/// The restores under way, and what the store lists for them. A value without I/O.
///
/// Restores of one user that overlap share one listing of the store, until the store says that it has listed everything; one
/// that comes later has a listing of its own. A listing is named by the token of the restore that began it.
struct RestoreTable {
    /// A listing of the store, and the restores that wait for it.
    private struct Listing {
        var applicationUsername: String?
        var requests: [RequestToken] = []
        var hadVerifyHandler = false
        var order: [StoreTransaction.ID] = []
        var listed: Set<StoreTransaction.ID> = []
        /// What became of each; nil where it turned out to be of no use.
        var settlements: [StoreTransaction.ID: RestoreSettlement?] = [:]
        var hasEnded = false
    }

    /// A transaction of which nothing has become yet, and the listings that wait for it.
    private struct Awaited {
        var transaction: StoreTransaction
        var listings: [RequestToken]
    }

    /// A listing that has ended, and of which everything has become of.
    struct Completed {
        var requests: [RequestToken]
        var transactionIDs: [StoreTransaction.ID]
        var result: RestoreResult
    }

    private var receivers: [RequestToken: RestoreReceiver] = [:]
    private var listings: [RequestToken: Listing] = [:]
    private var awaited: [StoreTransaction.ID: Awaited] = [:]
    private var held: [StoreTransactionUpdate] = []
    private var heldIDs: Set<StoreTransaction.ID> = []

    // MARK: Restores

    /// Whether the restore still waits.
    func isPending(_ token: RequestToken) -> Bool { receivers[token] != nil }

    /// Begins a restore. True: the store has to be asked; false: it is being asked already.
    mutating func begin(_ token: RequestToken, receiver: RestoreReceiver, applicationUsername: String?) -> Bool {
        let running = listings.first { !$0.value.hasEnded && $0.value.applicationUsername == applicationUsername }
        var listing = running?.value ?? Listing(applicationUsername: applicationUsername)
        listing.requests.append(token)
        if receiver.hasVerifyHandler { listing.hadVerifyHandler = true }
        listings[running?.key ?? token] = listing
        receivers[token] = receiver
        return running == nil
    }

    /// Takes a restore out, as it is answered or cancelled; what the store lists is unaffected. Nil: it is gone already.
    @discardableResult
    mutating func take(_ token: RequestToken) -> RestoreReceiver? { receivers.removeValue(forKey: token) }

    /// The restores that still wait for a listing, in the order in which they came.
    func requests(of listing: RequestToken) -> [(token: RequestToken, receiver: RestoreReceiver)] {
        (listings[listing]?.requests ?? []).compactMap { token in receivers[token].map { (token, $0) } }
    }

    /// Whether any restore of the listing had a verify closure, cancelled ones included.
    func hadVerifyHandler(_ listing: RequestToken) -> Bool { listings[listing]?.hadVerifyHandler ?? false }

    // MARK: What the store lists

    /// Whether the store is listing for any restore.
    var isListing: Bool { listings.values.contains { !$0.hasEnded } }

    /// Whether the store is listing under this token.
    func isListing(_ token: RequestToken) -> Bool { listings[token]?.hasEnded == false }

    /// Keeps a transaction that the store reports by itself while it lists: it may be about to list it too.
    mutating func hold(_ update: StoreTransactionUpdate) {
        held.append(update)
        heldIDs.insert(update.transaction.id)
    }

    /// Whether a word of the transaction is kept.
    func isHolding(_ id: StoreTransaction.ID) -> Bool { heldIDs.contains(id) }

    /// What was held, once no listing is under way.
    mutating func releaseHeld() -> [StoreTransactionUpdate] {
        guard !isListing else { return [] }
        defer { (held, heldIDs) = ([], []) }
        return held
    }

    /// The store listed a transaction. False: it did before.
    mutating func add(_ transaction: StoreTransaction, to listing: RequestToken) -> Bool {
        let id = transaction.id
        guard listings[listing]?.listed.insert(id).inserted == true else { return false }
        listings[listing]?.order.append(id)
        awaited[id, default: Awaited(transaction: transaction, listings: [])].listings.append(listing)
        return true
    }

    /// The store listed everything. Returns what it listed; nil if it said so before.
    mutating func endList(_ listing: RequestToken) -> [StoreTransaction.ID]? {
        guard isListing(listing) else { return nil }
        listings[listing]?.hasEnded = true
        return listings[listing]?.order
    }

    /// The store failed to list. Returns the restores that fail with it, what no other listing waits for, and what was ready to
    /// be delivered with it alone.
    mutating func fail(
        _ listing: RequestToken
    ) -> (requests: [RequestToken], orphans: [StoreTransaction.ID], ready: [StoreTransaction.ID])? {
        guard isListing(listing), let failed = listings.removeValue(forKey: listing) else { return nil }
        var orphans: [StoreTransaction.ID] = []
        for id in failed.order {
            awaited[id]?.listings.removeAll { $0 == listing }
            guard awaited[id]?.listings.isEmpty == true else { continue }
            awaited[id] = nil
            orphans.append(id)
        }
        let ready = failed.order.filter { id in
            failed.settlements[id] != nil && !listings.values.contains { $0.listed.contains(id) }
        }
        return (failed.requests, orphans, ready)
    }

    // MARK: What becomes of it

    /// The transaction as the store listed it, if a restore still waits to hear what becomes of it.
    func awaited(_ id: StoreTransaction.ID) -> StoreTransaction? { awaited[id]?.transaction }

    /// The listing that waits for the transaction and has ended, so that it can be asked about.
    func endedListing(awaiting id: StoreTransaction.ID) -> RequestToken? {
        awaited[id]?.listings.first { listings[$0]?.hasEnded == true }
    }

    /// Something has become of a transaction; nil: it is of no use. Returns the listings that are complete now.
    mutating func settle(_ id: StoreTransaction.ID, as settlement: RestoreSettlement?) -> [Completed] {
        guard let listings = awaited.removeValue(forKey: id)?.listings else { return [] }
        return listings.compactMap { listing in
            self.listings[listing]?.settlements.updateValue(settlement, forKey: id)
            return complete(listing)
        }
    }

    /// The listing, taken out, if it has ended and everything is settled.
    mutating func complete(_ listing: RequestToken) -> Completed? {
        guard let done = listings[listing], done.hasEnded, done.settlements.count == done.order.count else {
            return nil
        }
        listings[listing] = nil
        var result = RestoreResult()
        for id in done.order {
            if case .some(.some(let settlement)) = done.settlements[id] { result.add(settlement) }
        }
        return Completed(requests: done.requests, transactionIDs: done.order, result: result)
    }
}

extension RestoreResult {
    fileprivate mutating func add(_ settlement: RestoreSettlement) {
        switch settlement {
        case .restored(let transaction): restored.append(transaction)
        case .invalid(let transaction, let error): invalid.append(Refusal(transaction: transaction, error: error))
        case .undecided(let transaction, let error): undecided.append(Refusal(transaction: transaction, error: error))
        }
    }
}
