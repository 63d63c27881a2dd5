import Foundation

/// How one transaction is taken along its way: what happened goes into its lifecycle, and what comes out is done here.
extension StoreManager {
    /// Puts what happened into a transaction's lifecycle and does what comes out, and what comes of that.
    func handle(_ input: TransactionLifecycle.Input, for key: TransactionKey) {
        guard let entry = transactions[key] else { return }
        var next: TransactionLifecycle.Input? = input
        var later: [TransactionLifecycle.Input] = []
        while let input = next {
            let isUnanswered = entry.lifecycle.phase == .submitted
            let effects = entry.lifecycle.handle(input)
            if isUnanswered, entry.lifecycle.phase != .submitted { unanswered.remove(key) }
            if case .verdict(let verdict) = input {
                entry.timer = nil
                if !entitlementReadings.isEmpty, let id = entry.lifecycle.transaction?.id {
                    receiveEntitlementVerdict(verdict, on: id)
                }
                if verdict.isFinal { transactions.setVerifier(nil, of: key) }
            }
            for effect in effects {
                effectProbe?(effect, .before)
                if let answer = perform(effect, for: key) { later.append(answer) }
                effectProbe?(effect, .after)
            }
            if later.isEmpty { break }
            // What has ended takes no more.
            guard transactions[key] === entry else { return }
            next = later.removeFirst()
        }
        guard transactions[key] === entry, let id = entry.lifecycle.transaction?.id else { return }
        if entry.lifecycle.isResting {
            lookAround(id)
        } else if latecomers[id]?.contains(where: { entry.lifecycle.isOpen(to: $0.transaction) }) == true {
            receiveLatecomers(id)
        }
    }

    /// A transaction has come to rest or to its end: what the store said of it meanwhile is looked at now, and what a restore
    /// wants of it.
    private func lookAround(_ id: StoreTransaction.ID) {
        receiveLatecomers(id)
        restoreIfListed(id)
    }

    private func receiveLatecomers(_ id: StoreTransaction.ID) {
        if let updates = latecomers.removeValue(forKey: id) { receiveLate(updates) }
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
        case .cancelDownload:
            cancelDownload(of: key)
            return nil
        case .settle(let settlement):
            settle(settlement)
            return nil
        case .deliver(let outcome):
            return deliver(outcome, for: key)
        case .finish(let transaction):
            return finish(transaction, for: key)
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
            publish(StoreEvent(outcome, ofProduct: transactions[key]?.order?.payment.product.id, token: owner(of: key)))
            return nil
        case .end:
            end(key)
            return nil
        }
    }

    /// How long nobody waits for a finish any more, in seconds.
    static let finishTimeout: TimeInterval = 10

    /// Tells the store that a transaction was dealt with. The store knows one finish for all states of it, so where a newer word
    /// waits this state has come to its end without, and the store is told after that word.
    private func finish(_ transaction: StoreTransaction, for key: TransactionKey) -> TransactionLifecycle.Input? {
        if latecomers[transaction.id]?.contains(where: { $0.transaction.isNews(after: transaction) }) == true {
            return .finished
        }
        // The store does not replay a payment that failed, so nobody waits for that.
        if transaction.state != .failed {
            gate.close(for: transaction)
            let timer = startTimer(after: Self.finishTimeout) { $0.finishTimedOut(transaction.id, key) }
            if let entry = transactions[key], entry.lifecycle.phase == .finishing { entry.timer = timer }
        }
        backend.finish(transaction)
        return nil
    }

    /// The request that a transaction answers, or the token under which it came.
    func owner(of key: TransactionKey) -> RequestToken { transactions[key]?.owner ?? key }

    /// Ends a transaction's way.
    func end(_ key: TransactionKey) {
        guard let entry = transactions[key] else { return }
        purchases[entry.owner] = nil
        unanswered.remove(entry.owner)
        deferredPairing.remove(entry.owner)
        if backend.capabilities.tokenCarriage == .never, let payment = entry.order?.payment {
            queuePairing.remove(payment)
        }
        forgetContext(of: entry)
        transactions.remove(key)
        // A purchase may end with a transaction that is under way on its own.
        guard let transaction = entry.lifecycle.transaction, transactions.key(of: transaction.id) == nil else { return }
        let isRefused = entry.lifecycle.isRefused
        if isRefused { transactions.settle(transaction, as: .refused) }
        if entry.lifecycle.outcome?.isSuccess == true {
            transactions.doubt(transaction.id, false)
        } else if isRefused || entry.hadVerifyHandler {
            transactions.doubt(transaction.id, true)
        }
        if transaction.state == .failed { transactions.settle(transaction, as: .failed) }
        questions.close(transaction.id)
        lookAround(transaction.id)
    }

    // MARK: Handing over

    /// Hands an outcome to its request, else to the default receiver. The request leaves the table before its handler is
    /// called, so that a handler may do whatever it likes.
    private func deliver(_ outcome: TransactionOutcome, for key: TransactionKey) -> TransactionLifecycle.Input? {
        let owner = owner(of: key)
        var receiver = purchases.removeValue(forKey: owner)
        if outcome.isWithdrawal, let transaction = transactions[key]?.lifecycle.transaction {
            // Its purchase, where it still waits, has failed with that; the refund is the default receiver's to hear of.
            let reason =
                outcome.isForNobody ? "a better plan has taken its place" : "the store has taken the purchase back"
            _ = receiver?.receive(
                .failed(transaction, .verificationFailed(reason: reason)), for: owner, from: self)
            receiver = nil
        }
        if outcome.isSuccess, let transaction = transactions[key]?.lifecycle.transaction {
            gate.close(for: transaction)
        }
        let isDelivered =
            outcome.isForNobody || receiver?.receive(outcome, for: owner, from: self) == true
            || defaultReceiver?.receive(outcome, for: owner, from: self) == true
        if isDelivered || !outcome.isSuccess { follow(outcome) }
        guard let transaction = transactions[key]?.lifecycle.transaction else { return nil }
        // A revocation is written down by now, so that a reversal is news even before somebody has heard of it.
        if outcome.isWithdrawal || (outcome.isSuccess && isDelivered) {
            transactions.settle(transaction, as: .handedOver)
        }
        if isDelivered { return .delivered }
        if outcome.isSuccess { letPaymentsGoOn(after: transaction.id) }
        return .noReceiver
    }

    /// Who receives what no live request owns.
    var defaultReceiver: PurchaseReceiver? {
        if let defaultDelegate { return .delegate(WeakPurchaseDelegate(object: defaultDelegate)) }
        return defaultHandlers.map(PurchaseReceiver.handlers)
    }

    /// Whether somebody would receive a success of this transaction now: its own request, or else the default receiver.
    func hasReceiver(for owner: RequestToken) -> Bool {
        purchases[owner]?.canReceiveSuccess == true || defaultReceiver?.canReceiveSuccess == true
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
        guard let receiver = purchases[key], let order = transactions[key]?.order else { return }
        receiver.announceDeferral(of: key, from: self)
        publish(.purchaseDeferred(productIdentifier: order.payment.product.id, token: key))
    }

    // MARK: Trying again

    /// The first pause before a transaction is asked about again, and the longest, in seconds.
    static let retryPauses = (first: 2.0, longest: 300.0)

    private func scheduleRetry(of key: TransactionKey) {
        guard let entry = transactions[key] else { return }
        entry.timer = startTimer(after: Self.retryPause(after: entry.retries)) { $0.handle(.retry, for: key) }
        entry.retries += 1
    }

    /// The pause before the next try, after so many.
    static func retryPause(after retries: Int) -> TimeInterval {
        min(retryPauses.first * pow(2, Double(min(retries, 16))), retryPauses.longest)
    }
}

extension StoreEvent {
    /// The event that tells of an outcome.
    ///
    /// - Parameter productIdentifier: what was asked for, where anything was.
    init(_ outcome: TransactionOutcome, ofProduct productIdentifier: String?, token: RequestToken) {
        switch outcome {
        case .purchased(let transaction): self = .purchased(transaction, token: token)
        case .restored(let transaction): self = .restored(transaction, token: token)
        case .scheduled(let transaction): self = .scheduled(transaction, token: token)
        case .failed(let transaction, let error):
            let product = transaction?.productIdentifier ?? productIdentifier
            self = .purchaseFailed(transaction, error, productIdentifier: product, token: token)
        case .cancelled(let transaction, _):
            let product = transaction?.productIdentifier ?? productIdentifier
            self = .purchaseCancelled(transaction, productIdentifier: product, token: token)
        case .revoked(let transaction): self = .revoked(transaction, token: token)
        case .upgraded(let transaction): self = .upgraded(transaction, token: token)
        }
    }
}
