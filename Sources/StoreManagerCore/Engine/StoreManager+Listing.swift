import Foundation

/// What the store lists for restores, and how they are answered.
extension StoreManager {
    /// The store listed a transaction for a restore. An old copy of what it has taken back since is not worth a word.
    func receiveRestored(_ transaction: StoreTransaction, for listing: RequestToken) {
        guard transactions.knowledge(of: transaction) != .superseded,
            restores.add(transaction, to: listing, at: clock.now)
        else { return }
        if let key = transactions.key(of: transaction.id) {
            restore(key)
        } else {
            beginRestoring(transaction)
        }
    }

    private func beginRestoring(_ transaction: StoreTransaction) {
        let isRefused = transactions.knowledge(of: transaction) == .refused
        let key = begin(.arrived(transaction), with: transaction, origin: .restore)
        if isRefused {
            handle(.known(.refused), for: key)
        } else {
            takeUpIfListed(key)
        }
    }

    /// A restore lists a transaction that is here already. At rest it is the restore's from now on, and its request, if it still
    /// has one, ends with that; handed over it is restored; what became of it for another restore it is for this one; otherwise
    /// the restore waits to hear what becomes of it.
    private func restore(_ key: TransactionKey) {
        guard let entry = transactions[key], let known = entry.lifecycle.transaction,
            let listed = restores.awaited(known.id)
        else { return }
        if StoreTransactionMark(known).isNewer(than: listed) {
            return complete(restores.settle(known.id, as: nil))
        }
        if entry.lifecycle.hasBeenHandedOver {
            let isSame = listed.deliveryState == known.deliveryState
            let refusal = RestoreSettlement.undecided(listed, .unfinishedTransaction(id: known.id))
            settle(isSame ? .restored(known.inState(.restored)) : refusal)
        } else if entry.lifecycle.isResting {
            questions.close(known.id)
            entry.timer = nil
            entry.isTakenUp = false
            purchases[entry.owner] = nil
            handle(.listed(listed), for: key)
            takeUpIfListed(key)
        } else if entry.lifecycle.phase == .gathered, let outcome = entry.lifecycle.outcome,
            let settlement = RestoreSettlement(outcome)
        {
            settle(settlement)
        }
    }

    /// A transaction has come to rest, or to its end, without that a restore that lists it was told what became of it.
    func restoreIfListed(_ id: StoreTransaction.ID) {
        guard let listed = restores.awaited(id) else { return }
        if let key = transactions.key(of: id) {
            restore(key)
        } else if transactions.knowledge(of: listed) == .superseded {
            complete(restores.settle(id, as: nil))
        } else {
            beginRestoring(listed)
        }
    }

    /// The store listed everything: now its transactions are looked up together, and asked about together.
    func receiveEndOfList(of listing: RequestToken) {
        guard let ids = restores.endList(listing) else { return }
        takeUp(ids.compactMap { transactions.key(of: $0) }, listedAs: listing)
        complete([restores.complete(listing)].compactMap { $0 })
        receiveHeld()
    }

    /// The store could not restore. What it listed before belongs to nobody now, unless another restore waits for it.
    func receiveRestoreFailure(_ error: StoreError, of listing: RequestToken) {
        let hadVerifyHandler = restores.hadVerifyHandler(listing)
        guard let (requests, orphans, ready) = restores.fail(listing) else { return }
        for token in requests {
            guard let receiver = restores.take(token) else { continue }
            receiver.receive(error, for: token, from: self)
            publish(.restoreFailed(error, token: token))
        }
        for key in orphans.compactMap({ transactions.key(of: $0) }) {
            guard let entry = transactions[key], entry.isToBeTakenUp else { continue }
            if hadVerifyHandler { entry.hadVerifyHandler = true }
            handle(.abandoned, for: key)
        }
        dissolve(ready)
        receiveHeld()
    }

    // MARK: What is listed is looked up and asked about

    /// Takes up one transaction that came to a restore when all others had been taken up.
    private func takeUpIfListed(_ key: TransactionKey) {
        guard let id = transactions[key]?.lifecycle.transaction?.id, let listing = restores.endedListing(awaiting: id)
        else { return }
        takeUp([key], listedAs: listing)
    }

    /// Takes up those of the transactions that no restore has taken up yet.
    private func takeUp(_ keys: [TransactionKey], listedAs listing: RequestToken) {
        let listed: [(TransactionKey, StoreTransaction)] = keys.compactMap { key in
            guard let entry = transactions[key], entry.isToBeTakenUp, let transaction = entry.lifecycle.transaction
            else { return nil }
            entry.isTakenUp = true
            return (key, transaction)
        }
        guard !listed.isEmpty else { return }
        lookUp(listed) { manager, answers in
            for (key, answer) in answers { manager.receive(answer, ofListed: key) }
            let known = answers.map(\.key).filter { manager.transactions[$0]?.lifecycle.isBeingRestored == true }
            manager.verify(known, listedAs: listing)
        }
    }

    /// What an earlier run knew of a transaction. An old copy of what the store has taken back since is of no use.
    private func receive(_ answer: TransactionLifecycle.Input, ofListed key: TransactionKey) {
        if case .known(.superseded) = answer, let id = transactions[key]?.lifecycle.transaction?.id {
            complete(restores.settle(id, as: nil))
        }
        handle(answer, for: key)
    }

    // MARK: What comes by itself meanwhile

    /// How long a transaction that comes by itself waits for a restore to list it, in seconds. A store lists within moments,
    /// unless it asks the person to sign in. One that is listed after that was delivered by then, and is restored too.
    static let longestHold: TimeInterval = 30

    /// Keeps a transaction that comes by itself while the store lists: it may be about to list it too, and what a restore lists
    /// is answered by that alone. False: it need not wait.
    func holdForListing(_ update: StoreTransactionUpdate) -> Bool {
        guard restores.isHolding, update.transaction.deliveryState.grants else { return false }
        restores.hold(update, until: clock.now.addingTimeInterval(Self.longestHold))
        startTimer(after: Self.longestHold) { $0.receiveHeld() }
        return true
    }

    /// Deals with what was held and need not wait any longer.
    func receiveHeld() {
        for update in restores.releaseHeld(by: clock.now) { receiveUnasked(update, mayHold: false) }
    }

    // MARK: What becomes of it

    /// Something has become of a restored transaction. Where its restore has failed meanwhile it belongs to nobody.
    func settle(_ settlement: RestoreSettlement) {
        let id = settlement.transaction.id
        guard restores.awaited(id) != nil else { return dissolve([id]) }
        complete(restores.settle(id, as: settlement))
    }

    /// Transactions that are ready, but that no restore will deliver any more, go to the default receiver.
    private func dissolve(_ ids: [StoreTransaction.ID]) {
        guard !ids.isEmpty else { return }
        // After what is at hand: a transaction that has just become ready has to be gathered first.
        post(
            .perform { manager in
                for key in ids.compactMap({ manager.transactions.key(of: $0) })
                where manager.transactions[key]?.lifecycle.phase == .gathered {
                    manager.handle(.noReceiver, for: key)
                }
            })
    }

    /// A transaction that a restore lists, but that was under way before it, was handed over, or has failed.
    func follow(_ outcome: TransactionOutcome) {
        guard let settlement = RestoreSettlement(outcome), restores.awaited(settlement.transaction.id) != nil else {
            return
        }
        settle(settlement)
    }

    /// Restores of which everything is settled: they are answered, and what they listed is finished.
    private func complete(_ listings: [RestoreTable.Completed]) {
        // After what is at hand: the transaction that completed the listing has to be gathered first.
        for listing in listings { post(.perform { $0.deliver(listing) }) }
    }

    private func deliver(_ listing: RestoreTable.Completed) {
        var listing = listing
        // What the store has taken back since it was listed is told by itself.
        listing.result.restored.removeAll { transactions.knowledge(of: $0) == .superseded }
        var answered: [RequestToken] = []
        var isDelivered = false
        for token in listing.requests {
            guard let receiver = restores.take(token) else { continue }
            answered.append(token)
            if receiver.receive(listing.result, for: token, from: self) { isDelivered = true }
        }
        // What this one could not decide on may have been gathered for a later one meanwhile, which is to deliver it.
        let undecided = Set(listing.result.undecided.map(\.transaction.id))
        for id in listing.transactionIDs where !undecided.contains(id) {
            guard let key = transactions.key(of: id), let lifecycle = transactions[key]?.lifecycle,
                lifecycle.phase == .gathered
            else { continue }
            // Where all were cancelled nobody is to hear again of what was handed over before.
            let isKnown = answered.isEmpty && lifecycle.transaction.map(transactions.knowledge) == .handled
            if isDelivered, lifecycle.outcome?.isSuccess == true, let transaction = lifecycle.transaction {
                transactions.settle(transaction, as: .handedOver)
            }
            handle(isDelivered || isKnown ? .delivered : .noReceiver, for: key)
        }
        for token in answered { publish(.restoreFinished(listing.result, token: token)) }
    }
}

extension RestoreSettlement {
    /// What an outcome means to a restore that lists the transaction.
    fileprivate init?(_ outcome: TransactionOutcome) {
        switch outcome {
        case .purchased(let transaction), .restored(let transaction):
            self = .restored(transaction.inState(.restored))
        case .failed(let transaction?, let error) where error.isRefusal:
            self = .invalid(transaction, error)
        case .failed(let transaction?, let error), .cancelled(let transaction?, let error):
            self = .undecided(transaction, error)
        case .scheduled, .revoked, .upgraded, .failed, .cancelled:
            return nil
        }
    }
}

extension StoreError {
    /// Whether somebody found the purchase not to be genuine.
    fileprivate var isRefusal: Bool {
        if case .verificationFailed = self { true } else { false }
    }
}

extension TransactionTable.Entry {
    /// Whether a restore listed it, and none has taken it up yet.
    fileprivate var isToBeTakenUp: Bool { lifecycle.origin == .restore && lifecycle.phase == .lookingUp && !isTakenUp }
}

extension TransactionLifecycle {
    /// Whether a restore is to ask about it.
    fileprivate var isBeingRestored: Bool { origin == .restore && phase == .verifying }
}
