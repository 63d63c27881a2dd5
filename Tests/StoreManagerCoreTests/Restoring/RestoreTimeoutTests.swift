import Foundation
import StoreManagerCore
import TestSupport
import Testing

/// Restores that the store answers late, or never: nobody waits for ever, neither the restore nor what comes by itself.
@MainActor
struct RestoreTimeoutTests {
    private let fixture = ManagerFixture()

    init() {
        fixture.backend.answer = { $0.finishedAtOnce }
        fixture.manager.defaultHandlers = fixture.recorder.purchaseHandlers("default")
    }

    private var manager: StoreManager { fixture.manager }

    private func beginRestore(_ name: String = "restore", verifies: Bool = false) -> RequestToken {
        manager.restorePurchases(handlers: fixture.recorder.restoreHandlers(name, verifies: verifies))
    }

    private func lines(_ name: String) -> [String] { fixture.recorder.lines(of: name) }

    @Test(
        "R01 a restore that the store never answers fails once, with all that share it, when its time is over",
        arguments: [300.0, 20])
    func unanswered(timeout: TimeInterval) async {
        manager.restoreTimeout = timeout
        let stream = manager.events
        let tokens = ["a", "b"].map { beginRestore($0) }
        await fixture.advance(by: timeout - 1)
        #expect(fixture.handlerLines == [])
        for _ in 1...3 { await fixture.advance(by: timeout) }
        #expect(fixture.handlerLines == ["a failure timedOut", "b failure timedOut"])
        #expect(tokens.filter(manager.isPending) == [])
        var failures: [RequestToken] = []
        for await event in stream {
            if case .restoreFailed(.timedOut(after: timeout), let token) = event { failures.append(token) }
            if failures.count == 2 { break }
        }
        #expect(failures == tokens)
    }

    @Test("R01 as long as the store goes on listing, a restore does not time out, however long it takes")
    func slowList() async {
        let token = beginRestore()
        for id in 1...5 {
            await fixture.advance(by: 299)
            await fixture.list("\(id)", for: token)
        }
        await fixture.advance(by: 299)
        #expect(fixture.handlerLines == [])
        await fixture.report(.restoreFinished(for: token))
        #expect(fixture.handlerLines == ["restore restored [1, 2, 3, 4, 5] invalid [] undecided []"])
        await fixture.advance(by: 3_000)
        #expect(fixture.handlerLines.count == 1)
    }

    @Test("R01 a restore that is listed in time waits for its verdicts as long as they take")
    func slowVerdicts() async {
        manager.verificationTimeout = 10_000
        let token = beginRestore(verifies: true)
        await fixture.list("1", for: token)
        await fixture.report(.restoreFinished(for: token))
        await fixture.advance(by: 5_000)
        #expect(fixture.handlerLines == ["restore verify [1]"])
    }

    @Test(
        "R01 what was listed before the time was over, and what is listed after it, goes to the default receiver, once")
    func lateAnswers() async {
        let token = beginRestore()
        await fixture.list("1", for: token)
        await fixture.advance(by: 300)
        #expect(fixture.handlerLines == ["restore failure timedOut", "default restore 1"])
        await fixture.list("1", "2", for: token)
        await fixture.report(.restoreFinished(for: token))
        #expect(fixture.handlerLines == ["restore failure timedOut", "default restore 1", "default restore 2"])
        #expect(fixture.backend.finished.sorted().first == "1" && fixture.backend.finished.contains("2"))
        // The next restore asks the store anew.
        _ = beginRestore("again")
        #expect(fixture.backend.restores.count == 2)
    }

    @Test("R09 what comes by itself waits for the list for 30 s at most, and no longer than the restore")
    func hold() async {
        let token = beginRestore()
        await fixture.answer(nil, with: .sample("1"))
        await fixture.advance(by: 20)
        await fixture.answer(nil, with: .sample("2"))
        await fixture.advance(by: 9)
        #expect(lines("default") == [])
        await fixture.advance(by: 1)
        #expect(lines("default") == ["default success 1"])
        await fixture.advance(by: 20)
        #expect(lines("default") == ["default success 1", "default success 2"])
        // What is listed after all was handed over, and is restored too.
        await fixture.list([.sample("1", state: .restored)], for: token)
        await fixture.report(.restoreFinished(for: token))
        #expect(lines("restore") == ["restore restored [1] invalid [] undecided []"])
        #expect(lines("default").count == 2)
    }

    @Test("R09 a time limit shorter than the hold releases what was held")
    func shortTimeout() async {
        manager.restoreTimeout = 5
        _ = beginRestore()
        await fixture.answer(nil, with: .sample("1"))
        await fixture.advance(by: 5)
        #expect(fixture.handlerLines == ["restore failure timedOut", "default success 1"])
    }

    @Test(
        "R09 when the last restore that waits is cancelled nothing is held any more; what is listed still counts once")
    func cancelled() async {
        let tokens = ["a", "b"].map { beginRestore($0) }
        await fixture.answer(nil, with: .sample("1"))
        manager.cancel(tokens[0])
        await manager.settle()
        #expect(fixture.handlerLines == [])
        manager.cancel(tokens[1])
        await manager.settle()
        #expect(fixture.handlerLines == ["default success 1"])
        await fixture.answer(nil, with: .sample("2"))
        #expect(fixture.handlerLines == ["default success 1", "default success 2"])
        await fixture.list([.sample("1", state: .restored), .sample("3", state: .restored)], for: tokens[0])
        await fixture.report(.restoreFinished(for: tokens[0]))
        #expect(fixture.handlerLines == ["default success 1", "default success 2", "default restore 3"])
    }
}
