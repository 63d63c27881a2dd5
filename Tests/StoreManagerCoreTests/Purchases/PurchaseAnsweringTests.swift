import Foundation
import StoreManagerCore
import StoreSimulator
import TestSupport
import Testing

/// Which purchase an answer of the store belongs to.
@MainActor
struct PurchaseAnsweringTests {
    private let fixture = ManagerFixture()

    @Test(
        "P03 two purchases of one product each end in their own way, whatever the order of arrival",
        arguments: [[0, 1], [1, 0]],
        [StoreAnswer.cancelled, .failed, .nothing, .restored, .cancelledWithoutTransaction])
    func twoPurchasesOfOneProduct(order: [Int], other: StoreAnswer) async {
        fixture.manager.defaultHandlers = fixture.recorder.purchaseHandlers("default")
        for name in ["a", "b"] {
            fixture.manager.purchase(.sample(), handlers: fixture.recorder.purchaseHandlers(name))
        }
        let payments = fixture.backend.payments
        let events = [
            other.event(for: payments[0]),
            .transactionsUpdated([StoreTransactionUpdate(.sample("2", for: payments[1]), token: payments[1].token)]),
        ]
        for index in order { await fixture.report(events[index]) }
        let expected = ["a \(other.line)", "b success 2"]
        #expect(fixture.handlerLines == order.map { expected[$0] })
    }

    @Test(
        "P03 a store that knows no tokens: equal payments are answered in the order of their purchasing",
        arguments: [[0, 1], [1, 0]])
    func twoPurchasesWithoutTokens(order: [Int]) async {
        let fixture = ManagerFixture(capabilities: StoreBackendCapabilities(tokenCarriage: .never))
        for name in ["a", "b"] {
            fixture.manager.purchase(.sample(), handlers: fixture.recorder.purchaseHandlers(name))
        }
        let fingerprint = fixture.backend.payments[0].fingerprint
        func report(_ index: Int, _ state: StoreTransactionState) async {
            // In this store a transaction has its identifier only when it is paid.
            let transaction = StoreTransaction.sample(
                state == .purchasing ? "purchasing \(index)" : "\(index)", state: state)
            let queued = StoreQueuedPayment(handle: UInt64(index), fingerprint: fingerprint)
            await fixture.report(
                .transactionsUpdated([StoreTransactionUpdate(transaction, error: .cancelled(), queued: queued)]))
        }
        for index in order { await report(index, .purchasing) }
        await report(0, .purchased)
        await report(1, .failed)
        let names = order == [0, 1] ? ["a", "b"] : ["b", "a"]
        #expect(fixture.handlerLines == ["\(names[0]) success 0", "\(names[1]) cancel"])
    }

    @Test(
        "P04 100 purchases of 10 products, answered in any order: each ends once, each transaction is finished once",
        arguments: 1...5 as ClosedRange<UInt64>)
    func manyPurchases(seed: UInt64) async {
        var random = SplitMix64(seed: seed)
        for index in 0..<100 {
            fixture.manager.purchase(
                .sample("product \(index % 10)"), handlers: fixture.recorder.purchaseHandlers("\(index)"))
        }
        let answers = Array(fixture.backend.payments.enumerated()).shuffled(using: &random)
        for (index, payment) in answers {
            let update = StoreTransactionUpdate(.sample("\(index)", for: payment), token: payment.token)
            fixture.backend.report(.transactionsUpdated([update]))
            if Bool.random(using: &random) { fixture.backend.report(.transactionsUpdated([update])) }
        }
        await fixture.manager.settle()

        #expect(fixture.handlerLines.sorted() == (0..<100).map { "\($0) success \($0)" }.sorted(), "seed \(seed)")
        #expect(fixture.backend.finished == answers.map { "\($0.offset)" }, "seed \(seed)")
    }

    // MARK: The same transaction again

    @Test(
        "P13 what the store says again of a purchase calls nobody, before it was finished and after",
        arguments: [true, false], [true, false])
    func repetition(verifies: Bool, isFinished: Bool) async {
        fixture.manager.defaultHandlers = fixture.recorder.purchaseHandlers("default")
        let transaction = StoreTransaction.sample().with(\.signedDate, .start)
        let handlers = fixture.recorder.purchaseHandlers("a", verifies: verifies)
        let token = fixture.manager.purchase(.sample(), handlers: handlers)
        await fixture.answer(token, with: transaction)
        if isFinished {
            fixture.manager.transaction(transaction, didVerify: true)
            await fixture.report(.transactionFinished("1"))
        }

        // The store signs the same state again whenever it is asked.
        await fixture.answer(nil, with: transaction.with(\.signedDate, .start + 60))
        await fixture.answer(token, with: transaction)
        fixture.manager.transaction(transaction, didVerify: true)
        await fixture.report(.transactionFinished("1"))

        // What comes after the finish is finished again.
        #expect(fixture.backend.finished == Array(repeating: "1", count: isFinished ? 3 : 1))
        #expect(fixture.handlerLines == (verifies ? ["a verify 1", "a success 1"] : ["a success 1"]))
    }

    @Test(
        "P13 S03 what was finished in an earlier run is finished again and not delivered; what was only delivered is again",
        arguments: [true, false], [-60.0, 0, 60])
    func earlierRun(isFinished: Bool, seconds: TimeInterval) async {
        let transaction = StoreTransaction.sample().with(\.signedDate, .start)
        let ledger = MemoryPersistence()
        let earlier = ManagerFixture()
        earlier.manager.persistence = ledger
        earlier.manager.defaultHandlers = PurchaseHandlers(onSuccess: { _ in })
        await earlier.answer(nil, with: transaction)
        if isFinished { await earlier.report(.transactionFinished("1")) }

        // The same state under another signature, even an older one.
        fixture.manager.persistence = ledger
        fixture.manager.defaultHandlers = fixture.recorder.purchaseHandlers("default")
        await fixture.answer(nil, with: transaction.with(\.signedDate, .start + seconds))
        #expect(fixture.handlerLines == (isFinished ? [] : ["default success 1"]))
        #expect(fixture.backend.finished == ["1"])
    }

    @Test(
        "P13 another state of the same transaction is another word, and is delivered to the default receiver",
        arguments: [\StoreTransaction.expirationDate, \.revocationDate])
    func anotherState(path: any WritableKeyPath<StoreTransaction, Date?> & Sendable) async {
        fixture.manager.defaultHandlers = fixture.recorder.purchaseHandlers("default")
        let transaction = StoreTransaction.sample("1", of: "pass", .autoRenewable).with(\.signedDate, .start)
        let token = fixture.manager.purchase(
            .sample("pass", .autoRenewable), handlers: fixture.recorder.purchaseHandlers("a", verifies: true))
        await fixture.answer(token, with: transaction)
        // It comes while the first one is busy, and waits.
        await fixture.answer(nil, with: transaction.with(\.signedDate, .start + 60).with(path, .start + 3600))
        fixture.manager.transaction(transaction, didVerify: true)
        await fixture.report(.transactionFinished("1"))

        let news = path == \.revocationDate ? "default revoke 1" : "default success 1"
        #expect(fixture.handlerLines == ["a verify 1", "a success 1", news])
        // The store's finish is one for both.
        #expect(fixture.backend.finished == ["1"])
    }

    // MARK: Removed by another component

    @Test(
        "P15 a transaction that is removed before it was paid ends its request, once",
        arguments: [StoreTransactionState.purchasing, .deferred])
    func removedBeforePayment(state: StoreTransactionState) async {
        let token = fixture.manager.purchase(.sample(), handlers: fixture.recorder.purchaseHandlers("a"))
        await fixture.answer(token, with: .sample("x", state: state))
        fixture.recorder.clear()
        for _ in 1...2 { await fixture.report(.transactionsRemoved(["x"])) }
        #expect(fixture.lines == ["a failure - transactionRemoved"])
        #expect(!fixture.manager.isPending(token))
    }

    @Test(
        "P15 a transaction that is removed after it was paid is delivered, and not finished", arguments: [true, false])
    func removedAfterPayment(hasReceiver: Bool) async {
        let handlers = hasReceiver ? fixture.recorder.purchaseHandlers("a", verifies: true) : PurchaseHandlers()
        let token = fixture.manager.purchase(.sample(), handlers: handlers)
        await fixture.answer(token, with: .sample())
        await fixture.report(.transactionsRemoved(["1"]))
        fixture.manager.transaction(.sample(), didVerify: true)
        fixture.manager.defaultHandlers = fixture.recorder.purchaseHandlers("default")
        await fixture.manager.settle()
        #expect(fixture.handlerLines == (hasReceiver ? ["a verify 1", "a success 1"] : ["default success 1"]))
        #expect(fixture.backend.finished == [])
    }

    @Test("P15 a removal of what nobody knows does nothing", arguments: [[], ["", "7"]])
    func removalOfUnknown(ids: [String]) async {
        fixture.manager.purchase(.sample(), handlers: fixture.recorder.purchaseHandlers("a"))
        await fixture.report(.transactionsRemoved(ids))
        #expect(fixture.handlerLines == [])
    }
}
