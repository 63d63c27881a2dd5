import Foundation
import StoreManagerCore
import TestSupport
import Testing

/// What the verdict on a transaction brings about.
@MainActor
struct VerdictTests {
    private let fixture = ManagerFixture()

    /// Who of a request is asked.
    enum Asked: String, CaseIterable { case closure, delegate, defaultClosure, defaultDelegate }

    /// Has a transaction in the given state come, which somebody is asked about; returns the token of its purchase, if any,
    /// and what has to live on.
    private func ask(_ asked: Asked, about transaction: StoreTransaction) async -> (token: RequestToken?, AnyObject) {
        let delegate = RecordingDelegate("a", recorder: fixture.recorder)
        var token: RequestToken?
        switch asked {
        case .closure:
            token = fixture.manager.purchase(
                .sample(), handlers: fixture.recorder.purchaseHandlers("a", verifies: true))
        case .delegate: token = fixture.manager.purchase(.sample(), delegate: delegate)
        case .defaultClosure:
            fixture.manager.defaultHandlers = fixture.recorder.purchaseHandlers("a", verifies: true)
        case .defaultDelegate: fixture.manager.defaultDelegate = delegate
        }
        await fixture.answer(token, with: transaction)
        return (token, delegate)
    }

    /// What was recorded, without the tokens that only delegates are told, and without what the launch asks for.
    private var lines: [String] {
        fixture.lines.filter { $0 != "store purchase coins" && $0 != "store entitlements" }
            .map { $0.split(separator: " ").filter { !$0.contains("-") || $0 == "-" }.joined(separator: " ") }
    }

    @Test(
        "V01 the transaction is handed to whoever verifies, and nothing else happens until the answer",
        arguments: Asked.allCases,
        [StoreTransactionState.purchased, .restored])
    func nothingBeforeTheAnswer(asked: Asked, state: StoreTransactionState) async {
        fixture.manager.persistence = TestPersistence(recorder: fixture.recorder)
        fixture.manager.verifier = TestVerifier(recorder: fixture.recorder)
        let (token, delegate) = await ask(asked, about: .sample(state: state))
        await fixture.advance(by: 59)
        #expect(lines == ["a verify 1"])
        if let token { #expect(fixture.manager.isPending(token)) }
        withExtendedLifetime(delegate) {}
    }

    @Test(
        "V02 V10 S01 yes: ledger, then exactly one receiver, once, then finish", arguments: Asked.allCases,
        [StoreTransactionState.purchased, .restored])
    func yes(asked: Asked, state: StoreTransactionState) async {
        fixture.manager.persistence = TestPersistence(recorder: fixture.recorder)
        let (_, delegate) = await ask(asked, about: .sample(state: state))
        #expect(fixture.manager.transaction(.sample(), didVerify: true))
        await fixture.report(.transactionFinished("1"))
        #expect(
            lines == [
                "a verify 1", "ledger write 1", state == .restored ? "a restore 1" : "a success 1", "store finish 1",
            ])
        withExtendedLifetime(delegate) {}
    }

    @Test(
        "V03 no: finished, then failure once; nothing is written, and the handler may buy again",
        arguments: Asked.allCases)
    func no(asked: Asked) async {
        let ledger = TestPersistence(recorder: fixture.recorder)
        fixture.manager.persistence = ledger
        let (token, delegate) = await ask(asked, about: .sample())
        #expect(fixture.manager.transaction(.sample(), didVerify: false))
        await fixture.report(.transactionFinished("1"))
        #expect(lines == ["a verify 1", "store finish 1", "a failure 1 verificationFailed"])

        // What the store repeats of it brings nothing back.
        await fixture.answer(token, with: .sample())
        #expect(lines == ["a verify 1", "store finish 1", "a failure 1 verificationFailed", "store finish 1"])
        withExtendedLifetime(delegate) {}
    }

    @Test("V03 a verdict's reason reaches the failure handler")
    func reason() async {
        let token = fixture.manager.purchase(
            .sample(), onSuccess: { _ in },
            onFailure: { [recorder = fixture.recorder] _, error in
                if case .verificationFailed(let reason) = error { recorder.record(reason) }
            }, onVerify: { _ in })
        await fixture.answer(token, with: .sample())
        fixture.manager.transaction(.sample(), didVerify: .invalid(reason: "a forgery"))
        await fixture.manager.settle()
        #expect(fixture.handlerLines == ["a forgery"])
    }

    @Test(
        "V04 could not tell: nothing is finished, nothing is written, and the request fails once",
        arguments: Asked.allCases,
        [true, false])
    func couldNotTell(asked: Asked, isTimeout: Bool) async {
        fixture.manager.persistence = TestPersistence(recorder: fixture.recorder)
        let (token, delegate) = await ask(asked, about: .sample())
        if isTimeout {
            await fixture.advance(by: 60)
        } else {
            #expect(fixture.manager.transaction(.sample(), didVerify: .unableToComplete(SampleError())))
        }
        await fixture.manager.settle()
        #expect(lines == ["a verify 1", "a failure 1 unableToCompleteVerification"])
        if let token { #expect(!fixture.manager.isPending(token)) }
        withExtendedLifetime(delegate) {}
    }

    @Test(
        "V09 a verdict is final or not by its kind, never by an error's number",
        arguments: [0, 1, 100, 200, 21002, -1009])
    func numbersMeanNothing(code: Int) async {
        let error = NSError(domain: "somewhere", code: code)
        let token = fixture.manager.purchase(
            .sample(), handlers: fixture.recorder.purchaseHandlers("a", verifies: true))
        await fixture.answer(token, with: .sample())
        fixture.manager.transaction(.sample(), didVerify: .unableToComplete(error))
        await fixture.manager.settle()
        #expect(fixture.handlerLines.last == "a failure 1 unableToCompleteVerification")
        #expect(fixture.backend.finished == [])
    }

    @Test(
        "V09 could-not-tell stays open whatever the error says",
        arguments: [StoreError.verificationFailed(reason: "sample"), .cancelled(), .unknown()])
    func errorsOfOurOwn(error: StoreError) async {
        fixture.manager.verifier = TestVerifier { _ in .unableToComplete(error) }
        let token = fixture.manager.purchase(.sample(), handlers: fixture.recorder.purchaseHandlers("a"))
        await fixture.answer(token, with: .sample())
        #expect(fixture.handlerLines == ["a failure 1 unableToCompleteVerification"])
        #expect(fixture.backend.finished == [])
    }
}
