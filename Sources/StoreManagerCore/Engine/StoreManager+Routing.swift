/// To whom a transaction belongs, when the store reports it.
extension StoreManager {
    /// Takes what the store reports of transactions.
    func receive(_ updates: [StoreTransactionUpdate]) {
        for update in updates { receive(pair(update)) }
    }

    /// Where the store knows no token, the pairings may find it.
    private func pair(_ update: StoreTransactionUpdate) -> StoreTransactionUpdate {
        guard update.token == nil else { return update }
        var paired = update
        switch backend.capabilities.tokenCarriage {
        case .always: break
        case .unlessDeferred: paired.token = deferredPairing.match(update.transaction)
        case .never: paired.token = queuePairing.match(update)
        }
        return paired
    }

    private func receive(_ update: StoreTransactionUpdate) {
        let transaction = update.transaction
        switch transaction.state {
        case .purchasing:
            break
        case .deferred:
            if let token = update.token { receiveDeferral(of: token) }
        case .failed:
            receiveFailure(update)
        case .purchased, .restored, .scheduled:
            if let token = update.token, transaction.revocationDate == nil {
                receive(transaction, for: token)
            } else {
                receiveUnasked(update)
            }
        }
    }

    private func receive(_ transaction: StoreTransaction, for token: RequestToken) {
        if token.kind == .restore {
            guard restores.isListing(token) else { return receiveUnasked(StoreTransactionUpdate(transaction)) }
            return receiveRestored(transaction, for: token)
        }
        guard let phase = transactions[token]?.lifecycle.phase, phase == .submitted || phase == .deferred else {
            return receiveUnasked(StoreTransactionUpdate(transaction))
        }
        let product = purchases[token]?.payment.product.id
        if transaction.state == .scheduled || (product != nil && product != transaction.productIdentifier) {
            handle(.scheduled(transaction.inState(.scheduled)), for: token)
        } else if let key = transactions.key(of: transaction.id), key != token {
            answer(token, with: transaction, thatIsUnderWayAs: key)
        } else {
            transactions.identify(transaction.id, as: token)
            handle(.arrived(transaction.with(purchases[token]?.payment.options.context)), for: token)
        }
    }

    /// The store answered a payment with a transaction that is here already. One that nobody has received yet is the
    /// payment's from now on; one that was handed over ends it; one that a restore is about to deliver is left to that first.
    private func answer(
        _ token: RequestToken, with transaction: StoreTransaction, thatIsUnderWayAs key: TransactionKey
    ) {
        guard let entry = transactions[key] else { return }
        if entry.lifecycle.hasBeenHandedOver {
            handle(.arrived(transaction), for: token)
        } else if entry.lifecycle.origin == .restore || purchases[entry.owner] != nil {
            latecomers[transaction.id, default: []].append(StoreTransactionUpdate(transaction, token: token))
        } else {
            transactions.remove(token)
            transactions[key]?.owner = token
            transactions[key]?.verifier = purchases[token]?.receiver
            transactions[key]?.hadVerifyHandler = purchases[token]?.receiver.hasVerifyHandler ?? false
            handle(.adopted, for: key)
        }
    }

    /// A transaction that no purchase and no restore is waiting for.
    private func receiveUnasked(_ update: StoreTransactionUpdate) {
        let transaction = update.transaction
        guard transaction.state != .scheduled else { return }
        if let key = transactions.key(of: transaction.id), let entry = transactions[key] {
            return receiveNewer(transaction, than: entry, key: key)
        }
        if restores.isListing, transaction.revocationDate == nil {
            return restores.hold(update)
        }
        begin(.arrived(transaction), with: transaction)
    }

    /// A word about a transaction that is here. The same state again says nothing; a new one is looked at when nothing is
    /// under way.
    private func receiveNewer(
        _ transaction: StoreTransaction, than entry: TransactionTable.Entry, key: TransactionKey
    ) {
        guard let known = entry.lifecycle.transaction else { return }
        let isSame =
            known.deliveryState == transaction.deliveryState && known.storeVerification == transaction.storeVerification
        if isSame { return }
        switch entry.lifecycle.phase {
        case .waitingForReceiver, .waitingForDelivery, .undecided, .stalled, .unverified:
            questions.close(transaction.id)
            handle(.arrived(transaction), for: key)
        default:
            latecomers[transaction.id, default: []].append(StoreTransactionUpdate(transaction))
        }
    }

    /// Begins the way of a transaction that nobody asked for, under a token of its own.
    func begin(_ input: TransactionLifecycle.Input, with transaction: StoreTransaction) {
        let token = makeToken(.update)
        transactions[token] = TransactionTable.Entry(
            lifecycle: TransactionLifecycle(origin: .unasked, finishesManually: finishing == .manual), owner: token)
        transactions.identify(transaction.id, as: token)
        handle(input, for: token)
    }

    private func receiveFailure(_ update: StoreTransactionUpdate) {
        let input = TransactionLifecycle.Input.failed(update.error ?? .unknown(), update.transaction)
        if let token = update.token, let phase = transactions[token]?.lifecycle.phase,
            phase == .submitted || phase == .deferred
        {
            transactions.identify(update.transaction.id, as: token)
            handle(input, for: token)
        } else if transactions.key(of: update.transaction.id) == nil,
            transactions.knowledge(of: update.transaction) == nil
        {
            begin(input, with: update.transaction)
        }
    }

    /// A purchase waits for approval.
    func receiveDeferral(of token: RequestToken) {
        guard let request = purchases[token], transactions[token]?.lifecycle.phase == .submitted else { return }
        if backend.capabilities.tokenCarriage == .unlessDeferred { deferredPairing.add(request) }
        handle(.deferred, for: token)
    }

    /// Another component took transactions from the queue.
    func receiveRemoval(of ids: [StoreTransaction.ID]) {
        for id in ids {
            letPaymentsGoOn(after: id)
            if let key = transactions.key(of: id) ?? queuePairing.token(of: id) { handle(.removed, for: key) }
        }
        publish(.transactionsRemoved(ids))
    }
}

extension StoreTransaction {
    /// The transaction, with what its purchase was started with.
    func with(_ context: PurchaseContext?) -> StoreTransaction {
        guard let context else { return self }
        var copy = self
        copy.context = context
        return copy
    }
}
