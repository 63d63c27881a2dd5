extension StoreManager {
    /// Finishes a transaction, for managers whose finishing is manual: tell the store that it was dealt with, once the app has
    /// granted what was paid for. Returns at once; a store that is slow to finish holds up nobody. One that the manager has not
    /// handed over yet is not finished; finish it when it was.
    ///
    /// - Throws: `StoreError.notFinishable` for a transaction that is still purchasing or deferred; the store does not hear of it.
    public func finish(_ transaction: StoreTransaction) throws {
        switch transaction.state {
        case .purchasing, .deferred, .scheduled:
            throw StoreError.notFinishable(transaction.state)
        case .purchased, .restored, .failed:
            startObserving()
            post(.perform { $0.finishNow(transaction) })
        }
    }

    private func finishNow(_ transaction: StoreTransaction) {
        if let key = transactions.key(of: transaction.id) { return handle(.finishRequested, for: key) }
        guard !isWaiting(transaction.id) else { return }
        let isNew = transactions.knowledge(of: transaction) == .new
        // What failed was finished by the manager.
        guard isNew || transaction.state != .failed else { return }
        if isNew { transactions.settle(transaction, as: transaction.state == .failed ? .failed : .handedOver) }
        backend.finish(transaction)
        recordFinish(transaction)
    }

    /// The store finished a transaction.
    func receiveFinish(of id: StoreTransaction.ID) {
        publish(.transactionFinished(id))
        letPaymentsGoOn(after: id)
        if let key = transactions.key(of: id) { handle(.finished, for: key) }
    }

    /// The store takes too long: nobody waits any more.
    func finishTimedOut(_ id: StoreTransaction.ID, _ key: TransactionKey) {
        letPaymentsGoOn(after: id)
        handle(.finishTimedOut, for: key)
    }
}
