import Foundation
import StoreManagerCore
import TestSupport
import Testing

/// A ledger that cannot be read, or not be written, for a while.
@MainActor
struct UnreadableLedgerTests {
    /// A ledger in memory whose reading and writing fail as a test says.
    private actor MoodyPersistence: TransactionPersistence {
        private var ledger: Ledger
        private let moods = Locked((isUnreadable: false, isUnwritable: false))

        init(_ ledger: Ledger = Ledger()) { self.ledger = ledger }

        nonisolated func set(unreadable: Bool = false, unwritable: Bool = false) {
            moods.withLock { $0 = (unreadable, unwritable) }
        }

        func withLedger<Result: Sendable>(_ body: @Sendable (inout Ledger) throws -> Result) throws -> Result {
            let mood = moods.withLock { $0 }
            if mood.isUnreadable { throw SampleError() }
            var changed = ledger
            let result = try body(&changed)
            if mood.isUnwritable, changed != ledger { throw SampleError() }
            ledger = changed
            return result
        }
    }

    private let fixture = ManagerFixture()

    private func launch(_ persistence: MoodyPersistence) async {
        fixture.backend.answer = { $0.finishedAtOnce }
        fixture.manager.persistence = persistence
        fixture.manager.verifier = TestVerifier(recorder: fixture.recorder)
        fixture.manager.defaultHandlers = fixture.recorder.purchaseHandlers("default")
        await fixture.manager.settle()
    }

    /// A ledger that an earlier run left: transaction 1 was handed over and finished.
    private var ledgerOfEarlierRun: Ledger {
        var ledger = Ledger()
        ledger.record(.sample("1"))
        ledger.markFinished(.sample("1"))
        return ledger
    }

    @Test("S02 P13 what an earlier run finished is not delivered again because the ledger cannot be read for a while")
    func finishedBefore() async throws {
        let persistence = MoodyPersistence(ledgerOfEarlierRun)
        await launch(persistence)
        persistence.set(unreadable: true)
        await fixture.answer(nil, with: .sample("1"))
        #expect(fixture.handlerLines == ["default failure 1 persistenceFailed"])
        for pause in [2.0, 4, 8] { await fixture.advance(by: pause) }
        #expect(fixture.backend.finished == [])
        persistence.set()
        await fixture.advance(by: 16)
        #expect(fixture.handlerLines == ["default failure 1 persistenceFailed"])
        #expect(fixture.backend.finished == ["1"])
        #expect(try await persistence.count(of: "coins") == 1)
    }

    @Test(
        "S02 a purchase whose ledger cannot be read fails once, is asked about nobody, and is delivered once it can be",
        arguments: ["pause", "retry", "again"])
    func purchase(by way: String) async throws {
        let persistence = MoodyPersistence()
        await launch(persistence)
        persistence.set(unreadable: true)
        let token = fixture.manager.purchase(.sample(), handlers: fixture.recorder.purchaseHandlers("a"))
        await fixture.answer(token, with: .sample("1"))
        fixture.manager.retryPendingVerifications()
        await fixture.manager.settle()
        #expect(fixture.handlerLines == ["a failure 1 persistenceFailed"])
        #expect(!fixture.manager.isPending(token))
        persistence.set()
        switch way {
        case "pause": await fixture.advance(by: 4)
        case "retry": fixture.manager.retryPendingVerifications()
        default: await fixture.answer(nil, with: .sample("1").with(\.storeVerification, .verified))
        }
        await fixture.manager.settle()
        #expect(fixture.handlerLines == ["a failure 1 persistenceFailed", "verifier 1", "default success 1"])
        #expect(fixture.backend.finished == ["1"])
        #expect(try await persistence.count(of: "coins") == 1)
    }

    @Test("S02 R01 what a restore lists while the ledger cannot be read is undecided, and delivered once it can be")
    func restore() async {
        let persistence = MoodyPersistence()
        await launch(persistence)
        persistence.set(unreadable: true)
        let token = fixture.manager.restorePurchases(handlers: fixture.recorder.restoreHandlers("restore"))
        await fixture.list("1", "2", for: token)
        await fixture.report(.restoreFinished(for: token))
        let undecided = "[1 persistenceFailed, 2 persistenceFailed]"
        #expect(fixture.handlerLines == ["restore restored [] invalid [] undecided \(undecided)"])
        persistence.set()
        await fixture.advance(by: 2)
        #expect(fixture.recorder.lines(of: "default").sorted() == ["default restore 1", "default restore 2"])
    }

    @Test("S02 P13 a look-up does not fail because a write beside it does")
    func writeBesideLookUp() async {
        let persistence = MoodyPersistence(ledgerOfEarlierRun)
        await launch(persistence)
        persistence.set(unwritable: true)
        // Both wait for the ledger at once: the context of a purchase, and the look-up of what was finished before.
        fixture.manager.purchase(
            .sample("gems"), options: PurchaseOptions(context: PurchaseContext(data: Data([1]))),
            handlers: fixture.recorder.purchaseHandlers("a"))
        fixture.backend.report(.transactionsUpdated([StoreTransactionUpdate(.sample("1"))]))
        await fixture.manager.settle()
        #expect(fixture.handlerLines == ["a failure - persistenceFailed"])
        #expect(fixture.backend.finished == ["1"])
    }
}
