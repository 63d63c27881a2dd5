import Foundation
import StoreManagerCore
import TestSupport
import Testing

/// V08: who is asked whether a transaction is genuine.
@MainActor
struct VerifierChoiceTests {
    private let fixture = ManagerFixture()

    @Test(
        "V08 a purchase is asked about by its own closure, else by the verifier; with neither it is valid",
        arguments: [true, false], [true, false])
    func purchase(hasClosure: Bool, hasVerifier: Bool) async {
        if hasVerifier { fixture.manager.verifier = TestVerifier(recorder: fixture.recorder) }
        // The request is there to receive it, so the default receiver is not asked.
        fixture.manager.defaultHandlers = fixture.recorder.purchaseHandlers("default", verifies: true)
        let token = fixture.manager.purchase(
            .sample(), handlers: fixture.recorder.purchaseHandlers("a", verifies: hasClosure))
        await fixture.answer(token, with: .sample())
        #expect(
            fixture.handlerLines
                == (hasClosure ? ["a verify 1"] : hasVerifier ? ["verifier 1", "a success 1"] : ["a success 1"]))
    }

    @Test(
        "V08 of a transaction that nobody asked for the default receiver is asked, else the verifier, else it is valid",
        arguments: [true, false], [true, false])
    func unasked(hasDefaultClosure: Bool, hasVerifier: Bool) async {
        if hasVerifier { fixture.manager.verifier = TestVerifier(recorder: fixture.recorder) }
        fixture.manager.defaultHandlers = fixture.recorder.purchaseHandlers("default", verifies: hasDefaultClosure)
        await fixture.answer(nil, with: .sample())
        #expect(
            fixture.handlerLines
                == (hasDefaultClosure
                    ? ["default verify 1"]
                    : hasVerifier ? ["verifier 1", "default success 1"] : ["default success 1"]))
    }

    /// What happened to a request whose closure was to verify.
    enum Loss: String, CaseIterable { case cancelledBefore, cancelledAfter }

    @Test(
        "V08 a transaction whose request had a verify closure never counts as valid unasked", arguments: Loss.allCases,
        [true, false])
    func requestWithClosure(loss: Loss, hasVerifier: Bool) async {
        fixture.manager.defaultHandlers = fixture.recorder.purchaseHandlers("default")
        let token = fixture.manager.purchase(
            .sample(), handlers: fixture.recorder.purchaseHandlers("a", verifies: true))
        if loss == .cancelledBefore { fixture.manager.cancel(token) }
        await fixture.answer(token, with: .sample())
        if loss == .cancelledAfter { fixture.manager.cancel(token) }
        await fixture.advance(by: 60)
        #expect(fixture.handlerLines.last == "default failure 1 unableToCompleteVerification")

        if hasVerifier { fixture.manager.verifier = TestVerifier(recorder: fixture.recorder) }
        fixture.manager.retryPendingVerifications()
        await fixture.manager.settle()
        #expect((fixture.handlerLines.last == "default success 1") == hasVerifier)
        #expect((fixture.backend.finished == ["1"]) == hasVerifier)
    }

    @Test(
        "V08 the awaited form asks the verifier, and without one its transaction counts as valid",
        arguments: [nil, true, false])
    func awaited(isValid: Bool?) async throws {
        if let isValid {
            fixture.manager.verifier = TestVerifier { _ in isValid ? .valid : .invalid(reason: "sample") }
        }
        fixture.backend.answer = { command in
            if case .purchase(let payment) = command { [StoreAnswer.purchased.event(for: payment)] } else { [] }
        }
        let outcome = await Task { try await fixture.manager.purchase(.sample()) }.result
        switch (outcome, isValid) {
        case (.success(.purchased), nil), (.success(.purchased), true): break
        case (.failure(StoreError.verificationFailed), false): break
        default: Issue.record("\(outcome)")
        }
    }

    @Test("V08 S05 a failed transaction is not asked about", arguments: [true, false])
    func failed(isAsked: Bool) async {
        fixture.manager.verifier = TestVerifier(recorder: fixture.recorder)
        fixture.manager.defaultHandlers = fixture.recorder.purchaseHandlers("default", verifies: true)
        let token = fixture.manager.purchase(
            .sample(), handlers: fixture.recorder.purchaseHandlers("a", verifies: true))
        await fixture.answer(isAsked ? token : nil, with: .sample(state: .failed))
        #expect(fixture.handlerLines == [isAsked ? "a failure 1 unknown" : "default failure 1 unknown"])
    }

    // MARK: What StoreKit itself doubts

    private let doubted = StoreTransaction.sample().with(\.storeVerification, .unverified(reason: "bad signature"))

    @Test(
        "V08 what the store marks unverified fails once, is not asked about, and stays unfinished",
        arguments: [true, false])
    func unverified(isAsked: Bool) async {
        fixture.manager.persistence = TestPersistence(recorder: fixture.recorder)
        fixture.manager.verifier = TestVerifier(recorder: fixture.recorder)
        fixture.manager.defaultHandlers = fixture.recorder.purchaseHandlers("default", verifies: true)
        let token = fixture.manager.purchase(
            .sample(), handlers: fixture.recorder.purchaseHandlers("a", verifies: true))
        for _ in 1...2 { await fixture.answer(isAsked ? token : nil, with: doubted) }
        fixture.manager.retryPendingVerifications()
        await fixture.advance(by: 1000)
        #expect(fixture.handlerLines == [(isAsked ? "a" : "default") + " failure 1 verificationFailed"])
        #expect(fixture.backend.finished == [])
    }

    @Test(
        "V08 what was unverified is dealt with when the store comes to trust it, in this run or at the next launch",
        arguments: [true, false])
    func trustedLater(isNextLaunch: Bool) async {
        fixture.manager.defaultHandlers = fixture.recorder.purchaseHandlers("default", verifies: true)
        await fixture.answer(nil, with: doubted)
        let next = isNextLaunch ? ManagerFixture() : fixture
        next.manager.defaultHandlers = next.recorder.purchaseHandlers("default", verifies: true)
        await next.answer(nil, with: .sample().with(\.storeVerification, .verified))
        next.manager.transaction(.sample(), didVerify: true)
        await next.manager.settle()
        #expect(next.handlerLines.suffix(2) == ["default verify 1", "default success 1"])
        #expect(next.backend.finished == ["1"])
    }
}
