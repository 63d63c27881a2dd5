import Foundation
import StoreManagerCore
import TestSupport
import Testing

/// V05, V06: which answers count, and from where they may come.
@MainActor
struct AnswerTests {
    private let fixture = ManagerFixture()

    /// Has a transaction come that its request's closure is asked about.
    private func ask(_ id: String = "1") async -> RequestToken {
        let token = fixture.manager.purchase(
            .sample(id), handlers: fixture.recorder.purchaseHandlers("a", verifies: true))
        await fixture.answer(token, with: .sample(id, of: id))
        return token
    }

    @Test(
        "V05 of several answers the first one counts, and the others return false", arguments: [true, false],
        [true, false])
    func secondAnswer(first: Bool, second: Bool) async {
        _ = await ask()
        #expect(fixture.manager.transaction(.sample(), didVerify: first))
        #expect(!fixture.manager.transaction(.sample(), didVerify: second))
        await fixture.manager.settle()
        #expect(!fixture.manager.transaction(.sample(), didVerify: second))
        await fixture.report(.transactionFinished("1"))
        #expect(!fixture.manager.transaction(.sample(), didVerify: second))
        await fixture.manager.settle()
        #expect(fixture.handlerLines == ["a verify 1", first ? "a success 1" : "a failure 1 verificationFailed"])
        #expect(fixture.backend.finished == ["1"])
    }

    @Test("V05 an answer about a transaction that nobody was asked about is ignored, and returns false")
    func unknownTransaction() async {
        #expect(!fixture.manager.transaction(.sample(), didVerify: true))
        // Bought, and on nobody's table: it waits for a receiver, and was not asked about.
        await fixture.answer(nil, with: .sample())
        for verdict in [VerificationVerdict.valid, .invalid(reason: ""), .unableToComplete(SampleError())] {
            #expect(!fixture.manager.transaction(.sample(), didVerify: verdict))
            #expect(!fixture.manager.transaction(.sample("7"), didVerify: verdict))
        }
        await fixture.manager.settle()
        #expect(fixture.lines == [])
    }

    @Test("V05 an answer about a failed transaction is ignored, and returns false")
    func failedTransaction() async {
        let token = fixture.manager.purchase(
            .sample(), handlers: fixture.recorder.purchaseHandlers("a", verifies: true))
        await fixture.answer(token, with: .sample(state: .failed))
        #expect(!fixture.manager.transaction(.sample(state: .failed), didVerify: true))
        await fixture.manager.settle()
        #expect(fixture.handlerLines == ["a failure 1 unknown"])
    }

    @Test("V05 an answer is about one transaction, and says nothing of others")
    func anotherTransaction() async {
        _ = await ask("1")
        _ = await ask("2")
        #expect(fixture.manager.transaction(.sample("2"), didVerify: true))
        await fixture.manager.settle()
        #expect(fixture.handlerLines == ["a verify 1", "a verify 2", "a success 2"])
    }

    @Test("V05 after could-not-tell nothing counts until it is asked again")
    func answerBetweenTries() async {
        fixture.manager.defaultHandlers = fixture.recorder.purchaseHandlers("default")
        _ = await ask()
        #expect(fixture.manager.transaction(.sample(), didVerify: .unableToComplete(SampleError())))
        #expect(!fixture.manager.transaction(.sample(), didVerify: true))
        await fixture.advance(by: 2)
        #expect(fixture.manager.transaction(.sample(), didVerify: true))
        await fixture.manager.settle()
        #expect(fixture.handlerLines.last == "default success 1")
    }

    @Test("V06 the answer may come from inside the handler", arguments: [true, false])
    func insideTheHandler(isValid: Bool) async {
        let (manager, recorder) = (fixture.manager, fixture.recorder)
        var handlers = recorder.purchaseHandlers("a")
        handlers.onVerify = { transaction in
            let counts = manager.transaction(transaction, didVerify: isValid)
            recorder.record("answered \(counts)")
        }
        let token = manager.purchase(.sample(), handlers: handlers)
        await fixture.answer(token, with: .sample())
        #expect(
            fixture.handlerLines == ["answered true", isValid ? "a success 1" : "a failure 1 verificationFailed"])
    }

    @Test("V06 the answer may come much later, as long as the timeout allows")
    func muchLater() async {
        fixture.manager.verificationTimeout = 1_000_000
        _ = await ask()
        await fixture.advance(by: 999_999)
        #expect(fixture.manager.transaction(.sample(), didVerify: true))
        await fixture.manager.settle()
        #expect(fixture.handlerLines == ["a verify 1", "a success 1"])
    }

    @Test("V05 V06 M02 of many answers from many threads exactly one counts, for each transaction")
    func manyThreads() async {
        let ids = (0..<50).map { "\($0)" }
        for id in ids { _ = await ask(id) }
        let counted = Locked(0)
        await withTaskGroup(of: Void.self) { [manager = fixture.manager] group in
            for id in ids {
                for _ in 0..<8 {
                    group.addTask {
                        if manager.transaction(.sample(id), didVerify: true) { counted.withLock { $0 += 1 } }
                    }
                }
            }
        }
        await fixture.manager.settle()
        #expect(counted.withLock { $0 } == ids.count)
        #expect(fixture.handlerLines.suffix(50).sorted() == ids.map { "a success \($0)" }.sorted())
    }
}
