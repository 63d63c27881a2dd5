import Foundation
import StoreManagerCore
import StoreSimulator
import Testing

@MainActor
@Suite("Purchases that wait for somebody")
struct WaitingPurchaseTests {
    let store = SimulatedStore(configuration: Shop.configuration())
    let app: TestApp

    init() { app = TestApp(store) }

    private var waiting: String { store.allTransactions.first { $0.pendingAskToBuyConfirmation }?.id ?? "none" }

    @Test("C02 Ask to Buy waits; approved it is paid, on the same token; declined it fails")
    func askToBuy() async throws {
        store.askToBuyEnabled = true
        let approved = app.startBuying(Shop.coins)
        await store.settle()
        #expect(app.answer(to: approved).transaction?.state == .deferred)
        store.clock.advance(by: 3_600)
        try store.approveAskToBuyTransaction(identifier: waiting)
        await store.settle()
        let transaction = try #require(app.answer(to: approved).transaction)
        #expect(transaction.state == .purchased)
        #expect(transaction.purchaseDate == store.clock.now)

        let declined = app.startBuying(Shop.coins)
        try store.declineAskToBuyTransaction(identifier: waiting)
        await store.settle()
        #expect(app.answer(to: declined).transactions.map(\.state).suffix(2) == [.deferred, .failed])
        #expect(throws: SimulatorError.self) { try store.declineAskToBuyTransaction(identifier: transaction.id) }
    }

    @Test("C02 approved after a relaunch it comes unasked")
    func approvedLater() async throws {
        store.buyer.nextAnswers = [.ask]
        await app.buy(Shop.coins)
        store.relaunch()
        let next = TestApp(store)
        await store.settle()
        #expect(next.events.isEmpty)
        try store.approveAskToBuyTransaction(identifier: waiting)
        await store.settle()
        #expect(next.unasked.map(\.state) == [.purchased])
    }

    @Test("C02 with StoreKit 2 a purchase that waits has no transaction, comes without a token, and is never declined")
    func storeKit2() async throws {
        store.habits.tokenCarriage = .unlessDeferred
        store.buyer.nextAnswers = [.ask, .ask, .cancel]
        let first = await app.buy(Shop.coins)
        #expect(first.wasDeferred)
        #expect(first.transactions.isEmpty)
        try store.approveAskToBuyTransaction(identifier: waiting)
        await store.settle()
        #expect(app.updates.map(\.token) == [nil])
        let second = await app.buy(Shop.coins)
        try store.declineAskToBuyTransaction(identifier: waiting)
        await store.settle()
        #expect(app.answer(to: second.token).error == nil)
        let cancelled = await app.buy(Shop.coins)
        #expect(cancelled.hasEnded)
        #expect(cancelled.transactions.isEmpty)
        #expect(cancelled.error?.isCancellation == true)
    }

    @Test("C02 an interrupted purchase fails, and when its issue is resolved another is paid, which nobody asked for")
    func interrupted() async throws {
        store.interruptedPurchasesEnabled = true
        let answer = await app.buy(Shop.coins, PurchaseOptions(quantity: 4))
        #expect(answer.transaction?.state == .failed)
        let failed = try #require(store.allTransactions.first)
        #expect(failed.hasPurchaseIssue)
        try store.resolveIssueForTransaction(identifier: failed.id)
        await store.settle()
        let paid = try #require(app.unasked.last)
        #expect(paid.state == .purchased)
        #expect(paid.quantity == 4)
        #expect(paid.id != failed.id)
        #expect(store.allTransactions.first?.hasPurchaseIssue == false)
        #expect(throws: SimulatorError.self) { try store.resolveIssueForTransaction(identifier: failed.id) }
    }

    @Test("C02 with StoreKit 2 an interrupted purchase waits, and is paid when its issue is resolved")
    func interruptedStoreKit2() async throws {
        store.habits.tokenCarriage = .unlessDeferred
        store.buyer.nextAnswers = [.interrupt]
        #expect(await app.buy(Shop.goldMonthly).wasDeferred)
        try store.resolveIssueForTransaction(identifier: try #require(store.allTransactions.first).id)
        await store.settle()
        #expect(app.unasked.map(\.state) == [.purchased])
        #expect(store.currentEntitlements.count == 1)
    }

    @Test("C02 a sheet that is left open is answered later, and is gone after a relaunch")
    func hesitation() async throws {
        store.buyer.nextAnswers = [.hesitate, .hesitate]
        let first = await app.buy(Shop.coins)
        let open = try #require(store.allTransactions.first)
        #expect(open.state == .purchasing)
        try store.answerOpenPayment(identifier: open.id, with: .buy)
        await store.settle()
        #expect(app.answer(to: first.token).transaction?.state == .purchased)
        #expect(throws: SimulatorError.self) { try store.answerOpenPayment(identifier: open.id, with: .buy) }
        await app.buy(Shop.coins)
        store.relaunch()
        #expect(store.allTransactions.map(\.state) == [.purchased])
    }

    @Test("C02 a queue that knows no tokens tells which transaction is which instead")
    func queue() async throws {
        store.habits.tokenCarriage = .never
        store.buyer.nextAnswers = [.buy, .cancel]
        app.startBuying(Shop.coins, PurchaseOptions(quantity: 2, applicationUsername: "jane"))
        app.startBuying(Shop.coins)
        await store.settle()
        #expect(app.updates.allSatisfy { $0.token == nil })
        let byHandle = Dictionary(grouping: app.updates) { $0.queued?.handle ?? 0 }
        let states = byHandle.sorted { $0.key < $1.key }.map { $0.value.map(\.transaction.state) }
        #expect(states == [[.purchasing, .purchased], [.purchasing, .failed]])
        let fingerprint = app.updates.first?.queued?.fingerprint
        #expect(
            fingerprint
                == StorePayment.Fingerprint(
                    productIdentifier: Shop.coins, quantity: 2, applicationUsername: "jane"))
        #expect(app.updates.last?.error?.isCancellation == true)
    }

    @Test("C02 a transaction that another component takes from the queue is gone, and the app is told")
    func removed() async throws {
        store.buyer.nextAnswers = [.hesitate]
        await app.buy(Shop.coins)
        let open = try #require(store.allTransactions.first)
        try store.removeTransactionFromQueue(identifier: open.id)
        let paid = try await app.purchase(Shop.coins)
        try store.removeTransactionFromQueue(identifier: paid.id)
        await store.settle()
        let removed = app.events.flatMap { event -> [String] in
            if case .transactionsRemoved(let ids) = event { ids } else { [] }
        }
        #expect(removed == [open.id, paid.id])
        #expect(store.unfinishedTransactions.isEmpty)
        #expect(store.allTransactions.map(\.id) == [paid.id])
    }
}
