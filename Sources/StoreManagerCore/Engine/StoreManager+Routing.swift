/// To whom a transaction belongs, when the store reports it.
extension StoreManager {
    /// Takes what the store reports of transactions.
    func receive(_ updates: [StoreTransactionUpdate]) {
        for update in updates {
            if let date = update.transaction.signedDate { storeTime.hear(signedAt: date, at: clock.now) }
            let paired = pair(update)
            if !holdIfOvertaking(paired) { receive(paired) }
        }
    }

    /// Takes what was reported before and has waited since.
    func receiveLate(_ updates: [StoreTransactionUpdate]) {
        for update in updates { receive(update) }
    }

    /// Where the store tells no token, it may have told it before, or the pairings may find it. An approval is paired when it is
    /// first seen: seen again it must not take the place of another.
    private func pair(_ update: StoreTransactionUpdate) -> StoreTransactionUpdate {
        guard update.token == nil else { return update }
        var paired = update
        if let key = transactions.key(of: update.transaction.id), isAwaitingPayment(key) {
            paired.token = key
            return paired
        }
        switch backend.capabilities.tokenCarriage {
        case .always: break
        case .unlessDeferred:
            let id = update.transaction.id
            if !transactions.isKnown(id), !restores.isHolding(id), !isOvertaking(id) {
                paired.token = deferredPairing.match(update.transaction, by: storeTime)
            }
        case .never: paired.token = queuePairing.match(update)
        }
        return paired
    }

    private func receive(_ update: StoreTransactionUpdate) {
        let transaction = update.transaction
        switch transaction.state {
        case .purchasing, .deferred:
            guard let token = update.token, isAwaitingPayment(token) else { return }
            if transactions.key(of: transaction.id) == nil { transactions.identify(transaction.id, as: token) }
            if transaction.state == .deferred { receiveDeferral(of: token) }
        case .failed:
            receiveFailure(update)
        case .purchased, .restored, .scheduled:
            if let token = update.token, restores.isListing(token), transaction.deliveryState.grants {
                receiveRestored(transaction, for: token)
            } else if let token = update.token, isAwaitingPayment(token) {
                answer(token, with: transaction)
            } else {
                receiveUnasked(update)
            }
        }
    }

    private func isAwaitingPayment(_ token: RequestToken) -> Bool {
        transactions[token]?.lifecycle.isAwaitingPayment == true
    }

    /// The store answered a payment.
    private func answer(_ token: RequestToken, with transaction: StoreTransaction) {
        let entry = transactions[token]
        if transaction.state == .scheduled || entry?.order?.payment.product.id != transaction.productIdentifier {
            handle(.scheduled(transaction.inState(.scheduled)), for: token)
        } else if transaction.revocationDate != nil {
            handle(.failed(.verificationFailed(reason: "the store has taken the purchase back"), nil), for: token)
            receiveUnasked(StoreTransactionUpdate(transaction))
        } else if transaction.isUpgraded {
            // The store answers with a plan that was given up for a better one: what was asked for can come at a renewal only.
            handle(.scheduled(transaction.inState(.scheduled)), for: token)
            receiveUnasked(StoreTransactionUpdate(transaction))
        } else if let key = transactions.key(of: transaction.id), key != token {
            answer(token, with: transaction, thatIsUnderWayAs: key)
        } else {
            transactions.identify(transaction.id, as: token)
            if transactions.isDoubtful(transaction.id) { entry?.hadVerifyHandler = true }
            handle(.arrived(transaction.with(entry?.order?.payment.options.context)), for: token)
        }
    }

    /// The store answered a payment with a transaction that is here already. One that nobody has received yet is the
    /// payment's from now on; one that was handed over in this state ends it; one that a restore is about to deliver, or of
    /// which another state was handed over, is left to that first.
    private func answer(
        _ token: RequestToken, with transaction: StoreTransaction, thatIsUnderWayAs key: TransactionKey
    ) {
        guard let entry = transactions[key] else { return }
        let isHandedOver = entry.lifecycle.hasBeenHandedOver
        if isHandedOver, entry.lifecycle.transaction?.deliveryState == transaction.deliveryState {
            handle(.arrived(transaction), for: token)
        } else if isHandedOver || entry.lifecycle.origin == .restore
            || (purchases[entry.owner] != nil && !entry.lifecycle.isResting)
        {
            latecomers[transaction.id, default: []].append(StoreTransactionUpdate(transaction, token: token))
        } else {
            adopt(key, as: token)
        }
    }

    /// A purchase takes over a transaction that was here before.
    private func adopt(_ key: TransactionKey, as token: RequestToken) {
        if let payment = transactions[token] {
            // A request that cannot receive it ends with it.
            purchases[owner(of: key)] = nil
            transactions[key]?.owner = token
            transactions[key]?.order = payment.order
            if let verifier = payment.verifier { transactions.setVerifier(verifier, of: key) }
            if payment.hadVerifyHandler { transactions[key]?.hadVerifyHandler = true }
            if transactions[key]?.pending == nil {
                transactions[key]?.pending = payment.pending
            } else if let pending = payment.pending {
                strikeOut(pending)
            }
        }
        unanswered.remove(token)
        transactions.remove(token)
        handle(.adopted, for: key)
    }

    /// A transaction that no purchase and no restore is waiting for.
    func receiveUnasked(_ update: StoreTransactionUpdate, mayHold: Bool = true) {
        let transaction = update.transaction
        guard transaction.state != .scheduled else { return }
        if let key = transactions.key(of: transaction.id), let entry = transactions[key] {
            return receiveNewer(transaction, than: entry, key: key)
        }
        if mayHold, holdForListing(update) { return }
        begin(.arrived(transaction), with: transaction)
    }

    /// A word about a transaction that is here. The same state again, or an older one, says nothing; a new one is looked at when
    /// nothing is under way, or nothing that would matter any more.
    private func receiveNewer(
        _ transaction: StoreTransaction, than entry: TransactionTable.Entry, key: TransactionKey
    ) {
        guard let known = entry.lifecycle.transaction else { return }
        let later = latecomers[transaction.id]?.map(\.transaction) ?? []
        let latest = later.reduce(known) { latest, word in word.isNews(after: latest) ? word : latest }
        guard transaction.isNews(after: latest) else {
            // The same state, signed anew: whatever was signed before that is old from now on.
            guard StoreTransactionMark(transaction).isNewer(than: latest) else { return }
            if let index = later.firstIndex(of: latest) {
                latecomers[transaction.id]?[index].transaction.signedDate = transaction.signedDate
            } else {
                entry.lifecycle.transaction?.signedDate = transaction.signedDate
            }
            return
        }
        if entry.lifecycle.isOpen(to: transaction) {
            questions.close(transaction.id)
            handle(.arrived(transaction), for: key)
        } else {
            latecomers[transaction.id, default: []].append(StoreTransactionUpdate(transaction))
        }
    }

    /// Begins the way of a transaction that no purchase asked for, under a token of its own.
    @discardableResult
    func begin(
        _ input: TransactionLifecycle.Input, with transaction: StoreTransaction,
        origin: TransactionLifecycle.Origin = .unasked
    ) -> TransactionKey {
        let token = makeToken(.update)
        var lifecycle = TransactionLifecycle(origin: origin, finishesManually: finishing == .manual)
        lifecycle.isRemoved = removed.contains(transaction.id)
        transactions.add(
            TransactionTable.Entry(
                lifecycle: lifecycle, owner: token, hadVerifyHandler: transactions.isDoubtful(transaction.id)),
            for: token)
        transactions.identify(transaction.id, as: token)
        handle(input, for: token)
        return token
    }

    /// A payment failed. Where the same transaction was paid since, that is an old word: it ends its purchase, where that still
    /// waits, but must not have the paid one finished.
    private func receiveFailure(_ update: StoreTransactionUpdate) {
        let (transaction, error) = (update.transaction, update.error ?? .unknown())
        let key = transactions.key(of: transaction.id)
        if let token = update.token, isAwaitingPayment(token) {
            let isOld = key.map { $0 != token } ?? isWaiting(transaction.id)
            if !isOld { transactions.identify(transaction.id, as: token) }
            handle(.failed(error, isOld ? nil : transaction), for: token)
        } else if key == nil, !isWaiting(transaction.id), transactions.knowledge(of: transaction) == .new {
            begin(.failed(error, transaction), with: transaction)
        }
    }

    /// Whether a word of the transaction waits to be looked at.
    func isWaiting(_ id: StoreTransaction.ID) -> Bool {
        latecomers[id] != nil || restores.isHolding(id) || isOvertaking(id)
    }

    /// A purchase waits for approval.
    func receiveDeferral(of token: RequestToken) {
        guard let entry = transactions[token], entry.lifecycle.phase == .submitted, let order = entry.order else {
            return
        }
        handle(.deferred, for: token)
        guard purchases[token] != nil else { return forgetDeferral(of: token) }
        if backend.capabilities.tokenCarriage == .unlessDeferred { deferredPairing.add(DeferredPairing.Pending(order)) }
    }

    /// Nobody waits for the approval any more. A store that gives the token back with it will say which purchase it was.
    func forgetDeferral(of token: RequestToken) {
        if backend.capabilities.tokenCarriage == .unlessDeferred { transactions.remove(token) }
    }

    /// Another component took transactions from the queue.
    func receiveRemoval(of ids: [StoreTransaction.ID]) {
        for id in ids {
            letPaymentsGoOn(after: id)
            if isWaiting(id) { removed.insert(id) }
            if let key = transactions.key(of: id) { handle(.removed, for: key) }
        }
        publish(.transactionsRemoved(ids))
    }
}

extension StoreTransaction {
    /// Whether this is a newer word about the same transaction than another, and a different one.
    func isNews(after known: StoreTransaction) -> Bool {
        if StoreTransactionMark(known).isNewer(than: self) { return false }
        return deliveryState != known.deliveryState || storeVerification != known.storeVerification
    }

    /// The transaction, with what its purchase was started with.
    func with(_ context: PurchaseContext?) -> StoreTransaction {
        guard let context else { return self }
        var copy = self
        copy.context = context
        return copy
    }
}
