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
        // What is at hand goes before what is due: an answer that is there before the end of the wait for it.
        repeat {
            while let messages = inbox.takeAll() { for message in messages { take(message) } }
        } while doWhatIsDue(by: clock.now) || receiveOvertakers()
        visitLedger()
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
            if !removed.isEmpty { removed.subtract(updates.map(\.transaction.id)) }
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

    /// Does some work when so many seconds have passed, unless the returned timer is cancelled before.
    @discardableResult
    func startTimer(
        after interval: TimeInterval, _ work: @escaping @MainActor (StoreManager) -> Void
    ) -> TimerTable.Timer {
        let deadline = clock.now.addingTimeInterval(interval)
        defer { setAlarm(at: deadline) }
        return timers.add(at: deadline, work)
    }

    /// Does what is due by a date, in order. False: nothing was.
    @discardableResult
    private func doWhatIsDue(by date: Date) -> Bool {
        let due = timers.takeDue(by: date)
        for timer in due { timer.work?(self) }
        return !due.isEmpty
    }

    /// One task sleeps for all timers, until the first is due; that may be one that is cancelled meanwhile.
    private func setAlarm(at deadline: Date) {
        if let alarm, alarm.deadline <= deadline { return }
        alarm?.task.cancel()
        let task = Task { [clock, weak self] in
            do { try await clock.sleep(until: deadline) } catch { return }
            self?.post(.perform { $0.ring(at: deadline) })
        }
        alarm = (deadline, task)
    }

    /// The clock has reached the deadline, whatever its date is by now.
    private func ring(at deadline: Date) {
        guard alarm?.deadline == deadline else { return }
        alarm = nil
        doWhatIsDue(by: max(deadline, clock.now))
        if let next = timers.nextDeadline() { setAlarm(at: next) }
    }
}
