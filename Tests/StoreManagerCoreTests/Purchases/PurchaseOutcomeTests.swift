import StoreManagerCore
import TestSupport
import Testing

/// How a purchase ends: in one way, once, for its own request.
@MainActor
struct PurchaseOutcomeTests {
    private let fixture = ManagerFixture()

    @Test(
        "P07 P23 a purchase ends once, in one closure of its own, whatever the store says",
        arguments: StoreAnswer.allCases)
    func closures(answer: StoreAnswer) async {
        fixture.manager.defaultHandlers = fixture.recorder.purchaseHandlers("default")
        let token = fixture.manager.purchase(.sample(), handlers: fixture.recorder.purchaseHandlers("a"))
        fixture.manager.purchase(.sample("gems"), handlers: fixture.recorder.purchaseHandlers("b"))
        #expect(fixture.manager.isPending(token))

        // The store may say it again.
        for _ in 1...2 { await fixture.report(answer.event(for: fixture.backend.payments[0])) }

        #expect(fixture.handlerLines == ["a \(answer.line)"])
        #expect(!fixture.manager.isPending(token))
    }

    @Test("P07 P23 a purchase ends once, in one method of its delegate", arguments: StoreAnswer.allCases)
    func delegate(answer: StoreAnswer) async {
        let delegate = RecordingDelegate("d", recorder: fixture.recorder)
        fixture.manager.defaultDelegate = RecordingDelegate("default", recorder: fixture.recorder)
        let token = fixture.manager.purchase(.sample(), delegate: delegate)
        delegate.onVerify = { manager, transactions in manager.transaction(transactions[0], didVerify: true) }

        for _ in 1...2 { await fixture.report(answer.event(for: fixture.backend.payments[0])) }

        #expect(fixture.recorder.lines(of: "d").filter { !$0.hasPrefix("d verify") } == ["d \(answer.line) \(token)"])
        #expect(fixture.recorder.lines(of: "default") == [])
        withExtendedLifetime(delegate) {}
    }

    @Test("P07 P23 an awaited purchase returns once, and what is no outcome is thrown", arguments: StoreAnswer.allCases)
    func awaited(answer: StoreAnswer) async {
        fixture.backend.answer = { if case .purchase(let payment) = $0 { [answer.event(for: payment)] } else { [] } }
        let line: String
        do {
            line = try await fixture.manager.purchase(.sample()).line
        } catch {
            line = "failure \((error as? StoreError)?.name ?? "\(error)")"
        }
        let expected: [StoreAnswer: String] = [
            .purchased: "purchased 1 purchased", .restored: "restored 1 restored",
            .scheduled: "scheduled 1 scheduled", .failed: "failure productUnavailable",
            .failedWithoutTransaction: "failure productUnavailable", .cancelled: "cancelled",
            .cancelledWithoutTransaction: "cancelled", .nothing: "failure unknown",
        ]
        #expect(line == expected[answer])
    }

    @Test(
        "P07 deferred is a notice on the way: the request stays pending and ends later, once",
        arguments: StoreAnswer.allCases)
    func deferred(answer: StoreAnswer) async {
        let token = fixture.manager.purchase(.sample(), handlers: fixture.recorder.purchaseHandlers("a"))
        await fixture.report(.purchaseDeferred(for: token))
        #expect(fixture.manager.isPending(token))
        await fixture.report(answer.event(for: fixture.backend.payments[0]))
        #expect(fixture.handlerLines == ["a defer", "a \(answer.line)"])
    }

    @Test("P08 where a closure is missing another one stands in for it, or the default receiver")
    func fallbacks() async {
        let all = fixture.recorder.purchaseHandlers("a")
        var (noRestore, noCancel, noSuccess, onlyFailure) = (all, all, all, all)
        noRestore.onRestore = nil
        noCancel.onCancel = nil
        noSuccess.onSuccess = nil
        (onlyFailure.onSuccess, onlyFailure.onRestore) = (nil, nil)
        let cases: [(PurchaseHandlers, StoreAnswer, line: String)] = [
            (noRestore, .restored, "a success 1"), (noRestore, .scheduled, "a success 1"),
            (noCancel, .cancelled, "a failure 1 cancelled"),
            (noCancel, .cancelledWithoutTransaction, "a failure - cancelled"),
            (noSuccess, .purchased, "default success 1"), (noSuccess, .restored, "a restore 1"),
            (onlyFailure, .purchased, "default success 1"), (onlyFailure, .restored, "default restore 1"),
            (onlyFailure, .scheduled, "default restore 1"),
            (onlyFailure, .failed, "a failure 1 productUnavailable"),
        ]
        for (handlers, answer, line) in cases {
            let fixture = ManagerFixture()
            fixture.manager.defaultHandlers = self.fixture.recorder.purchaseHandlers("default")
            fixture.manager.purchase(.sample(), handlers: handlers)
            await fixture.report(answer.event(for: fixture.backend.payments[0]))
            #expect(self.fixture.recorder.clear() == [line], "\(answer)")
        }
    }

    @Test("P08 without a success closure and without a default receiver the transaction waits, unfinished")
    func noSuccessClosure() async {
        let token = fixture.manager.purchase(.sample(), onSuccess: nil)
        await fixture.answer(token, with: .sample())
        #expect(fixture.backend.finished == [])
        fixture.manager.defaultHandlers = fixture.recorder.purchaseHandlers("default")
        await fixture.manager.settle()
        #expect(fixture.lines == ["store purchase coins", "default success 1", "store finish 1"])
    }

    @Test("P07 no closure at all: nothing is called and nothing traps", arguments: StoreAnswer.allCases)
    func noClosures(answer: StoreAnswer) async {
        let token = fixture.manager.purchase(.sample(), handlers: PurchaseHandlers())
        await fixture.report(.purchaseDeferred(for: token), answer.event(for: fixture.backend.payments[0]))
        #expect(fixture.handlerLines == [])
    }

    @Test("P11 a purchase that is answered with restored ends its own request, once, and no restore")
    func purchaseAnsweredWithRestored() async {
        fixture.manager.restorePurchases(handlers: fixture.recorder.restoreHandlers("r"))
        let token = fixture.manager.purchase(
            .sample("pro", .nonConsumable), handlers: fixture.recorder.purchaseHandlers("a"))
        await fixture.answer(token, with: .sample("1", of: "pro", .nonConsumable, state: .restored))
        #expect(fixture.handlerLines == ["a restore 1"])
        #expect(fixture.backend.finished == ["1"])
    }

    @Test(
        "P16 S05 failed, then purchased, for one payment: one failure, and the purchase goes to the default receiver",
        arguments: ["1", "2"])
    func interruptedPurchase(identifier: String) async {
        fixture.manager.defaultHandlers = fixture.recorder.purchaseHandlers("default", verifies: true)
        let token = fixture.manager.purchase(.sample(), handlers: fixture.recorder.purchaseHandlers("a"))
        await fixture.answer(token, with: .sample("1", state: .failed))
        // Some stores give both the same identifier.
        let paid = StoreTransaction.sample(identifier)
        for _ in 1...2 { await fixture.answer(token, with: paid) }
        #expect(fixture.manager.transaction(paid, didVerify: true))
        await fixture.manager.settle()

        #expect(
            fixture.lines == [
                "store purchase coins", "store finish 1", "a failure 1 unknown", "default verify \(identifier)",
                "default success \(identifier)", "store finish \(identifier)",
            ])
    }

    @Test("P23 neither a transaction nor an error ends the purchase once, with an unknown error")
    func neitherTransactionNorError() async {
        let token = fixture.manager.purchase(.sample(), handlers: fixture.recorder.purchaseHandlers("a"))
        await fixture.report(.purchaseEnded(nil, for: token), .purchaseEnded(nil, for: token))
        #expect(fixture.handlerLines == ["a failure - unknown"])
    }
}
