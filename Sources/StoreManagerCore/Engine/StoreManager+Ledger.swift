/// What a transaction needs of the ledger.
extension StoreManager {
    /// Finds out whether the transaction was dealt with before, in this run or in an earlier one.
    func lookUp(_ transaction: StoreTransaction, for key: TransactionKey) -> TransactionLifecycle.Input? {
        if let knowledge = transactions.knowledge(of: transaction) { return .known(knowledge) }
        guard let persistence else { return .known(.new) }
        runEffect(for: key) {
            // A ledger that cannot be read cannot be written either: that is told when the transaction is written down.
            let knowledge = try? await persistence.withLedger { ledger -> TransactionLifecycle.Knowledge in
                if ledger.isSuperseded(transaction) { return .superseded }
                return ledger.isFinished(transaction) ? .handled : .new
            }
            return .known(knowledge ?? .new)
        }
        return nil
    }

    /// Writes the transaction down.
    func persist(_ transaction: StoreTransaction, for key: TransactionKey) -> TransactionLifecycle.Input? {
        guard let persistence else { return .persisted }
        runEffect(for: key) {
            do {
                try await persistence.withLedger { $0.record(transaction) }
                return .persisted
            } catch {
                return .persistFailed(error)
            }
        }
        return nil
    }

    /// Writes down that the transaction was finished, so that it is not handed over again should the store repeat it. Where
    /// that fails nothing is lost: the store has it finished.
    func recordFinish(_ transaction: StoreTransaction) {
        note { ledger in
            ledger.markFinished(transaction)
            _ = ledger.takePendingPurchase(for: transaction)
        }
    }

    /// Strikes out a purchase that has ended: its context is not needed any more.
    func strikeOut(_ pending: PendingPurchase) {
        note { $0.removePendingPurchase(pending) }
    }

    /// Writes something down on which nothing depends.
    private func note(_ change: @escaping @Sendable (inout Ledger) -> Void) {
        guard let persistence else { return }
        runningEffects += 1
        Task { [weak self] in
            try? await persistence.withLedger(change)
            self?.post(.perform { $0.runningEffects -= 1 })
        }
    }

    /// Runs something off the main actor, and feeds its answer back.
    func runEffect(
        for key: TransactionKey, _ work: @escaping @Sendable () async -> TransactionLifecycle.Input
    ) {
        runningEffects += 1
        Task { [weak self] in
            let input = await work()
            self?.post(.effectEnded(key, input))
        }
    }
}
