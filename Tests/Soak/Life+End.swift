import Foundation
import StoreManagerCore
import StoreSimulator

/// How a life ends: nothing goes wrong any more, everybody answers everything, and then all must have come to its end.
extension Life {
    func end() async {
        tell("# the end")
        store.crash(atLogLine: .max)
        if process.isDead { relaunch() }
        await drain()
        look()
        checkRequests()
        // What was lost on the way comes back with the next process.
        tell("# the last process")
        relaunch()
        await drain()
        look()
        checkRequests()
        for transaction in store.allTransactions { noteIfLeftAlone(transaction.transaction) }
        checkTransactions()
        if setup.keepsLedger { checkLedger() }
    }

    private func drain() async {
        process.isDraining = true
        disk.failures = 0
        store.faults = StoreFaults()
        store.shouldEnterBillingRetryOnRenewal = false
        process.setReceiver(
            SoakRequest(
                .standing, nextNumber(), .closures, receivesSuccess: true, verifies: setup.verification == .none,
                random: SplitMix64(seed: 1)))
        // A round may bring new payments and questions; twenty are more than any life needs.
        for round in 1...20 {
            await settle()
            for transaction in store.allTransactions {
                if transaction.pendingAskToBuyConfirmation {
                    attempt { try store.approveAskToBuyTransaction(identifier: transaction.id) }
                } else if transaction.state == .purchasing {
                    attempt { try store.answerOpenPayment(identifier: transaction.id, with: .buy) }
                } else if transaction.hasPurchaseIssue {
                    attempt { try store.resolveIssueForTransaction(identifier: transaction.id) }
                }
            }
            await settle()
            for transaction in process.questions { process.answer(transaction, .valid) }
            process.call("retry") { process.manager.retryPendingVerifications() }
            await settle()
            if round > 2, isQuiet { break }
            advance(by: 400)
        }
        await settle()
    }

    private var isQuiet: Bool {
        store.unfinishedTransactions.isEmpty && store.pendingDeliveries.isEmpty && process.questions.isEmpty
            && process.requests.allSatisfy { !$0.isOpen }
    }

    private func checkRequests() {
        for request in process.requests {
            if let token = request.token, process.manager.isPending(token), request.ending != nil {
                fault("P07 \(request.name) is pending though it has ended: \(request.ending ?? "")")
            }
            if request.isOpen, !mayStayOpen(request) { fault("P07 \(request.name) was never told its end") }
        }
    }

    /// Whether nobody can be blamed for it that a request has no end.
    private func mayStayOpen(_ request: SoakRequest) -> Bool {
        // Its success, if there is one, went to the default receiver.
        if !request.receivesSuccess, request.kind != .fetch, request.style == .closures { return true }
        if request.kind == .fetch { return false }
        // One answer that is lost may be what others wait for: a purchase waits for the restore that lists its transaction.
        if process.hasLostAny { return true }
        // A store that names no tokens may answer an equal payment instead.
        let carriage = setup.habits.tokenCarriage
        if carriage == .never, process.requests.contains(where: { $0 !== request && $0.isEqualPayment(to: request) }) {
            return true
        }
        // Where the store does not tell that a parent said no, the request waits for ever.
        return carriage == .unlessDeferred && request.wasDeferred
    }

    private func checkTransactions() {
        for transaction in store.allTransactions where transaction.isPaid {
            let id = transaction.id
            let fate = fates[id] ?? TransactionFate()
            if removed.contains(id) || fate.hasBeenRefused { continue }
            if !fate.hasBeenHandedOver, !fate.wasAwaited, !fate.isReplaced, !fate.isLeftAlone {
                fault("S03 transaction \(id) was paid, and never handed over")
            } else if hasMissedWord(id) {
                continue
            } else if transaction.revocationDate != nil, !fate.isToldAsRevoked {
                fault("U04 transaction \(id) was taken back, and nobody was told")
            } else if transaction.revocationDate == nil, fate.isToldAsRevoked, !transaction.transaction.isUpgraded,
                !fate.isLeftAlone
            {
                fault("U04 the refund of transaction \(id) was reversed, and nobody was told")
            }
        }
        for transaction in store.unfinishedTransactions where !removed.contains(transaction.id) {
            if fates[transaction.id]?.isLeftAlone == true { continue }
            fault("S03 transaction \(transaction.id) is not finished: \(transaction.state)")
        }
        if !store.pendingDeliveries.isEmpty { fault("C05 something is on its way for ever") }
    }

    /// Whether a process finished the transaction in a state that was no longer its last, and ended before it heard of that, or
    /// never did; or whether the store's words about it came in the wrong order.
    private func hasMissedWord(_ id: StoreTransaction.ID) -> Bool {
        guard let fate = fates[id] else { return false }
        if fate.wasOvertaken { return true }
        guard let process = fate.processThatFinishedEarly else { return false }
        return process < processCount - 1 || lossyProcesses.contains(process)
    }

    private func checkLedger() {
        let paid = store.allTransactions.filter(\.isPaid).map(\.transaction)
        let doubtful = Set(
            paid.filter { removed.contains($0.id) || fates[$0.id]?.hasBeenRefused == true || hasMissedWord($0.id) }
                .map(\.originalID))
        for product in Setup.products {
            let bought = Dictionary(grouping: paid.filter { $0.productIdentifier == product.id }, by: \.originalID)
            let rows = disk.ledger.transactions(for: product.id)
            let difference = Set(bought.keys).symmetricDifference(rows.map(\.id)).subtracting(doubtful)
            if !difference.isEmpty {
                fault("S06 \(product.id): store and ledger do not both have \(difference.sorted())")
            }
            for row in rows where !doubtful.contains(row.id) {
                let newest = bought[row.id]?.max {
                    ($0.purchaseDate, $0.signedDate ?? $0.purchaseDate) < (
                        $1.purchaseDate, $1.signedDate ?? $1.purchaseDate
                    )
                }
                guard let newest else { continue }
                // That another plan took its place the store does not always tell.
                let isUntold = bought[row.id]?.contains { $0.isUpgraded && fates[$0.id]?.isReplaced != true } == true
                let stands = newest.revocationDate == nil && !newest.isUpgraded
                if !isUntold, row.isStanding != stands, !mayHaveGivenWay(row, newest, paid) {
                    fault("S06 row \(row.id) of \(product.id) stands: \(row.isStanding), not \(stands)")
                }
                if row.quantity != newest.quantity {
                    fault("S06 row \(row.id) of \(product.id) counts \(row.quantity), not \(newest.quantity)")
                }
            }
            let used = rows.reduce(0) { $0 + $1.consumed }
            if product.id == "coins", used != consumed { fault("S06 \(used) coins are used up, not \(consumed)") }
        }
    }

    /// Whether the subscription went on with another plan before this one's period, as far as it was told, ended: the other took
    /// its place then, also where the store does not say so. Of the other the ledger knows the last charge alone, so that a
    /// refund that is reversed later may let both stand.
    private func mayHaveGivenWay(_ row: LedgerRow, _ newest: StoreTransaction, _ paid: [StoreTransaction]) -> Bool {
        let end = row.expirationDate ?? .distantFuture
        return newest.productType == .autoRenewable && newest.revocationDate == nil
            && !newest.isUpgraded
            && paid.contains { other in
                other.originalID == row.id && other.productIdentifier != row.productIdentifier
                    && other.purchaseDate < end
                    && (other.purchaseDate, other.number) > (newest.purchaseDate, newest.number)
            }
    }
}

extension StoreTransaction {
    /// The simulated store numbers what it sells.
    fileprivate var number: UInt64 { UInt64(id) ?? 0 }
}
