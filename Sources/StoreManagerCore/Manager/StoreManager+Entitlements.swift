extension StoreManager {
    /// Reads what the user is entitled to now, without any prompt, into the ledger, so that a reinstalled app knows what is
    /// owned without a restore. Done by itself at launch where there is a ledger.
    ///
    /// - Returns: what the store lists, less what the manager's verifier does not find valid.
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

    /// Asks the store for the current entitlements.
    func readEntitlements(_ reply: Reply<[StoreTransaction]>? = nil) {
        let token = makeToken(.entitlements)
        entitlementReplies[token] = reply
        backend.readCurrentEntitlements(for: token)
    }

    /// The store said what the user is entitled to, or could not.
    func receiveEntitlements(_ result: Result<[StoreTransaction], StoreError>, for token: RequestToken) {
        let reply = entitlementReplies.removeValue(forKey: token)
        runningEffects += 1
        Task { [weak self, verifier, persistence] in
            let outcome = await result.verifiedAndRecorded(by: verifier, in: persistence)
            self?.post(
                .perform { manager in
                    manager.runningEffects -= 1
                    reply?.resume(with: outcome.mapError { $0 })
                    manager.publish(StoreEvent(entitlements: outcome))
                })
        }
    }
}

extension Result<[StoreTransaction], StoreError> {
    /// What of the entitlements is genuine, once it is written down.
    fileprivate func verifiedAndRecorded(
        by verifier: (any TransactionVerifier)?, in persistence: (any TransactionPersistence)?
    ) async -> Result<[StoreTransaction], StoreError> {
        guard case .success(let listed) = self else { return self }
        var genuine: [StoreTransaction] = []
        for transaction in listed {
            if case .unverified = transaction.storeVerification { continue }
            switch await verifier?.verify(transaction) ?? .valid {
            case .valid: genuine.append(transaction)
            case .invalid, .unableToComplete: continue
            }
        }
        do {
            let entitlements = genuine
            try await persistence?.withLedger { ledger in
                for transaction in entitlements { ledger.record(transaction) }
            }
            return .success(genuine)
        } catch {
            return .failure(.persistenceFailed(underlying: error))
        }
    }
}

extension StoreEvent {
    fileprivate init(entitlements: Result<[StoreTransaction], StoreError>) {
        switch entitlements {
        case .success(let transactions): self = .entitlementsRead(transactions)
        case .failure(let error): self = .entitlementsFailed(error)
        }
    }
}
