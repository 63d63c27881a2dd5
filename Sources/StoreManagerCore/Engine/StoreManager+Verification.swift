import Foundation

extension StoreManager {
    // MARK: Answering

    /// Answers whether a transaction is genuine: true is `.valid`, false `.invalid`. Say `.unableToComplete` by the other form
    /// where you cannot tell.
    ///
    /// May be called from any thread, from inside a verify handler or much later; at most one answer counts.
    ///
    /// - Returns: whether the answer counted. It does not if nobody asked, if somebody answered before, or if the question was
    ///   given up after ``verificationTimeout`` and the answer is not a yes.
    @discardableResult
    public nonisolated func transaction(_ transaction: StoreTransaction, didVerify isValid: Bool) -> Bool {
        self.transaction(transaction, didVerify: isValid ? .valid : .invalid(reason: "the verify handler refused it"))
    }

    /// Answers whether a transaction is genuine. See ``transaction(_:didVerify:)-(_,Bool)`` for threads and the result.
    @discardableResult
    public nonisolated func transaction(_ transaction: StoreTransaction, didVerify verdict: VerificationVerdict) -> Bool
    {
        guard questions.answer(transaction.id, verdict) else { return false }
        post(.answer(transaction.id, verdict))
        return true
    }

    /// What a delegate's `needsVerification` does by default: has the manager's verifier asked. A delegate that implements the
    /// method itself may call this for the transactions that it has no opinion on.
    public func verifyByDefault(_ transactions: [StoreTransaction]) {
        // Inside an asking the engine goes on to the verifier by itself, as soon as the delegate returned.
        if isAsking {
            askedSomebody = false
            return
        }
        for transaction in transactions { askVerifier(about: transaction, hadVerifyHandler: false) }
    }

    /// Asks again about all transactions that nobody could decide on, or that could not be saved or fetched, without waiting
    /// for the next of the growing pauses.
    public func retryPendingVerifications() {
        startObserving()
        post(
            .perform { manager in
                for key in manager.transactions.keys(in: [.undecided, .stalled]) {
                    manager.transactions.setTimer(nil, of: key)
                    manager.handle(.retry, for: key)
                }
            })
    }

    // MARK: Asking

    /// Asks about one transaction: its request's own handler or delegate, else the default receiver's where that is the one to
    /// receive it, else the verifier.
    func verify(_ transaction: StoreTransaction, for key: TransactionKey) -> TransactionLifecycle.Input? {
        guard let entry = transactions[key], hasReceiver(for: entry.owner) else { return .noReceiver }
        transactions.setTimer(startVerdictTimer([questions.open(transaction.id)]), of: key)
        var receivers = [entry.verifier].compactMap { $0 }
        if purchases[entry.owner]?.receiver.canReceiveSuccess != true, let defaultReceiver {
            receivers.append(defaultReceiver)
        }
        let wasAsked = receivers.contains { receiver in
            ask { receiver.ask(about: transaction, for: entry.owner, from: self) }
        }
        if !wasAsked { askVerifier(about: transaction, hadVerifyHandler: entry.hadVerifyHandler) }
        return nil
    }

    /// Asks about all transactions of a restore together: the first of its requests that has somebody to ask, else the
    /// verifier.
    func verify(_ transactions: [StoreTransaction], restoredBy requests: [RestoreRequest]) {
        startVerdictTimer(transactions.map { questions.open($0.id) })
        let wasAsked = requests.contains { request in
            ask { request.receiver.ask(about: transactions, for: request.token, from: self) }
        }
        guard !wasAsked else { return }
        for transaction in transactions { askVerifier(about: transaction, hadVerifyHandler: false) }
    }

    /// Whether somebody took the question. A delegate that has no method of its own did not.
    private func ask(_ question: () -> Bool) -> Bool {
        isAsking = true
        askedSomebody = true
        let hasAnybody = question()
        isAsking = false
        return hasAnybody && askedSomebody
    }

    /// Asks the verifier. Where there is none the transaction counts as valid, unless there once was somebody to ask.
    private func askVerifier(about transaction: StoreTransaction, hadVerifyHandler: Bool) {
        guard let verifier else {
            self.transaction(
                transaction, didVerify: hadVerifyHandler ? .unableToComplete(VerifierIsGone()) : .valid)
            return
        }
        runningEffects += 1
        Task { [weak self] in
            let verdict = await verifier.verify(transaction)
            self?.transaction(transaction, didVerify: verdict)
            self?.post(.perform { $0.runningEffects -= 1 })
        }
    }

    @discardableResult
    private func startVerdictTimer(_ askings: [OpenQuestions.Asking]) -> TimerTable.Timer {
        let timeout = verificationTimeout
        return startTimer(after: timeout) { $0.giveUp(askings, after: timeout) }
    }

    /// The answer did not come in time. A late yes still counts.
    private func giveUp(_ askings: [OpenQuestions.Asking], after seconds: TimeInterval) {
        for asking in askings where questions.lapse(asking) {
            guard let key = transactions.key(of: asking.id) else { continue }
            handle(.verdict(.unableToComplete(StoreError.timedOut(after: seconds))), for: key)
        }
    }
}

/// Why a transaction whose verify handler was detached does not count as valid.
private struct VerifierIsGone: Error, LocalizedError {
    var errorDescription: String? { "The verify handler of the purchase was detached, and there is no other verifier." }
}
