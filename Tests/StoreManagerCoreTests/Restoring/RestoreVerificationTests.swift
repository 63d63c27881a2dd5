import StoreManagerCore
import TestSupport
import Testing

/// Who is asked about restored transactions, and what follows from the answers.
@MainActor
struct RestoreVerificationTests {
    private let fixture = ManagerFixture()

    init() { fixture.backend.answer = { $0.finishedAtOnce } }

    private var manager: StoreManager { fixture.manager }
    private var answers: [String] { fixture.recorder.lines(of: "a") }

    /// Restores 1, 2 and 3, to the end of the list.
    @discardableResult
    private func restore(_ ids: String..., handlers: RestoreHandlers) async -> RequestToken {
        let token = manager.restorePurchases(handlers: handlers)
        await fixture.list(ids.map { StoreTransaction.sample($0, state: .restored) }, for: token)
        await fixture.report(.restoreFinished(for: token))
        return token
    }

    private func verifying(_ name: String = "a") -> RestoreHandlers {
        fixture.recorder.restoreHandlers(name, verifies: true)
    }

    private func answer(_ id: String, _ verdict: VerificationVerdict) async -> Bool {
        let counted = manager.transaction(.sample(id), didVerify: verdict)
        await manager.settle()
        return counted
    }

    @Test(
        "R03 all are handed over together, and answered in any order, now or later",
        arguments: [["1", "2", "3"], ["3", "1", "2"], ["2", "3", "1"]], [0.0, 59])
    func together(order: [String], pause: Double) async {
        let token = manager.restorePurchases(handlers: verifying())
        // Not before the store has listed all.
        await fixture.list("1", for: token)
        await fixture.list("2", "3", for: token)
        #expect(answers == [])
        await fixture.report(.restoreFinished(for: token))
        #expect(answers == ["a verify [1, 2, 3]"])
        await fixture.advance(by: pause)
        for id in order {
            #expect(answers.count == 1 && manager.isPending(token))
            #expect(await answer(id, .valid))
        }
        #expect(answers == ["a verify [1, 2, 3]", "a restored [1, 2, 3] invalid [] undecided []"])
        #expect(fixture.backend.finished == ["1", "2", "3"])
    }

    @Test("R03 a delegate may answer from inside the call")
    func inside() async {
        let delegate = RecordingDelegate("d", recorder: fixture.recorder)
        delegate.onVerify = { manager, transactions in
            for transaction in transactions { manager.transaction(transaction, didVerify: transaction.id == "1") }
        }
        let token = manager.restorePurchases(delegate: delegate)
        await fixture.list("1", "2", for: token)
        await fixture.report(.restoreFinished(for: token))
        #expect(
            fixture.recorder.lines(of: "d") == [
                "d verify [1, 2] \(token)", "d restored [1] invalid [2 verificationFailed] undecided [] \(token)",
            ])
        withExtendedLifetime(delegate) {}
    }

    @Test(
        "R06 valid, invalid and undecided are told apart; the undecided stays unfinished, and no default receiver hears"
    )
    func apart() async {
        manager.defaultHandlers = fixture.recorder.purchaseHandlers("default")
        await restore("1", "2", "3", handlers: verifying())
        _ = await answer("2", .invalid(reason: "no"))
        _ = await answer("3", .unableToComplete(SampleError()))
        #expect(answers == ["a verify [1, 2, 3]"])
        _ = await answer("1", .valid)
        #expect(
            answers.dropFirst() == [
                "a restored [1] invalid [2 verificationFailed] undecided [3 unableToCompleteVerification]"
            ])
        #expect(fixture.backend.finished == ["1", "2"])
        #expect(fixture.recorder.lines(of: "default") == [])
    }

    @Test("R06 where all fail there is still one completion", arguments: [true, false])
    func allFail(isInvalid: Bool) async {
        await restore("1", "2", handlers: verifying())
        for id in ["1", "2"] {
            _ = await answer(id, isInvalid ? .invalid(reason: "no") : .unableToComplete(SampleError()))
        }
        #expect(answers.count == 2 && answers[1].hasPrefix("a restored [] "))
        #expect(fixture.backend.finished == (isInvalid ? ["1", "2"] : []))
    }

    @Test("R06 what nobody answers in time is undecided, and the restore ends")
    func timeout() async {
        let token = await restore("1", "2", handlers: verifying())
        _ = await answer("1", .valid)
        await fixture.advance(by: 59)
        #expect(manager.isPending(token))
        await fixture.advance(by: 1)
        #expect(answers.last == "a restored [1] invalid [] undecided [2 unableToCompleteVerification]")
        // A late no does not count, a late yes does.
        #expect(await answer("2", .invalid(reason: "no")) == false)
        manager.defaultHandlers = fixture.recorder.purchaseHandlers("default")
        #expect(await answer("2", .valid))
        #expect(fixture.recorder.lines(of: "default") == ["default restore 2"])
        #expect(fixture.backend.finished == ["1", "2"])
    }

    @Test(
        "R06 V04 an undecided one is asked about again, of the restore's own handler; valid, it goes to the default receiver",
        arguments: [true, false])
    func askedAgain(toDelegate: Bool) async {
        manager.defaultHandlers = fixture.recorder.purchaseHandlers("default")
        let delegate = RecordingDelegate("a", recorder: fixture.recorder)
        if toDelegate {
            let token = manager.restorePurchases(delegate: delegate)
            await fixture.list("1", "2", for: token)
            await fixture.report(.restoreFinished(for: token))
        } else {
            await restore("1", "2", handlers: verifying())
        }
        _ = await answer("1", .valid)
        _ = await answer("2", .unableToComplete(SampleError()))
        fixture.recorder.clear()
        await fixture.advance(by: 2)
        #expect(answers.count == 1 && answers[0].hasPrefix("a verify [2]"))
        #expect(fixture.recorder.lines(of: "default") == [])
        _ = await answer("2", .unableToComplete(SampleError()))
        manager.retryPendingVerifications()
        await manager.settle()
        #expect(answers.count == 2)
        _ = await answer("2", .valid)
        #expect(fixture.recorder.lines(of: "default") == ["default restore 2"])
        #expect(fixture.backend.finished == ["1", "2"])
        withExtendedLifetime(delegate) {}
    }

    /// Why nobody can be asked any more, although somebody was there once.
    enum Loss: CaseIterable, Sendable { case cancelled, failed, otherRestore }

    @Test("R04 V08 what somebody was there to be asked about never counts as valid unasked", arguments: Loss.allCases)
    func neverUnasked(loss: Loss) async {
        manager.defaultHandlers = fixture.recorder.purchaseHandlers("default")
        switch loss {
        case .cancelled:
            let token = manager.restorePurchases(handlers: verifying())
            manager.cancel(token)
            await fixture.list("1", for: token)
            await fixture.report(.restoreFinished(for: token))
        case .failed:
            let token = manager.restorePurchases(handlers: verifying())
            await fixture.list("1", for: token)
            await fixture.report(.restoreFailed(.network(), for: token))
        case .otherRestore:
            // Undecided, and its verify handler detached.
            let token = manager.purchase(
                .sample(), handlers: fixture.recorder.purchaseHandlers("b", verifies: true))
            await fixture.answer(token, with: .sample("1"))
            manager.cancel(token)
            _ = await answer("1", .unableToComplete(SampleError()))
            await restore("1", handlers: fixture.recorder.restoreHandlers("a"))
            #expect(answers == ["a restored [] invalid [] undecided [1 unableToCompleteVerification]"])
        }
        await fixture.advance(by: 1_000)
        #expect(fixture.recorder.lines.filter { $0.contains("success") || $0.contains("restored [1]") } == [])
        #expect(fixture.recorder.lines(of: "default").filter { !$0.contains("failure") } == [])
        #expect(fixture.backend.finished == [])

        // With a verifier it goes on.
        manager.verifier = TestVerifier()
        manager.retryPendingVerifications()
        await manager.settle()
        #expect(fixture.backend.finished == ["1"])
    }

    @Test(
        "R03 a restored transaction of which its purchase's handler could not tell is asked of the restore, else of that handler",
        arguments: [true, false])
    func undecidedBefore(restoreVerifies: Bool) async {
        let token = manager.purchase(.sample(), handlers: fixture.recorder.purchaseHandlers("b", verifies: true))
        await fixture.answer(token, with: .sample("1"))
        _ = await answer("1", .unableToComplete(SampleError()))
        fixture.recorder.clear()
        await restore("1", handlers: fixture.recorder.restoreHandlers("a", verifies: restoreVerifies))
        #expect(fixture.lines(exceptStoreAnd: "store") == [restoreVerifies ? "a verify [1]" : "b verify 1"])
        _ = await answer("1", .valid)
        #expect(answers.last == "a restored [1] invalid [] undecided []")
    }

    @Test("R06 what cannot be written down or fetched is undecided", arguments: [true, false])
    func stalled(isLedger: Bool) async {
        let persistence = TestPersistence()
        if isLedger {
            manager.persistence = persistence
            persistence.isBroken = true
        } else {
            manager.contentDownloader = TestDownloader { _ in SampleError() }
        }
        manager.defaultHandlers = fixture.recorder.purchaseHandlers("default")
        await restore("1", handlers: fixture.recorder.restoreHandlers("a"))
        #expect(
            answers == ["a restored [] invalid [] undecided [1 \(isLedger ? "persistenceFailed" : "downloadFailed")]"])
        #expect(fixture.backend.finished == [])
        // It is tried again, and nobody is asked again whether it is genuine.
        manager.verifier = TestVerifier(recorder: fixture.recorder)
        manager.contentDownloader = nil
        persistence.isBroken = false
        manager.retryPendingVerifications()
        await manager.settle()
        #expect(fixture.recorder.lines(of: "default") == ["default restore 1"])
        #expect(fixture.recorder.lines(of: "verifier") == [])
    }
}
