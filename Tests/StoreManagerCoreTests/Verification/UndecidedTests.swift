import Foundation
import StoreManagerCore
import TestSupport
import Testing

/// V04, V07: transactions of which nobody could tell whether they are genuine are asked about again.
@MainActor
struct UndecidedTests {
    private let fixture = ManagerFixture()
    private let verdict = Locked<VerificationVerdict>(.unableToComplete(SampleError()))

    /// A purchase of which the manager's verifier cannot tell; the default receiver stands ready.
    private func purchaseThatNobodyCanTell() async {
        fixture.manager.defaultHandlers = fixture.recorder.purchaseHandlers("default")
        fixture.manager.verifier = TestVerifier(recorder: fixture.recorder) { [verdict] _ in verdict.withLock { $0 } }
        let token = fixture.manager.purchase(.sample(), handlers: fixture.recorder.purchaseHandlers("a"))
        await fixture.answer(token, with: .sample())
        #expect(fixture.handlerLines == ["verifier 1", "a failure 1 unableToCompleteVerification"])
        fixture.recorder.clear()
    }

    @Test("V04 it is asked again after 2 s, and then after pauses that double up to 5 min; only the first time is told")
    func pauses() async {
        await purchaseThatNobodyCanTell()
        for pause in [2.0, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300] {
            await fixture.advance(by: pause - 0.1)
            #expect(fixture.recorder.clear() == [], "before \(pause) s")
            await fixture.advance(by: 0.1)
            #expect(fixture.recorder.clear() == ["verifier 1"], "after \(pause) s")
        }
    }

    @Test(
        "V04 when it is valid at last it is delivered once, to the default receiver, and finished once",
        arguments: [true, false])
    func validAtLast(isValid: Bool) async {
        await purchaseThatNobodyCanTell()
        verdict.withLock { $0 = isValid ? .valid : .invalid(reason: "sample") }
        for _ in 1...20 { await fixture.advance(by: 300) }
        for _ in 1...2 { await fixture.answer(nil, with: .sample()) }
        #expect(
            fixture.handlerLines
                == ["verifier 1", isValid ? "default success 1" : "default failure 1 verificationFailed"])
        #expect(fixture.backend.finished.first == "1")
    }

    @Test("V04 retryPendingVerifications asks at once, and starts no second row of pauses")
    func retry() async {
        await purchaseThatNobodyCanTell()
        await fixture.advance(by: 1)
        fixture.manager.retryPendingVerifications()
        await fixture.manager.settle()
        #expect(fixture.recorder.clear() == ["verifier 1"])
        await fixture.advance(by: 3.9)
        #expect(fixture.recorder.clear() == [])
        await fixture.advance(by: 0.1)
        #expect(fixture.recorder.clear() == ["verifier 1"])
    }

    @Test("V04 a request's verify closure is asked again until its verdict is final, though the request has ended")
    func keptVerifyClosure() async {
        fixture.manager.defaultHandlers = fixture.recorder.purchaseHandlers("default")
        let token = fixture.manager.purchase(
            .sample(), handlers: fixture.recorder.purchaseHandlers("a", verifies: true))
        await fixture.answer(token, with: .sample())
        fixture.manager.transaction(.sample(), didVerify: .unableToComplete(SampleError()))
        await fixture.advance(by: 2)
        fixture.manager.transaction(.sample(), didVerify: .unableToComplete(SampleError()))
        await fixture.advance(by: 4)
        fixture.manager.transaction(.sample(), didVerify: true)
        await fixture.manager.settle()
        #expect(
            fixture.handlerLines == [
                "a verify 1", "a failure 1 unableToCompleteVerification", "a verify 1", "a verify 1",
                "default success 1",
            ])
        #expect(fixture.backend.finished == ["1"])
    }

    @Test("V04 a delegate is asked again under the token of its request")
    func keptDelegate() async {
        fixture.manager.defaultHandlers = fixture.recorder.purchaseHandlers("default")
        let delegate = RecordingDelegate("d", recorder: fixture.recorder)
        let token = fixture.manager.purchase(.sample(), delegate: delegate)
        await fixture.answer(token, with: .sample())
        fixture.manager.transaction(.sample(), didVerify: .unableToComplete(SampleError()))
        await fixture.advance(by: 2)
        #expect(
            fixture.recorder.lines(of: "d").filter { $0.hasPrefix("d verify") }
                == Array(repeating: "d verify 1 \(token)", count: 2))
    }

    @Test("V04 while nobody is there to receive it nobody is asked; then it is asked about at once")
    func nobodyToReceive() async {
        let token = fixture.manager.purchase(
            .sample(), handlers: fixture.recorder.purchaseHandlers("a", verifies: true))
        await fixture.answer(token, with: .sample())
        fixture.manager.transaction(.sample(), didVerify: .unableToComplete(SampleError()))
        await fixture.advance(by: 1000)
        #expect(fixture.handlerLines == ["a verify 1", "a failure 1 unableToCompleteVerification"])
        fixture.manager.defaultHandlers = fixture.recorder.purchaseHandlers("default")
        await fixture.manager.settle()
        #expect(fixture.handlerLines.last == "a verify 1")
        #expect(fixture.handlerLines.count == 3)
    }

    @Test("V04 it comes back at the next launch and is asked about again; nothing was written or finished before")
    func nextLaunch() async {
        await purchaseThatNobodyCanTell()
        let next = ManagerFixture()
        next.manager.verifier = TestVerifier(recorder: next.recorder)
        next.manager.defaultHandlers = next.recorder.purchaseHandlers("default")
        await next.answer(nil, with: .sample())
        #expect(next.lines == ["verifier 1", "default success 1", "store finish 1"])
    }

    // MARK: Too late

    @Test(
        "V07 no answer within the timeout counts as could-not-tell, by the manager's clock and setting",
        arguments: [60.0, 5, 0])
    func timeout(seconds: TimeInterval) async {
        fixture.manager.verificationTimeout = seconds
        let token = fixture.manager.purchase(
            .sample(), handlers: fixture.recorder.purchaseHandlers("a", verifies: true))
        await fixture.answer(token, with: .sample())
        if seconds > 0 {
            await fixture.advance(by: seconds - 0.1)
            #expect(fixture.handlerLines == ["a verify 1"])
            await fixture.advance(by: 0.1)
        }
        #expect(fixture.handlerLines == ["a verify 1", "a failure 1 unableToCompleteVerification"])
        #expect(fixture.backend.finished == [])
    }

    @Test("V07 a verifier that hangs is timed out too, and its late yes counts")
    func hangingVerifier() async {
        let gate = Gate()
        fixture.manager.defaultHandlers = fixture.recorder.purchaseHandlers("default")
        fixture.manager.verifier = TestVerifier(recorder: fixture.recorder, gate: gate)
        let token = fixture.manager.purchase(.sample(), handlers: fixture.recorder.purchaseHandlers("a"))
        fixture.backend.report(.transactionsUpdated([StoreTransactionUpdate(.sample(), token: token)]))
        await gate.arrival()
        fixture.clock.advance(by: 60)
        await fixture.event { if case .purchaseFailed = $0 { true } else { false } }
        gate.open()
        await fixture.manager.settle()
        #expect(
            fixture.handlerLines == ["verifier 1", "a failure 1 unableToCompleteVerification", "default success 1"])
    }

    @Test(
        "V04 V07 the verifier's late answer to one asking is none to the next, unless it is a yes",
        arguments: [.valid, .invalid(reason: "sample"), .unableToComplete(SampleError())] as [VerificationVerdict])
    func lateAnswerToAnEarlierAsking(late: VerificationVerdict) async {
        let gate = Gate()
        fixture.manager.verifier = TestVerifier(gate: gate) { _ in late }
        fixture.manager.defaultHandlers = fixture.recorder.purchaseHandlers("default")
        let delegate = RecordingDelegate("d", recorder: fixture.recorder)
        delegate.onVerify = { manager, transactions in manager.verifyByDefault(transactions) }
        let token = fixture.manager.purchase(.sample(), delegate: delegate)
        fixture.backend.report(.transactionsUpdated([StoreTransactionUpdate(.sample(), token: token)]))
        await gate.arrival()
        delegate.onVerify = { [recorder = fixture.recorder] _, _ in recorder.record("asked again") }
        fixture.clock.advance(by: 60)
        await fixture.event { if case .purchaseFailed = $0 { true } else { false } }
        fixture.clock.advance(by: 2)
        await fixture.recorder.wait(for: "asked again")

        gate.open()
        await fixture.manager.settle()
        let isYes = if case .valid = late { true } else { false }
        #expect(fixture.recorder.lines(of: "default") == (isYes ? ["default success 1"] : []))
        #expect(fixture.manager.transaction(.sample(), didVerify: true) == !isYes)
        await fixture.manager.settle()
        #expect(fixture.recorder.lines(of: "default") == ["default success 1"])
        #expect(fixture.backend.finished == ["1"])
    }

    @Test(
        "V07 a late yes counts, whether or not somebody is there to receive; a late no or could-not-tell returns false",
        arguments: [true, false], [0.0, 1])
    func lateAnswer(hasReceiver: Bool, seconds: TimeInterval) async {
        if hasReceiver { fixture.manager.defaultHandlers = fixture.recorder.purchaseHandlers("default") }
        let token = fixture.manager.purchase(
            .sample(), handlers: fixture.recorder.purchaseHandlers("a", verifies: true))
        await fixture.answer(token, with: .sample())
        await fixture.advance(by: 60)
        // With nobody to receive it is put aside at the next try, and the question is still the old one.
        await fixture.advance(by: hasReceiver ? seconds : seconds * 2)

        #expect(!fixture.manager.transaction(.sample(), didVerify: false))
        #expect(!fixture.manager.transaction(.sample(), didVerify: .unableToComplete(SampleError())))
        #expect(fixture.manager.transaction(.sample(), didVerify: true))
        #expect(!fixture.manager.transaction(.sample(), didVerify: true))
        await fixture.advance(by: 1000)
        fixture.manager.defaultHandlers = fixture.recorder.purchaseHandlers("default")
        await fixture.manager.settle()
        #expect(
            fixture.handlerLines == ["a verify 1", "a failure 1 unableToCompleteVerification", "default success 1"])
        #expect(fixture.backend.finished == ["1"])
    }
}
