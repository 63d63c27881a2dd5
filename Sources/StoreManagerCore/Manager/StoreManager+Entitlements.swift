import Foundation

extension StoreManager {
    // MARK: What the user is entitled to

    /// Reads what the user is entitled to now, without any prompt, into the ledger, so that a reinstalled app knows what is
    /// owned without a restore. Done by itself at launch where there is a ledger.
    ///
    /// The verifier is asked about all at once, but not about what it is being asked about already or has decided on. Those that
    /// it cannot decide on within ``verificationTimeout`` are left out for now and asked about again, with the pauses of
    /// transactions; `StoreEvent.entitlementsRead` tells of all that are genuine by then.
    ///
    /// - Returns: what the store lists, less what is not found valid, or not yet.
    /// - Throws: `StoreError`, or `CancellationError` when the task is cancelled.
    @discardableResult
    public func refreshEntitlements() async throws -> [StoreTransaction] {
        try Task.checkCancellation()
        startObserving()
        let reply = Reply<[StoreTransaction]>()
        readEntitlements(reply)
        return try await withTaskCancellationHandler {
            try await reply.value
        } onCancel: {
            reply.resume(with: .failure(CancellationError()))
        }
    }

    // MARK: How it is done

    /// Asks the store for the current entitlements.
    func readEntitlements(_ reply: Reply<[StoreTransaction]>? = nil) {
        let token = makeToken(.entitlements)
        entitlementReplies[token] = reply
        backend.readCurrentEntitlements(for: token)
    }

    /// The store said what the user is entitled to, or could not.
    func receiveEntitlements(_ result: Result<[StoreTransaction], StoreError>, for token: RequestToken) {
        let reply = entitlementReplies.removeValue(forKey: token)
        switch result {
        case .success(let listed):
            // A newer list takes the place of those that only wait to be looked at again.
            for (earlier, reading) in entitlementReadings where !reading.isWaiting { forgetReading(earlier) }
            entitlementReadings[token] = EntitlementReading(listed, reply: reply)
            beginRound(of: token)
        case .failure(let error):
            reply?.resume(with: .failure(error))
            publish(.entitlementsFailed(error))
        }
    }

    /// Asks again about all that nobody could decide on.
    func retryEntitlements() {
        for (token, reading) in entitlementReadings where !reading.isWaiting { beginRound(of: token) }
    }

    /// Somebody found out whether a transaction is genuine.
    func receiveEntitlementVerdict(_ verdict: VerificationVerdict, on id: StoreTransaction.ID) {
        for token in Array(entitlementReadings.keys)
        where entitlementReadings[token]?.receive(verdict, on: id) == true {
            // One that comes between two rounds is a late yes, or the transaction's own.
            endRoundIfDecided(of: token)
        }
    }

    private func beginRound(of token: RequestToken) {
        guard let undecided = entitlementReadings[token]?.transactions({ $0 == .undecided }) else { return }
        let timeout = verificationTimeout
        entitlementReadings[token]?.timer?.cancel()
        entitlementReadings[token]?.timer = startTimer(after: timeout) { $0.giveUp(token, after: timeout) }
        // Nobody answers before this turn is over.
        for transaction in undecided {
            entitlementReadings[token]?.set(standing(of: transaction), of: transaction.id)
        }
        endRoundIfDecided(of: token)
    }

    /// What is known of a transaction that is listed; the verifier is asked where nobody knows.
    private func standing(of transaction: StoreTransaction) -> EntitlementReading.Standing {
        if case .unverified = transaction.storeVerification { return .refused }
        switch transactions.knowledge(of: transaction) {
        case .handled: return .genuine
        case .superseded, .refused: return .refused
        case .new: break
        }
        let entry = transactions.key(of: transaction.id).flatMap { transactions[$0] }
        if entry?.lifecycle.isFoundValid == true { return .genuine }
        // A transaction's own verdict counts for its entitlement too.
        if entry?.lifecycle.isBeingVerified == true { return .asked }
        guard verifier != nil else {
            let needsYes = entry?.hadVerifyHandler ?? transactions.isDoubtful(transaction.id)
            return needsYes ? .undecided : .genuine
        }
        switch askVerifier(.init(transaction: transaction, isForEntitlements: true)) {
        case .valid: return .genuine
        case .invalid: return .refused
        case .unableToComplete, nil: return .asked
        }
    }

    /// The answers did not come in time.
    private func giveUp(_ token: RequestToken, after seconds: TimeInterval) {
        for transaction in entitlementReadings[token]?.transactions({ $0 == .asked }) ?? [] {
            verifierTable.giveUp(transaction.id)
            entitlementReadings[token]?.set(.undecided, of: transaction.id)
        }
        endRound(of: token)
    }

    private func endRoundIfDecided(of token: RequestToken) {
        if entitlementReadings[token]?.isWaiting == false { endRound(of: token) }
    }

    /// All verdicts of a round are in: what is genuine is written down, what is undecided is asked about again later.
    private func endRound(of token: RequestToken) {
        guard var reading = entitlementReadings[token] else { return }
        let genuine = reading.transactions { $0 == .genuine }
        let isNews = reading.rounds == 0 || !genuine.isEmpty
        for transaction in genuine { reading.set(.recorded, of: transaction.id) }
        reading.timer?.cancel()
        let reply = reading.takeReply()
        let pause = Self.retryPause(after: reading.rounds)
        reading.rounds += 1
        if reading.transactions({ $0 == .undecided }).isEmpty {
            entitlementReadings[token] = nil
        } else {
            reading.timer = startTimer(after: pause) { $0.beginRound(of: token) }
            entitlementReadings[token] = reading
        }
        guard isNews else { return }
        let all = reading.transactions { $0 == .recorded }
        writeDown(entitlements: genuine) { manager, error in
            if let error {
                let failure = StoreError.persistenceFailed(underlying: error)
                manager.forgetReading(token)
                reply?.resume(with: .failure(failure))
                manager.publish(.entitlementsFailed(failure))
            } else {
                reply?.resume(with: .success(all))
                manager.publish(.entitlementsRead(all))
            }
        }
    }

    private func forgetReading(_ token: RequestToken) {
        entitlementReadings.removeValue(forKey: token)?.timer?.cancel()
    }
}

extension TransactionLifecycle {
    /// Whether somebody found it to be genuine, so that it is written down or about to be.
    fileprivate var isFoundValid: Bool {
        switch phase {
        case .persisting, .downloading, .stalled, .delivering, .waitingForDelivery, .awaitingFinish, .finishing: true
        case .gathered: outcome?.isSuccess == true
        case .submitted, .deferred, .lookingUp, .unread, .waitingForReceiver, .verifying, .undecided, .unverified,
            .done:
            false
        }
    }

    /// Whether somebody is asked about it, or will be asked again.
    fileprivate var isBeingVerified: Bool { phase == .verifying || phase == .undecided }
}
