import StoreManagerCore
import TestSupport
import Testing

/// Restores of many transactions. Costs are counted, not timed.
@MainActor
struct RestoreScaleTests {
    /// What a restore of so many transactions does, by kind.
    private struct Counts: Equatable {
        var successes = 0
        var finishes = 0
        var verdictsPerTransaction = 0
        var effectsPerTransaction = 0
        var ledgerVisits = 0
    }

    /// A ledger that counts the visits of its manager.
    private actor CountingPersistence: TransactionPersistence {
        private var ledger = Ledger()
        private(set) var visits = 0

        func withLedger<Result: Sendable>(_ body: @Sendable (inout Ledger) throws -> Result) throws -> Result {
            visits += 1
            return try body(&ledger)
        }
    }

    private func restore(_ count: Int, inBatchesOf size: Int, verifies: Bool) async -> Counts {
        let fixture = ManagerFixture()
        let (manager, recorder) = (fixture.manager, fixture.recorder)
        let persistence = CountingPersistence()
        manager.persistence = persistence
        fixture.backend.answer = { $0.finishedAtOnce }
        var effects = 0
        manager.effectProbe = { _, moment in if moment == .before { effects += 1 } }
        var handlers = RestoreHandlers(onSuccess: { recorder.record("a \($0.restored.count)") })
        if verifies {
            handlers.onVerify = { transactions in
                for transaction in transactions.reversed() {
                    if manager.transaction(transaction, didVerify: true) { recorder.record("verdict") }
                }
            }
        }
        let token = manager.restorePurchases(handlers: handlers)
        let transactions = (1...count).map {
            StoreTransaction.sample("\($0)", of: "p\($0 % 50)", .nonConsumable, state: .restored)
        }
        for start in stride(from: 0, to: count, by: size) {
            await fixture.list(Array(transactions[start..<min(start + size, count)]), for: token)
        }
        await fixture.report(.restoreFinished(for: token))
        #expect(recorder.lines(of: "a") == ["a \(count)"])
        #expect(Set(fixture.backend.finished).count == count)
        return Counts(
            successes: recorder.lines(of: "a").count, finishes: fixture.backend.finished.count / count,
            verdictsPerTransaction: recorder.lines.count { $0 == "verdict" } / count,
            effectsPerTransaction: effects / count, ledgerVisits: await persistence.visits)
    }

    @Test(
        "R12 200 and 2,000 transactions: one completion, each once, and no more work for each than for ten",
        arguments: [true, false])
    func scale(verifies: Bool) async {
        let few = await restore(10, inBatchesOf: 10, verifies: verifies)
        #expect(few.successes == 1 && few.finishes == 1)
        for count in [200, 2_000] {
            #expect(await restore(count, inBatchesOf: count, verifies: verifies) == few)
        }
    }

    @Test("R12 the ledger is visited as often for 200 as for 10, though they come one by one")
    func oneByOne() async {
        let few = await restore(10, inBatchesOf: 1, verifies: false)
        let many = await restore(200, inBatchesOf: 1, verifies: false)
        #expect(few == many)
        // What is stale is struck out, all is looked up, written down, and noted as finished.
        #expect(many.ledgerVisits <= 4)
    }
}
