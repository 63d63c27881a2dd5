import Foundation

/// What a transaction needs of the ledger.
extension StoreManager {
    /// Finds out whether the transaction was dealt with before, in this run or in an earlier one, and what its purchase was
    /// started with where that was an earlier one.
    func lookUp(_ transaction: StoreTransaction, for key: TransactionKey) -> TransactionLifecycle.Input? {
        let knowledge = transactions.knowledge(of: transaction)
        guard knowledge == .new else {
            // The date of its signature may be a newer one.
            if knowledge == .handled { transactions.settle(transaction, as: .handedOver) }
            return .known(knowledge)
        }
        // What answers a purchase has that one's context or none, and must not get that of one that nobody went on with.
        let isUnasked = transactions[key]?.order == nil
        guard persistence != nil else {
            let pending = isUnasked ? interrupted.takePendingPurchase(for: transaction) : nil
            if let pending { handle(.contextFound(pending.context), for: key) }
            return .known(.new)
        }
        goToLedger(
            toRead: { ledger in
                let knowledge = ledger.knowledge(of: transaction)
                let pending = isUnasked && knowledge == .new ? ledger.pendingPurchase(for: transaction) : nil
                return .perform { $0.lookedUp(knowledge, pending, for: key) }
            },
            orElse: { .transaction(key, .lookUpFailed($0)) })
        return nil
    }

    /// Finds out of transactions that a restore lists what an earlier run knew of them, in one visit. This run knows nothing
    /// that would keep them from being restored.
    func lookUp(
        _ listed: [(TransactionKey, StoreTransaction)],
        then next:
            @escaping @MainActor @Sendable (
                StoreManager, [(key: TransactionKey, answer: TransactionLifecycle.Input)]
            ) -> Void
    ) {
        guard persistence != nil else { return next(self, listed.map { ($0.0, .known(.new)) }) }
        goToLedger(
            toRead: { ledger in
                let answers = listed.map { key, transaction in
                    (key, TransactionLifecycle.Input.known(ledger.knowledge(of: transaction)))
                }
                return .perform { next($0, answers) }
            },
            orElse: { error in .perform { next($0, listed.map { ($0.0, .lookUpFailed(error)) }) } })
    }

    private func lookedUp(
        _ knowledge: TransactionLifecycle.Knowledge, _ pending: PendingPurchase?, for key: TransactionKey
    ) {
        // What another purchase of this run was started with is that one's, which knows it by its token.
        if let pending, !transactions.entries.contains(where: { $0.key != key && $0.value.pending == pending }) {
            transactions[key]?.pending = pending
            handle(.contextFound(pending.context), for: key)
        }
        handle(.known(knowledge), for: key)
    }

    /// Writes the transaction down.
    func persist(_ transaction: StoreTransaction, for key: TransactionKey) -> TransactionLifecycle.Input? {
        guard persistence != nil else { return .persisted }
        goToLedger(
            toWrite: { ledger in
                ledger.record(transaction)
                return .transaction(key, .persisted)
            },
            orElse: { .transaction(key, .persistFailed($0)) })
        return nil
    }

    /// Writes down that the transaction was finished, so that it is not handed over again should the store repeat it. Where
    /// that fails nothing is lost: the store has it finished.
    func recordFinish(_ transaction: StoreTransaction) {
        note { $0.markFinished(transaction) }
    }

    /// Writes down what a purchase is started with, and then has `next` done.
    func writeDown(
        _ pending: PendingPurchase, for key: TransactionKey, next: @escaping @MainActor @Sendable (StoreManager) -> Void
    ) {
        goToLedger(
            toWrite: { ledger in
                ledger.addPendingPurchase(pending)
                return .perform(next)
            },
            orElse: { .transaction(key, .failed(.persistenceFailed(underlying: $0), nil)) })
    }

    /// Writes down what the user is entitled to, and then has `next` done.
    func writeDown(
        entitlements: [StoreTransaction], next: @escaping @MainActor @Sendable (StoreManager, (any Error)?) -> Void
    ) {
        guard persistence != nil, !entitlements.isEmpty else { return next(self, nil) }
        goToLedger(
            toWrite: { ledger in
                for transaction in entitlements { ledger.record(transaction) }
                return .perform { next($0, nil) }
            },
            orElse: { error in .perform { next($0, error) } })
    }

    /// A purchase has ended: its context is not needed any more, unless the purchase may have been interrupted only. Then it is
    /// kept for the transaction that may still come.
    func forgetContext(of entry: TransactionTable.Entry) {
        guard entry.lifecycle.mayBeInterrupted else {
            if let pending = entry.pending { strikeOut(pending) }
            return
        }
        guard entry.pending == nil, let order = entry.order,
            let pending = PendingPurchase(order.payment, startDate: order.date)
        else { return }
        interrupted.addPendingPurchase(pending)
    }

    /// Strikes out a purchase that has ended.
    func strikeOut(_ pending: PendingPurchase) {
        note { $0.removePendingPurchase(pending) }
    }

    /// How long what a purchase was started with is kept for an approval that may still come, in seconds: 30 days. Some stores
    /// never tell that one was declined, or that it was never begun.
    static let longestWaitForApproval: TimeInterval = 30 * 86_400

    /// Strikes out the purchases of earlier runs that nobody will approve any more.
    func strikeOutStalePurchases() {
        let date = clock.now.addingTimeInterval(-Self.longestWaitForApproval)
        note { $0.removePendingPurchases(startedBefore: date) }
    }

    /// Writes something down on which nothing depends.
    private func note(_ change: @escaping @Sendable (inout Ledger) -> Void) {
        guard persistence != nil else { return }
        goToLedger(
            toWrite: { ledger in
                change(&ledger)
                return nil
            },
            orElse: { _ in nil })
    }
}

/// Something to read from the ledger, or to write into it.
struct LedgerErrand: Sendable {
    /// What is done with the ledger; returns what comes of it.
    enum Work: Sendable {
        case read(@Sendable (Ledger) -> Message)
        case write(@Sendable (inout Ledger) -> Message?)
    }

    var work: Work
    /// What comes of it if the ledger could not be read or written.
    var failure: @Sendable (any Error) -> Message?
}

/// All that is to be read and written goes to the ledger in order, and together: one visit at a time takes whatever has
/// gathered since the last one. So a ledger that rewrites a file at each change is not rewritten for each of 200 transactions.
extension StoreManager {
    private func goToLedger(
        toRead work: @escaping @Sendable (Ledger) -> Message,
        orElse failure: @escaping @Sendable (any Error) -> Message
    ) {
        goToLedger(LedgerErrand(work: .read(work), failure: failure))
    }

    private func goToLedger(
        toWrite work: @escaping @Sendable (inout Ledger) -> Message?,
        orElse failure: @escaping @Sendable (any Error) -> Message?
    ) {
        goToLedger(LedgerErrand(work: .write(work), failure: failure))
    }

    private func goToLedger(_ errand: LedgerErrand) {
        errands.append(errand)
        // The visit begins when the inbox is empty, so somebody has to empty it.
        if errands.count == 1 { post(.perform { _ in }) }
    }

    /// Does all errands that have gathered, unless a visit is under way.
    func visitLedger() {
        guard !errands.isEmpty, !isVisitingLedger else { return }
        let errands = errands
        // Where the ledger was taken away meanwhile nothing is known, and nothing is kept.
        let persistence = persistence ?? MemoryPersistence()
        self.errands = []
        isVisitingLedger = true
        runningEffects += 1
        Task { [weak self] in
            let answers = await persistence.answers(to: errands)
            self?.endVisit(answers)
        }
    }

    private func endVisit(_ answers: [Message?]) {
        isVisitingLedger = false
        for case let answer? in answers { post(answer) }
        post(.perform { $0.runningEffects -= 1 })
    }
}

extension Ledger {
    /// What an earlier run knew of the transaction.
    fileprivate func knowledge(of transaction: StoreTransaction) -> TransactionLifecycle.Knowledge {
        if isSuperseded(transaction) { return .superseded }
        return isFinished(transaction) ? .handled : .new
    }
}

extension LedgerErrand {
    fileprivate var isToWrite: Bool { if case .write = work { true } else { false } }
}

extension LedgerErrand.Work {
    fileprivate func done(with ledger: inout Ledger) -> Message? {
        switch self {
        case .read(let work): work(ledger)
        case .write(let work): work(&ledger)
        }
    }
}

extension TransactionPersistence {
    fileprivate func answers(to errands: [LedgerErrand]) async -> [Message?] {
        do {
            return try await withLedger { ledger in errands.map { $0.work.done(with: &ledger) } }
        } catch {
            // What cannot be written keeps nobody from reading.
            let read = errands.contains(where: \.isToWrite) ? await answersOfReading(errands) : nil
            return errands.indices.map { read?[$0] ?? errands[$0].failure(error) }
        }
    }

    private func answersOfReading(_ errands: [LedgerErrand]) async -> [Message?]? {
        guard !errands.allSatisfy(\.isToWrite) else { return nil }
        return try? await withLedger { ledger in
            errands.map { if case .read(let work) = $0.work { work(ledger) } else { nil } }
        }
    }
}
