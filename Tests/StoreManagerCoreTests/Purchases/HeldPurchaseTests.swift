import Foundation
import StoreManagerCore
import TestSupport
import Testing

/// P24: a purchase waits while a delivered transaction of its product is not finished yet.
@MainActor
struct HeldPurchaseTests {
    private let fixture = ManagerFixture()

    @Test(
        "P24 a purchase from inside the success handler is held until the finish returned, purchases of other products are not"
    )
    func purchaseInSuccessHandler() async {
        let (manager, recorder) = (fixture.manager, fixture.recorder)
        let token = manager.purchase(.sample()) { _ in
            recorder.record("a success")
            manager.purchase(.sample(), handlers: recorder.purchaseHandlers("b"))
            manager.purchase(.sample("gems"), onSuccess: nil)
        }
        await fixture.answer(token, with: .sample())
        await fixture.advance(by: 9)
        #expect(fixture.lines == ["store purchase coins", "a success", "store purchase gems", "store finish 1"])

        await fixture.report(.transactionFinished("1"))
        #expect(fixture.lines.last == "store purchase coins")
        await fixture.answer(fixture.backend.payments[2].token, with: .sample("2"))
        #expect(fixture.lines.suffix(2) == ["b success 2", "store finish 2"])
    }

    @Test("P24 a purchase right after an awaited one is held until the finish returned")
    func purchaseAfterAwaitedOne() async throws {
        fixture.backend.answer = { command in
            if case .purchase(let payment) = command { [StoreAnswer.purchased.event(for: payment)] } else { [] }
        }
        _ = try await fixture.manager.purchase(.sample())
        fixture.manager.purchase(.sample(), onSuccess: nil)
        await fixture.manager.settle()
        #expect(fixture.backend.payments.count == 1)
        await fixture.report(.transactionFinished("1"))
        #expect(fixture.backend.payments.count == 2)
    }

    /// What was handed over, or refused, and is being finished.
    enum Earlier: String, CaseIterable { case purchased, restored, refused, revoked, repeated }

    /// How its finish ends.
    enum Ending: String, CaseIterable { case finished, removed, hanging }

    @Test(
        "P24 S04 a purchase is held until the finish returned, or for 10 s where it hangs, and the next one not at all",
        arguments: Earlier.allCases, Ending.allCases)
    func finish(earlier: Earlier, ending: Ending) async {
        var transaction = StoreTransaction.sample()
        if earlier == .restored { transaction.state = .restored }
        if earlier == .revoked { transaction.revocationDate = .start }
        if earlier == .refused { fixture.manager.verifier = TestVerifier { _ in .invalid(reason: "sample") } }
        fixture.manager.defaultHandlers = PurchaseHandlers(onSuccess: { _ in })
        await fixture.answer(nil, with: transaction)
        if earlier == .repeated {
            await fixture.report(.transactionFinished("1"))
            await fixture.answer(nil, with: transaction)
        }
        fixture.recorder.clear()

        fixture.manager.purchase(.sample(), onSuccess: nil)
        await fixture.advance(by: 9.9)
        #expect(fixture.lines == [])
        switch ending {
        case .finished: await fixture.report(.transactionFinished("1"))
        case .removed: await fixture.report(.transactionsRemoved(["1"]))
        case .hanging: await fixture.advance(by: 0.1)
        }
        #expect(fixture.lines == ["store purchase coins"])

        fixture.manager.purchase(.sample(), onSuccess: nil)
        #expect(fixture.lines == ["store purchase coins", "store purchase coins"])
    }

    @Test("P24 a failed payment holds nothing up: its handler may buy again at once")
    func failedPayment() async {
        let (manager, recorder) = (fixture.manager, fixture.recorder)
        let token = manager.purchase(
            .sample(), onSuccess: nil,
            onFailure: { _, _ in manager.purchase(.sample(), handlers: recorder.purchaseHandlers("b")) })
        await fixture.answer(token, with: .sample("1", state: .failed))
        #expect(fixture.lines == ["store purchase coins", "store finish 1", "store purchase coins"])
    }

    @Test("P24 where the app finishes, a purchase waits for that")
    func manualFinishing() async throws {
        let fixture = ManagerFixture(finishing: .manual)
        let token = fixture.manager.purchase(.sample()) { _ in }
        await fixture.answer(token, with: .sample())
        fixture.manager.purchase(.sample(), onSuccess: nil)
        await fixture.manager.settle()
        #expect(fixture.lines == ["store purchase coins"])
        try fixture.manager.finish(.sample())
        await fixture.report(.transactionFinished("1"))
        #expect(fixture.lines == ["store purchase coins", "store finish 1", "store purchase coins"])
    }

    @Test("P24 what nobody received holds nothing up")
    func undeliveredTransaction() async {
        var delegate: RecordingDelegate? = RecordingDelegate("d", recorder: fixture.recorder)
        let token = fixture.manager.purchase(.sample(), delegate: delegate!)
        await fixture.answer(token, with: .sample())
        delegate = nil
        fixture.manager.transaction(.sample(), didVerify: true)
        await fixture.manager.settle()
        fixture.manager.purchase(.sample(), onSuccess: nil)
        #expect(fixture.backend.payments.count == 2)
    }

    @Test("P21 P24 a purchase that is cancelled while it is held never reaches the store")
    func cancelledWhileHeld() async {
        let token = fixture.manager.purchase(.sample()) { _ in }
        await fixture.answer(token, with: .sample())
        let held = fixture.manager.purchase(.sample(), handlers: fixture.recorder.purchaseHandlers("a"))
        let other = fixture.manager.purchase(.sample(), onSuccess: nil)
        fixture.manager.cancel(held)
        await fixture.report(.transactionFinished("1"))
        await fixture.advance(by: 10)
        #expect(fixture.backend.payments.map(\.token) == [token, other])
        #expect(fixture.handlerLines == [])
        #expect(!fixture.manager.isPending(held))
    }
}
