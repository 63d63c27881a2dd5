import Foundation

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
        /// When the store was asked, or last listed something.
        var lastWord: Date
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
    /// What was held, with the date until which it waits, in the order of its coming.
    private var held: [(update: StoreTransactionUpdate, deadline: Date)] = []
    /// How many words of each are held.
    private var heldCounts: [StoreTransaction.ID: Int] = [:]

    // MARK: Restores

    /// Whether the restore still waits.
    func isPending(_ token: RequestToken) -> Bool { receivers[token] != nil }

    /// Begins a restore. True: the store has to be asked; false: it is being asked already.
    mutating func begin(
        _ token: RequestToken, receiver: RestoreReceiver, applicationUsername: String?, at date: Date
    ) -> Bool {
        let running = listings.first { !$0.value.hasEnded && $0.value.applicationUsername == applicationUsername }
        var listing = running?.value ?? Listing(applicationUsername: applicationUsername, lastWord: date)
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

    /// Whether the store is listing under this token.
    func isListing(_ token: RequestToken) -> Bool { listings[token]?.hasEnded == false }

    /// When the listing was begun, or the last transaction was listed; nil where it has ended.
    func lastWord(in listing: RequestToken) -> Date? {
        listings[listing].flatMap { $0.hasEnded ? nil : $0.lastWord }
    }

    /// Whether what the store reports by itself has to wait: it is listing, and somebody waits for the list.
    var isHolding: Bool {
        listings.values.contains { !$0.hasEnded && $0.requests.contains { receivers[$0] != nil } }
    }

    /// Keeps a transaction that the store reports by itself, until a date at most: it may be about to list it too.
    mutating func hold(_ update: StoreTransactionUpdate, until deadline: Date) {
        held.append((update, deadline))
        heldCounts[update.transaction.id, default: 0] += 1
    }

    /// Whether a word of the transaction is kept.
    func isHolding(_ id: StoreTransaction.ID) -> Bool { heldCounts[id] != nil }

    /// What was held and need not wait any longer: all of it, where nobody waits for a list.
    mutating func releaseHeld(by date: Date) -> [StoreTransactionUpdate] {
        let count = isHolding ? held.prefix { $0.deadline <= date }.count : held.count
        let released = held.prefix(count).map(\.update)
        held.removeFirst(count)
        for id in released.map(\.transaction.id) { heldCounts[id] = heldCounts[id].flatMap { $0 > 1 ? $0 - 1 : nil } }
        return released
    }

    /// The store listed a transaction. False: it did before.
    mutating func add(_ transaction: StoreTransaction, to listing: RequestToken, at date: Date) -> Bool {
        let id = transaction.id
        listings[listing]?.lastWord = date
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
