import Foundation
import StoreManagerCore
import TestSupport
import Testing

/// `cancel(_:)` on a purchase: its handlers are detached, what was paid is not lost.
@MainActor
struct PurchaseCancellationTests {
    private let fixture = ManagerFixture()

    @Test(
        "P21 the handlers of a cancelled purchase are not called, and its transaction goes to the default receiver",
        arguments: StoreAnswer.allCases)
    func cancelled(answer: StoreAnswer) async {
        fixture.manager.defaultHandlers = fixture.recorder.purchaseHandlers("default")
        let token = fixture.manager.purchase(.sample(), handlers: fixture.recorder.purchaseHandlers("a"))
        fixture.manager.cancel(token)
        #expect(!fixture.manager.isPending(token))
        for _ in 1...2 { await fixture.report(answer.event(for: fixture.backend.payments[0])) }
        #expect(fixture.handlerLines == ["default \(answer.line)"])
    }

    @Test("P21 without a default receiver the transaction of a cancelled purchase waits for one, context and all")
    func cancelledWithoutReceiver() async throws {
        let context = try PurchaseContext(encoding: "level 7")
        let token = fixture.manager.purchase(
            .sample(), options: PurchaseOptions(context: context), handlers: fixture.recorder.purchaseHandlers("a"))
        fixture.manager.cancel(token)
        await fixture.answer(token, with: .sample())
        #expect(fixture.backend.finished == [])
        fixture.manager.defaultHandlers = PurchaseHandlers(onSuccess: { transaction in
            fixture.recorder.record("default \((try? transaction.context?.decode(String.self)) ?? "-")")
        })
        await fixture.manager.settle()
        #expect(fixture.handlerLines == ["default level 7"])
        #expect(fixture.backend.finished == ["1"])
    }

    @Test(
        "P21 a purchase that is cancelled while it is asked about: the answer counts, and the default receiver is called",
        arguments: [true, false])
    func cancelledWhileVerified(isValid: Bool) async {
        fixture.manager.defaultHandlers = fixture.recorder.purchaseHandlers("default")
        let token = fixture.manager.purchase(
            .sample(), handlers: fixture.recorder.purchaseHandlers("a", verifies: true))
        await fixture.answer(token, with: .sample())
        fixture.manager.cancel(token)
        #expect(fixture.manager.transaction(.sample(), didVerify: isValid))
        await fixture.manager.settle()
        #expect(
            fixture.handlerLines == [
                "a verify 1", isValid ? "default success 1" : "default failure 1 verificationFailed",
            ])
    }

    @Test("P21 V04 a cancelled purchase is not asked again, and does not count as valid for that")
    func cancelledAndAskedAgain() async {
        fixture.manager.defaultHandlers = fixture.recorder.purchaseHandlers("default")
        let token = fixture.manager.purchase(
            .sample(), handlers: fixture.recorder.purchaseHandlers("a", verifies: true))
        await fixture.answer(token, with: .sample())
        fixture.manager.cancel(token)
        fixture.manager.transaction(.sample(), didVerify: .unableToComplete(SampleError()))
        await fixture.advance(by: 2)
        await fixture.advance(by: 4)
        #expect(fixture.handlerLines == ["a verify 1", "default failure 1 unableToCompleteVerification"])
        #expect(fixture.backend.finished == [])

        // Somebody who can tell.
        fixture.manager.verifier = TestVerifier(recorder: fixture.recorder)
        fixture.manager.retryPendingVerifications()
        await fixture.manager.settle()
        #expect(fixture.handlerLines.suffix(2) == ["verifier 1", "default success 1"])
    }

    @Test("P21 cancelling what has ended, or was never there, does nothing")
    func cancelledTooLate() async {
        fixture.manager.defaultHandlers = fixture.recorder.purchaseHandlers("default")
        let token = fixture.manager.purchase(.sample(), handlers: fixture.recorder.purchaseHandlers("a"))
        await fixture.answer(token, with: .sample())
        for kind in RequestToken.Kind.allCases { fixture.manager.cancel(RequestToken(kind: kind, number: 99)) }
        for _ in 1...2 { fixture.manager.cancel(token) }
        await fixture.report(.transactionFinished("1"))
        #expect(fixture.handlerLines == ["a success 1"])
    }

    @Test("P21 an error found early is not told to a purchase that is cancelled at once")
    func cancelledBeforeEarlyError() async {
        let token = fixture.manager.purchase(
            .sample(), options: PurchaseOptions(quantity: 0), handlers: fixture.recorder.purchaseHandlers("a"))
        fixture.manager.cancel(token)
        await fixture.manager.settle()
        #expect(fixture.lines == [])
    }

    @Test("P21 a cancelled task gets CancellationError at once; the payment goes on, to the default receiver")
    func cancelledTask() async {
        fixture.manager.defaultHandlers = fixture.recorder.purchaseHandlers("default")
        let task = Task { try await fixture.manager.purchase(.sample()) }
        await fixture.backend.firstPayment()
        task.cancel()
        await #expect(throws: CancellationError.self) { _ = try await task.value }
        await fixture.manager.settle()
        let token = fixture.backend.payments[0].token
        #expect(!fixture.manager.isPending(token))
        await fixture.answer(token, with: .sample())
        #expect(fixture.lines == ["store purchase coins", "default success 1", "store finish 1"])
    }

    @Test("P21 a task that was cancelled before it buys asks the store for nothing")
    func cancelledBeforePurchase() async {
        let task = Task { try await fixture.manager.purchase(.sample()) }
        task.cancel()
        await #expect(throws: CancellationError.self) { _ = try await task.value }
        await fixture.manager.settle()
        #expect(fixture.lines == [])
    }
}
