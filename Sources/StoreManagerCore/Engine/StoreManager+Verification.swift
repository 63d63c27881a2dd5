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
        answer(transaction, verdict)
    }

    private nonisolated func answer(
        _ transaction: StoreTransaction, _ verdict: VerificationVerdict, to asking: OpenQuestions.Asking? = nil
    ) -> Bool {
        guard questions.answer(transaction.id, verdict, to: asking) else { return false }
        post(.answer(transaction.id, verdict))
        return true
    }

    /// What a delegate's `needsVerification` does by default: has the manager's verifier asked. A delegate that implements the
    /// method itself may call this for the transactions that it has no opinion on.
    public func verifyByDefault(_ transactions: [StoreTransaction]) {
        // Inside an asking the engine goes on to whoever is next by itself, as soon as the delegate returned.
        guard passedOn == nil else {
            passedOn?.formUnion(transactions.map(\.id))
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
                for key in manager.transactions.keys(in: [.unread, .undecided, .stalled]) {
                    manager.handle(.retry, for: key)
                }
                manager.retryEntitlements()
            })
    }

    // MARK: Asking

    /// Asks about one transaction: its request's own handler or delegate, else the default receiver's where that is the one to
    /// receive it, else the verifier.
    func verify(_ transaction: StoreTransaction, for key: TransactionKey) -> TransactionLifecycle.Input? {
        guard let entry = transactions[key], hasReceiver(for: entry.owner) else { return .noReceiver }
        entry.timer = startVerdictTimer([questions.open(transaction.id)])
        var verifiers = [entry.verifier].compactMap { $0 }
        if purchases[entry.owner]?.canReceiveSuccess != true, let defaultReceiver {
            verifiers.append(TransactionTable.Verifier(token: entry.owner, receiver: defaultReceiver))
        }
        askFirst(of: verifiers, about: transaction, for: key)
        return nil
    }

    /// Asks about transactions that a restore lists: the first of its requests that has somebody to ask about all together,
    /// else whoever was asked about one of them before, else the verifier.
    func verify(_ keys: [TransactionKey], listedAs listing: RequestToken) {
        let hadVerifyHandler = restores.hadVerifyHandler(listing)
        let listed: [StoreTransaction] = keys.compactMap { key in
            if hadVerifyHandler { transactions[key]?.hadVerifyHandler = true }
            return transactions[key]?.lifecycle.transaction
        }
        guard !listed.isEmpty else { return }
        startVerdictTimer(listed.map { questions.open($0.id) })
        var unasked = listed
        for (token, receiver) in restores.requests(of: listing) where !unasked.isEmpty {
            let passedOn = ask(unasked) { receiver.ask(about: $0, for: token, from: self) }
            keepVerifier(of: receiver, token, for: unasked, except: passedOn)
            unasked = passedOn
        }
        for transaction in unasked {
            guard let key = transactions.key(of: transaction.id), let entry = transactions[key] else { continue }
            if let verifier = entry.verifier {
                askFirst(of: [verifier], about: transaction, for: key)
            } else {
                askVerifier(about: transaction, hadVerifyHandler: entry.hadVerifyHandler)
            }
        }
    }

    /// Asks whoever takes the question first, else the verifier.
    private func askFirst(
        of verifiers: [TransactionTable.Verifier], about transaction: StoreTransaction, for key: TransactionKey
    ) {
        guard let entry = transactions[key] else { return }
        let wasAsked = verifiers.contains { verifier in
            ask([transaction]) { _ in verifier.receiver.ask(about: transaction, for: verifier.token, from: self) }
                .isEmpty
        }
        if wasAsked {
            transactions[key]?.hadVerifyHandler = true
        } else {
            askVerifier(about: transaction, hadVerifyHandler: entry.hadVerifyHandler)
        }
    }

    /// Whoever of a restore took the question is asked again, should no verdict be final before the restore ends.
    private func keepVerifier(
        of receiver: RestoreReceiver, _ token: RequestToken, for asked: [StoreTransaction],
        except passedOn: [StoreTransaction]
    ) {
        guard restores.isPending(token), let verifier = receiver.verifier(for: token, of: self) else { return }
        let exceptions = Set(passedOn.map(\.id))
        for id in asked.map(\.id) where !exceptions.contains(id) {
            guard let key = transactions.key(of: id) else { continue }
            transactions.setVerifier(TransactionTable.Verifier(token: token, receiver: verifier), of: key)
            transactions[key]?.hadVerifyHandler = true
        }
    }

    /// Asks somebody about transactions. Returns those that nobody took: all, where there is nobody to ask, and what a delegate
    /// passed on, as one that has no method of its own does with all.
    private func ask(
        _ transactions: [StoreTransaction], _ question: ([StoreTransaction]) -> Bool
    ) -> [StoreTransaction] {
        passedOn = []
        let hasAnybody = question(transactions)
        let passedOn = passedOn ?? []
        self.passedOn = nil
        return hasAnybody ? transactions.filter { passedOn.contains($0.id) } : transactions
    }

    /// Asks the verifier. Where there is none the transaction counts as valid, unless there once was somebody to ask. An answer
    /// that comes when the question has been asked again is none to the new one, unless it is a yes.
    private func askVerifier(about transaction: StoreTransaction, hadVerifyHandler: Bool) {
        guard verifier != nil else {
            self.transaction(
                transaction, didVerify: hadVerifyHandler ? .unableToComplete(VerifierIsGone()) : .valid)
            return
        }
        if let verdict = askVerifier(.init(transaction: transaction, question: questions.asking(about: transaction.id)))
        {
            self.transaction(transaction, didVerify: verdict)
        }
    }

    /// Asks the verifier, unless it is being asked already. Returns its verdict where it has given one that stands.
    func askVerifier(_ asking: VerifierTable.Asking) -> VerificationVerdict? {
        let transaction = asking.transaction
        // A restore asks about everything anew.
        let isRestored = transactions.key(of: transaction.id).map { transactions[$0]?.lifecycle.origin == .restore }
        if isRestored != true, let verdict = verifierTable.verdict(on: transaction) { return verdict }
        guard let verifier, let number = verifierTable.ask(asking) else { return nil }
        runningEffects += 1
        Task { [weak self] in
            let verdict = await verifier.verify(transaction)
            self?.post(.perform { $0.receiveVerdict(verdict, number) })
        }
        return nil
    }

    /// The verifier answered.
    private func receiveVerdict(_ verdict: VerificationVerdict, _ number: Int) {
        runningEffects -= 1
        guard let asking = verifierTable.answer(number, verdict) else { return }
        if let question = asking.question { _ = answer(asking.transaction, verdict, to: question) }
        if asking.isForEntitlements { receiveEntitlementVerdict(verdict, on: asking.transaction.id) }
    }

    @discardableResult
    private func startVerdictTimer(_ askings: [OpenQuestions.Asking]) -> TimerTable.Timer {
        let timeout = verificationTimeout
        return startTimer(after: timeout) { $0.giveUp(askings, after: timeout) }
    }

    /// The answer did not come in time. A late yes still counts.
    private func giveUp(_ askings: [OpenQuestions.Asking], after seconds: TimeInterval) {
        for asking in askings where questions.lapse(asking) {
            verifierTable.giveUp(asking.id)
            guard let key = transactions.key(of: asking.id) else { continue }
            handle(.verdict(.unableToComplete(StoreError.timedOut(after: seconds))), for: key)
        }
    }
}

/// Why a transaction whose verify handler was detached does not count as valid.
private struct VerifierIsGone: Error, LocalizedError {
    var errorDescription: String? { "The verify handler of the purchase was detached, and there is no other verifier." }
}
