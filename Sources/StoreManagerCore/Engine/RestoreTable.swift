/// The restores under way, and what the store lists for them. A value without I/O.
///
/// Restores of one user that overlap share one listing of the store, until the store says that it has listed everything; one
/// that comes later has a listing of its own. A listing is named by the token of the restore that began it.
struct RestoreTable {
    /// A listing of the store, and the restores that wait for it.
    private struct Listing {
        var applicationUsername: String?
        var requests: [RestoreRequest]
        var order: [StoreTransaction.ID] = []
        var settlements: [StoreTransaction.ID: RestoreSettlement] = [:]
        var listed: Set<StoreTransaction.ID> = []
        var unsettled: Int { listed.count - settlements.count }
        var isComplete = false
    }

    /// A listing of which everything has become of.
    struct Completed {
        var requests: [RestoreRequest]
        var transactionIDs: [StoreTransaction.ID]
        var result: RestoreResult
    }

    private var listings: [RequestToken: Listing] = [:]
    private var listingOfRequest: [RequestToken: RequestToken] = [:]
    private var listingsOfTransaction: [StoreTransaction.ID: Set<RequestToken>] = [:]
    private var held: [StoreTransactionUpdate] = []

    /// Whether the restore still waits.
    func isPending(_ token: RequestToken) -> Bool { listingOfRequest[token] != nil }

    /// Whether the store is listing for any restore.
    var isListing: Bool { listings.values.contains { !$0.isComplete } }

    /// Whether the store is listing under this token.
    func isListing(_ token: RequestToken) -> Bool { listings[token]?.isComplete == false }

    /// Begins a restore. True: the store has to be asked; false: it is being asked already.
    mutating func begin(_ request: RestoreRequest, applicationUsername: String?) -> Bool {
        let running = listings.first { !$0.value.isComplete && $0.value.applicationUsername == applicationUsername }
        let listing = running?.key ?? request.token
        listings[listing, default: Listing(applicationUsername: applicationUsername, requests: [])]
            .requests.append(request)
        listingOfRequest[request.token] = listing
        return running == nil
    }

    /// Takes a restore out; others that share its listing are unaffected, and so is what the store lists.
    mutating func remove(_ token: RequestToken) {
        guard let listing = listingOfRequest.removeValue(forKey: token) else { return }
        listings[listing]?.requests.removeAll { $0.token == token }
    }

    /// Keeps a transaction that the store reports by itself while it lists: it may be about to list it too.
    mutating func hold(_ update: StoreTransactionUpdate) { held.append(update) }

    /// What was held, once no listing is under way.
    mutating func releaseHeld() -> [StoreTransactionUpdate] {
        guard !isListing else { return [] }
        defer { held = [] }
        return held
    }

    /// The store listed a transaction. False: it did before.
    mutating func add(_ id: StoreTransaction.ID, to listing: RequestToken) -> Bool {
        guard listings[listing]?.listed.insert(id).inserted == true else { return false }
        listings[listing]?.order.append(id)
        listingsOfTransaction[id, default: []].insert(listing)
        return true
    }

    /// The store listed everything. Returns the restores that wait, and what was listed.
    mutating func endList(_ listing: RequestToken) -> (requests: [RestoreRequest], ids: [StoreTransaction.ID])? {
        guard let ended = listings[listing], !ended.isComplete else { return nil }
        listings[listing]?.isComplete = true
        return (ended.requests, ended.order)
    }

    /// Something has become of a transaction. Returns the listings that are complete now.
    mutating func settle(_ settlement: RestoreSettlement) -> [Completed] {
        let id = settlement.transaction.id
        let waiting = listingsOfTransaction.removeValue(forKey: id) ?? []
        return waiting.sorted { $0.number < $1.number }.compactMap { listing in
            listings[listing]?.settlements[id] = settlement
            return complete(listing)
        }
    }

    /// The listing, taken out, if the store listed everything and everything is settled.
    mutating func complete(_ listing: RequestToken) -> Completed? {
        guard let done = listings[listing], done.isComplete, done.unsettled == 0 else { return nil }
        take(listing)
        var result = RestoreResult()
        for id in done.order {
            if let settlement = done.settlements[id] { result.add(settlement) }
        }
        return Completed(requests: done.requests, transactionIDs: done.order, result: result)
    }

    /// The store failed to list. Returns the restores that fail with it, and what was listed before.
    mutating func fail(_ listing: RequestToken) -> (requests: [RestoreRequest], ids: [StoreTransaction.ID])? {
        guard let failed = take(listing) else { return nil }
        return (failed.requests, failed.order)
    }

    @discardableResult
    private mutating func take(_ token: RequestToken) -> Listing? {
        guard let listing = listings.removeValue(forKey: token) else { return nil }
        for request in listing.requests { listingOfRequest[request.token] = nil }
        for id in listing.order {
            listingsOfTransaction[id]?.remove(token)
            if listingsOfTransaction[id]?.isEmpty == true { listingsOfTransaction[id] = nil }
        }
        return listing
    }
}

/// A restore that waits for its end.
struct RestoreRequest {
    var token: RequestToken
    var receiver: RestoreReceiver
}

extension RestoreSettlement {
    /// The transaction that something has become of.
    var transaction: StoreTransaction {
        switch self {
        case .restored(let transaction), .invalid(let transaction, _), .undecided(let transaction, _): transaction
        }
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
