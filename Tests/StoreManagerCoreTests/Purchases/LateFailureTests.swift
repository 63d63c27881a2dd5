import Foundation
import StoreManagerCore
import TestSupport
import Testing

/// P13, P16, S05: that a payment failed is an old word once the same transaction was paid, whenever the store says it again.
@MainActor
struct LateFailureTests {
    private let fixture = ManagerFixture()

    init() { setUp(fixture) }

    private func setUp(_ fixture: ManagerFixture) {
        fixture.backend.answer = { $0.finishedAtOnce }
        fixture.manager.defaultHandlers = fixture.recorder.purchaseHandlers("default")
    }

    private let failed = StoreTransaction.sample(state: .failed)

    @Test(
        "P13 S05 a failure of what was handed over is told to nobody, and does not have it handed over again",
        arguments: [true, false], StoreManager.FinishingPolicy.allCases)
    func handedOver(hasLedger: Bool, finishing: StoreManager.FinishingPolicy) async throws {
        let fixture = ManagerFixture(finishing: finishing)
        setUp(fixture)
        if hasLedger { fixture.manager.persistence = TestPersistence() }
        let token = fixture.manager.purchase(.sample(), handlers: fixture.recorder.purchaseHandlers("a"))
        await fixture.answer(token, with: .sample())
        for _ in 1...2 { await fixture.answer(nil, with: failed) }
        if finishing == .manual {
            #expect(fixture.backend.finished == [])
            try fixture.manager.finish(.sample())
        }
        await fixture.answer(nil, with: failed)
        #expect(fixture.backend.finished == ["1"])
        for _ in 1...2 { await fixture.answer(nil, with: .sample()) }
        await fixture.answer(nil, with: failed)
        #expect(fixture.handlerLines == ["a success 1"])
    }

    @Test("P13 S05 the same where the failure answers another purchase, which ends with it")
    func answersAnother() async {
        for name in ["a", "b"] {
            let token = fixture.manager.purchase(.sample(), handlers: fixture.recorder.purchaseHandlers(name))
            await fixture.answer(token, with: name == "a" ? .sample() : failed)
        }
        await fixture.answer(nil, with: .sample())
        #expect(fixture.handlerLines == ["a success 1", "b failure 1 unknown"])
    }

    @Test("P16 S03 a failure that answers a purchase does not have finished what is paid and still being verified")
    func beingVerified() async {
        let token = fixture.manager.purchase(.sample(), handlers: fixture.recorder.purchaseHandlers("a"))
        fixture.manager.defaultHandlers = fixture.recorder.purchaseHandlers("default", verifies: true)
        await fixture.answer(nil, with: .sample())
        await fixture.answer(token, with: failed)
        #expect(fixture.handlerLines == ["default verify 1", "a failure - unknown"])
        #expect(fixture.backend.finished == [])
        fixture.manager.transaction(.sample(), didVerify: true)
        await fixture.manager.settle()
        #expect(fixture.handlerLines.last == "default success 1")
        #expect(fixture.backend.finished == ["1"])
    }

    @Test("P16 S03 a failure does not have finished what is held back, neither for a restore nor for a purchase")
    func heldBack() async {
        let restore = fixture.manager.restorePurchases(handlers: fixture.recorder.restoreHandlers("r"))
        await fixture.answer(nil, with: .sample())
        await fixture.answer(nil, with: failed)
        #expect(fixture.backend.finished == [])
        await fixture.report(.restoreFinished(for: restore))
        #expect(fixture.recorder.lines(of: "default") == ["default success 1"])

        let other = ManagerFixture(capabilities: StoreBackendCapabilities(tokenCarriage: .unlessDeferred))
        setUp(other)
        let token = other.manager.purchase(.sample(), handlers: other.recorder.purchaseHandlers("a"))
        await other.answer(nil, with: .sample())
        await other.answer(nil, with: failed)
        #expect(other.backend.finished == [])
        await other.answer(token, with: failed)
        #expect(other.handlerLines == ["a failure - unknown", "default success 1"])
        #expect(other.backend.finished == ["1"])
    }

    @Test("V03 what was refused stays refused after a late failure")
    func refused() async {
        let recorder = fixture.recorder
        let token = fixture.manager.purchase(.sample(), handlers: recorder.purchaseHandlers("a", verifies: true))
        await fixture.answer(token, with: .sample())
        fixture.manager.transaction(.sample(), didVerify: false)
        await fixture.answer(nil, with: failed)
        await fixture.answer(nil, with: .sample())
        #expect(fixture.handlerLines == ["a verify 1", "a failure 1 verificationFailed"])

        // In a state that nobody refused it is still not taken for valid unasked.
        let other = fixture.manager.purchase(.sample(), handlers: recorder.purchaseHandlers("b"))
        await fixture.answer(other, with: failed)
        await fixture.answer(nil, with: .sample().with(\.expirationDate, .start + 100))
        #expect(
            fixture.handlerLines.suffix(2) == ["b failure 1 unknown", "default failure 1 unableToCompleteVerification"])
    }

    @Test("P13 P16 failed, then paid: delivered once, whatever the dates of the signatures", arguments: [-1.0, 0, 1])
    func failedFirst(seconds: TimeInterval) async {
        let paid = StoreTransaction.sample().with(\.signedDate, .start)
        await fixture.answer(nil, with: failed.with(\.signedDate, .start + seconds))
        for _ in 1...3 { await fixture.answer(nil, with: paid) }
        #expect(fixture.handlerLines == ["default failure 1 unknown", "default success 1"])
    }
}
