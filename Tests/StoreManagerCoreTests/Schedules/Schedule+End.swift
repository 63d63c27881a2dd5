import StoreManagerCore
import TestSupport

/// How a schedule ends: everybody answers everything, and then everything must have come to its end.
extension Schedule {
    func drain() async {
        await settle()
        note("-- the end --")
        isDraining = true
        standing?.isReleased = true
        standing = ScheduledRequest(.standing, nextNumber(), verifies: true)
        setStanding(asDelegate: false)
        // A round may bring new payments, fetches and questions; twenty are more than any schedule needs.
        for round in 1...20 {
            while !openPayments.isEmpty { answerPayment() }
            while !deferredPayments.isEmpty { answerDeferred() }
            while !openListings.isEmpty { continueListing() }
            while !openFetches.isEmpty { answerFetch() }
            while !unansweredFinishes.isEmpty { finishLate() }
            await settle()
            for transaction in transactions { answer(transaction, .valid) }
            retry()
            await settle()
            call("time passes") { clock.advance(by: 400) }
            await settle()
            if round > 1, isQuiet { break }
        }
    }

    /// Whether nobody waits for anything any more.
    private var isQuiet: Bool {
        openPayments.isEmpty && openListings.isEmpty && openFetches.isEmpty && unansweredFinishes.isEmpty
            && transactions.allSatisfy { $0.fault == nil }
            && requests.allSatisfy { $0.token.map { !manager.isPending($0) } ?? true }
    }

    func check() {
        for request in requests { check(request) }
        for transaction in transactions {
            if let problem = transaction.fault { fault("transaction \(transaction.id): \(problem)") }
        }
    }

    private func check(_ request: ScheduledRequest) {
        if let token = request.token, manager.isPending(token) { fault("\(request.name) is still pending") }
        if request.isCancelled || request.isReleased { return }
        let (count, expected) = expectedEndings(of: request)
        if !count.contains(request.endings.count) { fault("\(request.name) ended \(request.endings.count) times") }
        for ending in request.endings where !expected.contains(where: ending.hasPrefix) {
            fault("\(request.name) ended with \(ending)")
        }
    }

    /// How often a request must have been told its end, and what.
    private func expectedEndings(of request: ScheduledRequest) -> (count: ClosedRange<Int>, prefixes: [String]) {
        switch request.kind {
        case .standing: return (0...0, [])
        case .fetch: return (1...1, ["products", "failure - network", "failure - timedOut"])
        case .restore:
            return (request.receivesSuccess ? 1...1 : 0...1, ["restored", "failure - network", "failure - timedOut"])
        case .purchase: break
        }
        // Without a success closure the success goes to the default receiver.
        let count = request.receivesSuccess ? 1...1 : 0...1
        switch request.answer {
        case nil: return (0...0, [])
        case .failed: return (1...1, ["failure"])
        case .cancelled: return (1...1, ["cancel"])
        case .scheduled: return (count, ["restore plan"])
        case .paid(let transaction):
            let id = transaction.id
            return (count, ["success \(id)", "failure \(id) verificationFailed", "failure \(id) unableToComplete"])
        }
    }

    func check(_ persistence: TestPersistence) async {
        guard let ledger = try? await persistence.withLedger({ $0 }) else { return fault("the ledger cannot be read") }
        for transaction in transactions where !transaction.hasBeenRefusedAndAccepted {
            let rows = ledger.transactions(for: transaction.word.productIdentifier)
            let standing = rows.first { $0.id == transaction.id }?.isStanding
            if standing != transaction.expectedRow {
                fault("transaction \(transaction.id): its row is \(standing.map(String.init) ?? "missing")")
            }
        }
    }
}
