extension StoreManager {
    // MARK: Restoring

    /// Restores what the user owns.
    ///
    /// Answered once, when every verdict, ledger entry and download is in. Restores of one user that overlap share one listing
    /// of the store. The store may ask the person to sign in, so restore only when the person asks for it.
    ///
    /// - Parameters:
    ///   - username: whose purchases, where the app tells its users apart; nil for all.
    ///   - onSuccess: what was restored, and what was not; see ``RestoreResult``. Nil: each restored transaction goes to the
    ///     default receiver. Always written out.
    ///   - onFailure: why the store could not restore; `.cancelled` where the person did not sign in.
    ///   - onVerify: asked about all restored transactions together. Nil: the verifier is asked, without one all are valid.
    /// - Returns: the token of the restore.
    @discardableResult
    public func restorePurchases(
        ofApplicationUsername username: String? = nil,
        onSuccess: (@MainActor (RestoreResult) -> Void)?,
        onFailure: (@MainActor (StoreError) -> Void)? = nil,
        onVerify: (@MainActor ([StoreTransaction]) -> Void)? = nil
    ) -> RequestToken {
        restorePurchases(
            ofApplicationUsername: username,
            handlers: RestoreHandlers(onSuccess: onSuccess, onFailure: onFailure, onVerify: onVerify))
    }

    /// Restores what the user owns, for a delegate, which is held weakly. Should it be gone by then the transactions go to the
    /// default receiver.
    @discardableResult
    public func restorePurchases(
        ofApplicationUsername username: String? = nil, delegate: any RestorationDelegate
    ) -> RequestToken {
        begin(username, receiver: .delegate(WeakRestorationDelegate(object: delegate)))
    }

    /// Restores what the user owns, with a set of closures.
    @discardableResult
    public func restorePurchases(
        ofApplicationUsername username: String? = nil, handlers: RestoreHandlers
    ) -> RequestToken {
        begin(username, receiver: .handlers(handlers))
    }

    // MARK: How it is done

    func begin(_ username: String?, receiver: RestoreReceiver) -> RequestToken {
        startObserving()
        let token = makeToken(.restore)
        let request = RestoreRequest(token: token, receiver: receiver)
        if restores.begin(request, applicationUsername: username) {
            backend.restorePurchases(applicationUsername: username, for: token)
        }
        return token
    }

    /// The store listed a transaction for a restore.
    func receiveRestored(_ transaction: StoreTransaction, for listing: RequestToken) {
        guard restores.add(transaction.id, to: listing) else { return }
        if let key = transactions.key(of: transaction.id), let lifecycle = transactions[key]?.lifecycle {
            switch lifecycle.phase {
            case .waitingForReceiver, .waitingForDelivery, .undecided, .stalled, .unverified:
                questions.close(transaction.id)
                transactions.remove(key)
            case .awaitingFinish, .finishing:
                return complete(restores.settle(.restored(transaction.inState(.restored))))
            default:
                // It is being dealt with; this restore lists what becomes of it.
                return
            }
        }
        let key = makeToken(.update)
        transactions[key] = TransactionTable.Entry(
            lifecycle: TransactionLifecycle(origin: .restore, finishesManually: finishing == .manual), owner: key)
        transactions.identify(transaction.id, as: key)
        handle(.arrived(transaction), for: key)
    }

    /// The store listed everything: now its transactions are asked about together.
    func receiveEndOfList(of listing: RequestToken) {
        guard let (requests, ids) = restores.endList(listing) else { return }
        let unverified = ids.compactMap { restoredTransaction($0, in: .verifying) }
        if !unverified.isEmpty { verify(unverified, restoredBy: requests) }
        complete([restores.complete(listing)].compactMap { $0 })
        receive(restores.releaseHeld())
    }

    /// The store could not restore. What it listed before belongs to nobody now.
    func receiveRestoreFailure(_ error: StoreError, of listing: RequestToken) {
        guard let (requests, ids) = restores.fail(listing) else { return }
        let orphans = ids.compactMap { restoredTransaction($0, in: .verifying) }
        for orphan in orphans {
            if let key = transactions.key(of: orphan.id) { transactions.remove(key) }
        }
        for request in requests { request.receiver.receive(error, for: request.token, from: self) }
        for request in requests { publish(.restoreFailed(error, token: request.token)) }
        receive(orphans.map { StoreTransactionUpdate($0) })
        receive(restores.releaseHeld())
    }

    private func restoredTransaction(
        _ id: StoreTransaction.ID, in phase: TransactionLifecycle.Phase
    ) -> StoreTransaction? {
        guard let lifecycle = transactions.key(of: id).flatMap({ transactions[$0]?.lifecycle }),
            lifecycle.origin == .restore, lifecycle.phase == phase
        else { return nil }
        return lifecycle.transaction
    }

    /// Something has become of a restored transaction.
    func settle(_ settlement: RestoreSettlement) { complete(restores.settle(settlement)) }

    /// A transaction that a restore lists, but that was under way before it, has come to an end.
    func follow(_ outcome: TransactionOutcome) {
        guard let settlement = RestoreSettlement(outcome) else { return }
        complete(restores.settle(settlement))
    }

    /// Restores of which everything is settled: they are answered, and what they listed is finished.
    private func complete(_ listings: [RestoreTable.Completed]) {
        // After what is at hand: the transaction that completed the listing has to be gathered first.
        for listing in listings { post(.perform { $0.deliver(listing) }) }
    }

    private func deliver(_ listing: RestoreTable.Completed) {
        var isDelivered = false
        for request in listing.requests where request.receiver.receive(listing.result, for: request.token, from: self) {
            isDelivered = true
        }
        for id in listing.transactionIDs {
            guard let key = transactions.key(of: id), transactions[key]?.lifecycle.phase == .gathered else { continue }
            if isDelivered, let transaction = transactions[key]?.lifecycle.transaction {
                transactions.settle(transaction)
            }
            handle(isDelivered ? .delivered : .noReceiver, for: key)
        }
        for request in listing.requests { publish(.restoreFinished(listing.result, token: request.token)) }
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
        case .scheduled, .revoked, .failed, .cancelled:
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
