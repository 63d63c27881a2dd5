/// What the store lists for restores, and how they are answered.
extension StoreManager {
    /// The store listed a transaction for a restore. An old copy of what it has taken back since is not worth a word.
    func receiveRestored(_ transaction: StoreTransaction, for listing: RequestToken) {
        guard transactions.knowledge(of: transaction) != .superseded, restores.add(transaction, to: listing) else {
            return
        }
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
            handle(.verdict(.invalid(reason: "it was refused before")), for: key)
        } else {
            askIfListed(key)
        }
    }

    /// A restore lists a transaction that is here already. At rest it is the restore's from now on, and its request, if it still
    /// has one, ends with that; handed over it is restored; otherwise the restore waits to hear what becomes of it.
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
            transactions.setTimer(nil, of: key)
            transactions[key]?.isAsked = false
            purchases[entry.owner] = nil
            handle(.listed(listed), for: key)
            askIfListed(key)
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

    /// Asks about one transaction that came to a restore when all others had been asked about.
    private func askIfListed(_ key: TransactionKey) {
        guard let id = transactions[key]?.lifecycle.transaction?.id, needsAsking(key),
            let listing = restores.endedListing(awaiting: id)
        else { return }
        verify([key], listedAs: listing)
    }

    private func needsAsking(_ key: TransactionKey) -> Bool {
        guard let entry = transactions[key] else { return false }
        return entry.lifecycle.origin == .restore && entry.lifecycle.phase == .verifying && !entry.isAsked
    }

    /// The store listed everything: now its transactions are asked about together.
    func receiveEndOfList(of listing: RequestToken) {
        guard let ids = restores.endList(listing) else { return }
        verify(ids.compactMap { transactions.key(of: $0) }.filter(needsAsking), listedAs: listing)
        complete([restores.complete(listing)].compactMap { $0 })
        receiveLate(restores.releaseHeld())
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
        for key in orphans.compactMap({ transactions.key(of: $0) }).filter(needsAsking) {
            if hadVerifyHandler { transactions[key]?.hadVerifyHandler = true }
            handle(.abandoned, for: key)
        }
        dissolve(ready)
        receiveLate(restores.releaseHeld())
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
        for key in listing.transactionIDs.compactMap({ transactions.key(of: $0) }) {
            guard let lifecycle = transactions[key]?.lifecycle, lifecycle.phase == .gathered else { continue }
            if isDelivered, lifecycle.outcome?.isSuccess == true, let transaction = lifecycle.transaction {
                transactions.settle(transaction, as: .handedOver)
            }
            handle(isDelivered ? .delivered : .noReceiver, for: key)
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
