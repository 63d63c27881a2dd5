import Foundation

/// How one transaction is taken along its way: what happened goes into its lifecycle, and what comes out is done here.
extension StoreManager {
    /// Puts what happened into a transaction's lifecycle and does what comes out, and what comes of that.
    func handle(_ input: TransactionLifecycle.Input, for key: TransactionKey) {
        var inputs = [input]
        while !inputs.isEmpty {
            let input = inputs.removeFirst()
            guard var lifecycle = transactions[key]?.lifecycle else { return }
            let effects = lifecycle.handle(input)
            transactions[key]?.lifecycle = lifecycle
            if case .verdict = input { transactions.setTimer(nil, of: key) }
            for effect in effects {
                if let gate = effectGate, !gate(effect) { return stop() }
                if let answer = perform(effect, for: key) { inputs.append(answer) }
            }
        }
    }

    /// Does one thing; returns the answer where it is there at once.
    private func perform(
        _ effect: TransactionLifecycle.Effect, for key: TransactionKey
    ) -> TransactionLifecycle.Input? {
        switch effect {
        case .announceDeferral:
            announceDeferral(of: key)
            return nil
        case .lookUp(let transaction):
            return lookUp(transaction, for: key)
        case .verify(let transaction):
            return verify(transaction, for: key)
        case .persist(let transaction):
            return persist(transaction, for: key)
        case .download(let transaction):
            return download(transaction, for: key)
        case .settle(let settlement):
            settle(settlement)
            return nil
        case .deliver(let outcome):
            return deliver(outcome, for: key)
        case .finish(let transaction):
            finish(transaction, for: key)
            return nil
        case .recordFinish(let transaction):
            letPaymentsGoOn(after: transaction.id)
            recordFinish(transaction)
            return nil
        case .scheduleRetry:
            scheduleRetry(of: key)
            return nil
        case .reportWaiting(let transaction):
            publish(.transactionWaiting(transaction, token: owner(of: key)))
            return nil
        case .publish(let outcome):
            publish(StoreEvent(outcome, token: owner(of: key)))
            return nil
        case .end:
            end(key)
            return nil
        }
    }

    /// How long nobody waits for a finish any more, in seconds.
    static let finishTimeout: TimeInterval = 10

    private func finish(_ transaction: StoreTransaction, for key: TransactionKey) {
        transactions.settle(transaction)
        gate.close(for: transaction)
        transactions.setTimer(startTimer(after: Self.finishTimeout) { $0.handle(.finishTimedOut, for: key) }, of: key)
        backend.finish(transaction)
    }

    /// The request that a transaction answers, or the token under which it came.
    func owner(of key: TransactionKey) -> RequestToken { transactions[key]?.owner ?? key }

    /// Ends a transaction's way. What the store said of it meanwhile is looked at now.
    private func end(_ key: TransactionKey) {
        let id = transactions[key]?.lifecycle.transaction?.id
        purchases[owner(of: key)] = nil
        if let pending = transactions[key]?.pending { strikeOut(pending) }
        transactions.remove(key)
        guard let id else { return }
        questions.close(id)
        if let updates = latecomers.removeValue(forKey: id) { receive(updates) }
    }

    /// Nothing is done any more, as if the process had ended.
    private func stop() {
        effectGate = { _ in false }
        backend.stopObserving()
        transactions = TransactionTable()
        purchases = [:]
    }

    // MARK: Handing over

    /// Hands an outcome to its request, else to the default receiver. The request leaves the table before its handler is
    /// called, so that a handler may do whatever it likes.
    private func deliver(_ outcome: TransactionOutcome, for key: TransactionKey) -> TransactionLifecycle.Input? {
        let owner = owner(of: key)
        follow(outcome)
        let request = purchases.removeValue(forKey: owner)
        if outcome.isSuccess, let transaction = transactions[key]?.lifecycle.transaction {
            gate.close(for: transaction)
        }
        let isDelivered =
            request?.receiver.receive(outcome, for: owner, from: self) == true
            || defaultReceiver?.receive(outcome, for: owner, from: self) == true
        guard let transaction = transactions[key]?.lifecycle.transaction else { return nil }
        guard isDelivered else {
            letPaymentsGoOn(after: transaction.id)
            return .noReceiver
        }
        if outcome.isSuccess || outcome.isRevocation { transactions.settle(transaction) }
        return .delivered
    }

    /// Who receives what no live request owns.
    var defaultReceiver: PurchaseReceiver? {
        if let defaultDelegate { return .delegate(WeakPurchaseDelegate(object: defaultDelegate)) }
        return defaultHandlers.map(PurchaseReceiver.handlers)
    }

    /// Whether somebody would receive a success of this transaction now: its own request, or else the default receiver.
    func hasReceiver(for owner: RequestToken) -> Bool {
        purchases[owner]?.receiver.canReceiveSuccess == true || defaultReceiver?.canReceiveSuccess == true
    }

    /// A default receiver was set: whatever waits for one goes on, in the order in which it came.
    func receiverAppeared() {
        guard defaultReceiver != nil else { return }
        post(
            .perform { manager in
                for key in manager.transactions.keys(in: [.waitingForReceiver, .waitingForDelivery]) {
                    manager.handle(.receiverAppeared, for: key)
                }
                manager.offerHeldIntents()
            })
    }

    private func announceDeferral(of key: TransactionKey) {
        guard let request = purchases[owner(of: key)] else { return }
        let token = owner(of: key)
        request.receiver.announceDeferral(of: token, from: self)
        publish(.purchaseDeferred(productIdentifier: request.payment.product.id, token: token))
    }

    // MARK: Trying again

    /// The first pause before a transaction is asked about again, and the longest, in seconds.
    static let retryPauses = (first: 2.0, longest: 300.0)

    private func scheduleRetry(of key: TransactionKey) {
        guard let retries = transactions[key]?.retries else { return }
        transactions[key]?.retries += 1
        var pause = Self.retryPauses.first
        for _ in 0..<retries where pause < Self.retryPauses.longest { pause *= 2 }
        let timer = startTimer(after: min(pause, Self.retryPauses.longest)) { $0.handle(.retry, for: key) }
        transactions.setTimer(timer, of: key)
    }
}

extension StoreEvent {
    /// The event that tells of an outcome.
    init(_ outcome: TransactionOutcome, token: RequestToken) {
        switch outcome {
        case .purchased(let transaction): self = .purchased(transaction, token: token)
        case .restored(let transaction): self = .restored(transaction, token: token)
        case .scheduled(let transaction): self = .scheduled(transaction, token: token)
        case .failed(let transaction, let error): self = .purchaseFailed(transaction, error, token: token)
        case .cancelled(let transaction, _): self = .purchaseCancelled(transaction, token: token)
        case .revoked(let transaction): self = .revoked(transaction, token: token)
        }
    }
}
