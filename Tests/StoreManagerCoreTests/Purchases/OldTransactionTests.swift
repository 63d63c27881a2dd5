import Foundation
import StoreManagerCore
import TestSupport
import Testing

/// P14, P22: purchases that the store answers with a transaction that is not new.
@MainActor
struct OldTransactionTests {
    private let fixture = ManagerFixture()

    @Test("P14 an old unfinished transaction goes to the default receiver; a new purchase waits for its own payment")
    func oldTransactionOfTheProduct() async {
        fixture.manager.defaultHandlers = fixture.recorder.purchaseHandlers("default")
        let token = fixture.manager.purchase(.sample(), handlers: fixture.recorder.purchaseHandlers("a"))
        await fixture.answer(nil, with: .sample("old"))
        #expect(fixture.handlerLines == ["default success old"])
        #expect(fixture.manager.isPending(token))
        await fixture.answer(token, with: .sample("new"))
        #expect(fixture.handlerLines == ["default success old", "a success new"])
    }

    @Test("P14 a purchase takes a transaction that rests because the purchase it answered has nobody to receive it")
    func restingTransactionOfAnotherPurchase() async {
        let first = fixture.manager.purchase(.sample(), handlers: PurchaseHandlers())
        await fixture.answer(first, with: .sample("old"))
        let second = fixture.manager.purchase(.sample(), handlers: fixture.recorder.purchaseHandlers("second"))
        await fixture.answer(second, with: .sample("old"))
        #expect(fixture.handlerLines == ["second success old"])
        #expect(!fixture.manager.isPending(second))
    }

    /// Where an old transaction can be when a payment is answered with it, before anybody received it.
    enum Place: String, CaseIterable {
        case waitingForReceiver, beingVerified, undecided, unsaved, waitingForDelivery
    }

    @Test(
        "P14 the store answers with the old transaction, which nobody received yet: the purchase takes it, once",
        arguments: Place.allCases)
    func undeliveredOldTransaction(place: Place) async {
        let old = StoreTransaction.sample("old")
        let ledger = TestPersistence()
        ledger.isBroken = place == .unsaved
        fixture.manager.persistence = ledger
        switch place {
        case .waitingForReceiver:
            await fixture.answer(nil, with: old)
        case .beingVerified:
            fixture.manager.defaultHandlers = PurchaseHandlers(onSuccess: { _ in }, onVerify: { _ in })
            await fixture.answer(nil, with: old)
        case .undecided:
            fixture.manager.verifier = TestVerifier { _ in .unableToComplete(SampleError()) }
            fixture.manager.defaultHandlers = PurchaseHandlers(onSuccess: { _ in })
            await fixture.answer(nil, with: old)
            fixture.manager.verifier = nil
        case .unsaved:
            fixture.manager.defaultHandlers = PurchaseHandlers(onSuccess: { _ in })
            await fixture.answer(nil, with: old)
            ledger.isBroken = false
        case .waitingForDelivery:
            fixture.manager.defaultHandlers = PurchaseHandlers(onSuccess: { _ in }, onVerify: { _ in })
            await fixture.answer(nil, with: old)
            fixture.manager.defaultHandlers = nil
            fixture.manager.transaction(old, didVerify: true)
            await fixture.manager.settle()
        }
        fixture.manager.defaultHandlers = fixture.recorder.purchaseHandlers("default")
        if place == .waitingForReceiver || place == .waitingForDelivery { fixture.manager.defaultHandlers = nil }

        let token = fixture.manager.purchase(.sample(), handlers: fixture.recorder.purchaseHandlers("a"))
        for _ in 1...2 { await fixture.answer(token, with: old) }
        fixture.manager.transaction(old, didVerify: true)
        await fixture.manager.settle()

        #expect(fixture.handlerLines == ["a success old"])
        #expect(!fixture.manager.isPending(token))
        #expect(fixture.backend.finished == ["old"])
    }

    @Test("P14 the purchase that took an old transaction over is asked to verify it, and may be cancelled")
    func verificationOfOldTransaction() async {
        let old = StoreTransaction.sample("old")
        await fixture.answer(nil, with: old)
        let token = fixture.manager.purchase(
            .sample(), handlers: fixture.recorder.purchaseHandlers("a", verifies: true))
        await fixture.answer(token, with: old)
        #expect(fixture.handlerLines == ["a verify old"])

        fixture.manager.cancel(token)
        fixture.manager.transaction(old, didVerify: .unableToComplete(SampleError()))
        fixture.manager.defaultHandlers = fixture.recorder.purchaseHandlers("default")
        await fixture.advance(by: 2)
        // Nobody is left who could tell, and without anybody it does not count as valid.
        #expect(fixture.handlerLines == ["a verify old", "default failure old unableToCompleteVerification"])
        #expect(fixture.backend.finished == [])
    }

    /// Where an old transaction can be when a payment is answered with it, after somebody received it.
    enum PlaceAfterDelivery: String, CaseIterable { case finishing, awaitingFinish, finished }

    @Test(
        "P14 P22 the store answers with a transaction that was delivered: a consumable fails, a non-consumable is restored, a subscription scheduled",
        arguments: [
            (StoreProductType.consumable, "failure unfinishedTransaction"), (.nonConsumable, "restored old restored"),
            (.nonRenewable, "failure unfinishedTransaction"), (.autoRenewable, "scheduled old scheduled"),
            (.unknown, "failure unfinishedTransaction"),
        ], PlaceAfterDelivery.allCases)
    func deliveredOldTransaction(
        expected: (type: StoreProductType, line: String), place: PlaceAfterDelivery
    ) async {
        let fixture = ManagerFixture(finishing: place == .awaitingFinish ? .manual : .automatic)
        let old = StoreTransaction.sample("old", of: "it", expected.type)
        fixture.manager.defaultHandlers = fixture.recorder.purchaseHandlers("default")
        let purchase = Task { () -> String in
            do {
                return try await fixture.manager.purchase(.sample("it", expected.type)).line
            } catch {
                return "failure \((error as? StoreError)?.name ?? "\(error)")"
            }
        }
        await fixture.backend.firstPayment()
        await fixture.answer(nil, with: old)
        if place == .finished { await fixture.report(.transactionFinished("old")) }

        let token = fixture.backend.payments[0].token
        for _ in 1...2 { await fixture.answer(token, with: old) }
        #expect(!fixture.manager.isPending(token))
        if fixture.manager.isPending(token) { purchase.cancel() }
        #expect(await purchase.value == expected.line)
        #expect(fixture.handlerLines == ["default success old"])
    }

    @Test(
        "P14 V08 a purchase with a verify closure takes over what the verifier is asked about: it never counts as valid unasked"
    )
    func oldTransactionThatIsBeingVerified() async {
        let (old, gate) = (StoreTransaction.sample("old"), Gate())
        fixture.manager.verifier = TestVerifier(gate: gate) { _ in .unableToComplete(SampleError()) }
        fixture.manager.defaultHandlers = PurchaseHandlers(onSuccess: { _ in })
        fixture.backend.report(.transactionsUpdated([StoreTransactionUpdate(old)]))
        await gate.arrival()
        let token = fixture.manager.purchase(
            .sample(), handlers: fixture.recorder.purchaseHandlers("a", verifies: true))
        fixture.backend.report(.transactionsUpdated([StoreTransactionUpdate(old, token: token)]))
        gate.open()
        await fixture.manager.settle()
        #expect(fixture.handlerLines == ["a failure old unableToCompleteVerification"])

        fixture.manager.verifier = nil
        fixture.manager.retryPendingVerifications()
        await fixture.manager.settle()
        #expect(fixture.handlerLines.last == "a verify old")
        #expect(fixture.backend.finished == [])
    }

    @Test(
        "P14 a payment that is answered with the transaction of another one ends when that one does",
        arguments: [true, false])
    func transactionOfAnotherPurchase(isValid: Bool) async {
        let tokens = ["a", "b"].map { name in
            fixture.manager.purchase(.sample(), handlers: fixture.recorder.purchaseHandlers(name, verifies: true))
        }
        for token in tokens { await fixture.answer(token, with: .sample()) }
        #expect(fixture.handlerLines == ["a verify 1"])
        fixture.manager.transaction(.sample(), didVerify: isValid)
        await fixture.report(.transactionFinished("1"))
        #expect(
            fixture.handlerLines.suffix(2)
                == (isValid
                    ? ["a success 1", "b failure 1 unfinishedTransaction"]
                    : ["a failure 1 verificationFailed", "b failure 1 verificationFailed"]))
    }

    @Test("P14 a payment that is answered with the transaction of another one takes it where that one could not tell")
    func undecidedTransactionOfAnotherPurchase() async {
        let tokens = ["a", "b"].map { name in
            fixture.manager.purchase(.sample(), handlers: fixture.recorder.purchaseHandlers(name, verifies: true))
        }
        for token in tokens { await fixture.answer(token, with: .sample()) }
        fixture.manager.transaction(.sample(), didVerify: .unableToComplete(SampleError()))
        await fixture.manager.settle()
        fixture.manager.transaction(.sample(), didVerify: true)
        await fixture.manager.settle()
        #expect(
            fixture.handlerLines == [
                "a verify 1", "a failure 1 unableToCompleteVerification", "b verify 1", "b success 1",
            ])
    }

    @Test(
        "V03 P14 a transaction that was refused stays refused when the store answers a new purchase with it",
        arguments: StoreProductType.allCases)
    func refusedOldTransaction(type: StoreProductType) async {
        let old = StoreTransaction.sample("old", of: "it", type)
        for name in ["a", "b"] {
            let handlers = fixture.recorder.purchaseHandlers(name, verifies: true)
            let token = fixture.manager.purchase(.sample("it", type), handlers: handlers)
            await fixture.answer(token, with: old)
            fixture.manager.transaction(old, didVerify: false)
            await fixture.report(.transactionFinished("old"))
        }
        #expect(
            fixture.handlerLines == [
                "a verify old", "a failure old verificationFailed", "b failure old verificationFailed",
            ])
    }

    @Test("U04 P14 a payment whose first word is that it was taken back ends as a failure, and the refund is reported")
    func paymentTakenBack() async {
        fixture.manager.defaultHandlers = fixture.recorder.purchaseHandlers("default")
        let token = fixture.manager.purchase(.sample(), handlers: fixture.recorder.purchaseHandlers("a"))
        await fixture.answer(token, with: .sample().with(\.revocationDate, .start))
        #expect(fixture.handlerLines == ["a failure - verificationFailed", "default revoke 1"])
        #expect(!fixture.manager.isPending(token))
    }

    // MARK: Plan changes

    @Test(
        "P22 a plan change ends its request once, marked as scheduled; nothing is verified, written or finished",
        arguments: ["basic", "premium"], [true, false])
    func planChange(answered: String, isCancelled: Bool) async {
        // The store answers with the plan that runs, or says that the new one is scheduled.
        let answer = StoreTransaction.sample(
            "1", of: answered, .autoRenewable, state: answered == "basic" ? .purchased : .scheduled)
        let ledger = TestPersistence(recorder: fixture.recorder)
        fixture.manager.persistence = ledger
        fixture.manager.verifier = TestVerifier(recorder: fixture.recorder)
        var handlers = fixture.recorder.purchaseHandlers("a", verifies: true)
        handlers.onRestore = { fixture.recorder.record("a restore \($0.id) \($0.state)") }
        fixture.manager.defaultHandlers = handlers
        let token = fixture.manager.purchase(
            .sample("premium", .autoRenewable), handlers: isCancelled ? PurchaseHandlers() : handlers)
        if isCancelled { fixture.manager.cancel(token) }
        await fixture.manager.settle()
        fixture.recorder.clear()

        await fixture.answer(token, with: answer)
        #expect(fixture.lines == ["a restore 1 scheduled"])
        #expect(!fixture.manager.isPending(token))
    }

    @Test("P22 a plan change does not disturb the transaction that it is answered with")
    func planChangeAnsweredWithBusyTransaction() async {
        let running = StoreTransaction.sample("1", of: "basic", .autoRenewable)
        fixture.manager.defaultHandlers = fixture.recorder.purchaseHandlers("default", verifies: true)
        await fixture.answer(nil, with: running)
        let token = fixture.manager.purchase(
            .sample("premium", .autoRenewable), handlers: fixture.recorder.purchaseHandlers("a"))
        await fixture.answer(token, with: running)
        #expect(fixture.manager.transaction(running, didVerify: true))
        await fixture.manager.settle()
        #expect(fixture.handlerLines == ["default verify 1", "a restore 1", "default success 1"])
        #expect(fixture.backend.finished == ["1"])
    }
}
