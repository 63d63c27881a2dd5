import Foundation

/// How the manager deals with what happens: one message after the other, each to its end.
extension StoreManager {
    /// Has a message dealt with, after everything that was posted before. Any thread may call it.
    nonisolated func post(_ message: Message) {
        guard inbox.post(message) else { return }
        Task { @MainActor [weak self] in self?.emptyInbox() }
    }

    /// Returns when everything that was posted is dealt with and no ledger, verifier or downloader is at work. Sleeping timers
    /// do not count.
    package func settle() async {
        await withCheckedContinuation { continuation in
            post(.perform { $0.settleWaiters.append(continuation) })
        }
    }

    private func emptyInbox() {
        while let message = inbox.next() { take(message) }
        startTimers()
        guard runningEffects == 0 else { return }
        let waiters = settleWaiters
        settleWaiters = []
        for waiter in waiters { waiter.resume() }
    }

    private func take(_ message: Message) {
        switch message {
        case .store(let event):
            take(event)
        case .answer(let id, let verdict):
            if let key = transactions.key(of: id) { handle(.verdict(verdict), for: key) }
        case .transaction(let key, let input):
            handle(input, for: key)
        case .effectEnded(let key, let input):
            runningEffects -= 1
            handle(input, for: key)
        case .perform(let work):
            work(self)
        }
    }

    private func take(_ event: StoreBackendEvent) {
        switch event {
        case .productsFetched(let products, let part): receiveProducts(products, for: part)
        case .productFetchFailed(let error, let part): receiveFetchFailure(error, for: part)
        case .transactionsUpdated(let updates):
            publish(.transactionsUpdated(updates.map(\.transaction)))
            receive(updates)
        case .transactionsRemoved(let ids): receiveRemoval(of: ids)
        case .transactionFinished(let id): receiveFinish(of: id)
        case .purchaseDeferred(let token): receiveDeferral(of: token)
        case .purchaseEnded(let error, let token): handle(.failed(error ?? .unknown(), nil), for: token)
        case .restoreFinished(let token): receiveEndOfList(of: token)
        case .restoreFailed(let error, let token): receiveRestoreFailure(error, of: token)
        case .entitlementsRead(let result, let token): receiveEntitlements(result, for: token)
        case .receiptRefreshed(let error, let token): receiveReceipt(error, for: token)
        case .storefrontChanged(let storefront): receiveStorefront(storefront)
        case .purchaseIntent(let intent): receiveIntent(intent)
        case .downloadsUpdated(let downloads): receiveDownloads(downloads)
        }
    }

    // MARK: Timers

    /// A timer that is started only if it is still needed when the inbox is empty: most answers come at once.
    enum Timer {
        /// Somebody was asked.
        case verdict([OpenQuestions.Asking])
        /// The store is asked to finish this transaction.
        case finish(TransactionKey)
    }

    /// How long nobody waits for a finish any more, in seconds.
    static let finishTimeout: TimeInterval = 10

    private func startTimers() {
        let timers = timersToStart
        timersToStart = []
        for timer in timers {
            switch timer {
            case .verdict(let askings):
                let open = askings.filter(questions.isOpen)
                guard !open.isEmpty else { continue }
                let timeout = verificationTimeout
                let timer = startTimer(after: timeout) { $0.giveUp(open, after: timeout) }
                if open.count == 1, let key = transactions.key(of: open[0].id) { transactions.setTimer(timer, of: key) }
            case .finish(let key):
                guard transactions[key]?.lifecycle.phase == .finishing else { continue }
                transactions.setTimer(
                    startTimer(after: Self.finishTimeout) { $0.handle(.finishTimedOut, for: key) }, of: key)
            }
        }
    }

    /// Does some work when so many seconds have passed, unless the returned task is cancelled before.
    @discardableResult
    func startTimer(
        after interval: TimeInterval, _ work: @escaping @MainActor @Sendable (StoreManager) -> Void
    ) -> Task<Void, Never> {
        let deadline = clock.now.addingTimeInterval(interval)
        return Task { [clock, weak self] in
            do { try await clock.sleep(until: deadline) } catch { return }
            if !Task.isCancelled { self?.post(.perform(work)) }
        }
    }
}
