import Foundation
import StoreManagerCore
import StoreSimulator
import Testing

@MainActor
@Suite("Purchases outside the app")
struct OutsidePurchaseTests {
    let store = SimulatedStore(configuration: Shop.configuration())
    let app: TestApp

    init() { app = TestApp(store) }

    @Test("C02 a purchase outside the app arrives unasked, with quantity and account token")
    func arrives() async throws {
        var options = OutsidePurchaseOptions()
        options.quantity = 3
        options.appAccountToken = UUID(uuidString: "6F4F1C2B-0E1D-4C3B-8A79-1234567890AB")
        let transaction = try store.buyProduct(identifier: Shop.coins, options: options)
        await store.settle()
        #expect(app.unasked == [transaction])
        #expect(transaction.quantity == 3)
        #expect(transaction.appAccountToken == options.appAccountToken)
    }

    @Test("C02 a purchase with a date in the past is renewed until now and goes on, or not")
    func inThePast() async throws {
        store.clock.advance(by: StoreSubscriptionPeriod(value: 1, unit: .year))
        var options = OutsidePurchaseOptions()
        options.purchaseDate = store.clock.now - 100 * 86_400
        let first = try store.buyProduct(identifier: Shop.goldMonthly, options: options)
        #expect(first.purchaseDate == options.purchaseDate)
        #expect(store.allTransactions.count == 4)
        #expect(store.currentEntitlements.count == 1)
        store.clock.advance(by: StoreSubscriptionPeriod(value: 1, unit: .month))
        #expect(store.allTransactions.count == 5)

        options.renewalBehavior = .cancelImmediately
        try store.buyProduct(identifier: Shop.magazine, options: options)
        #expect(store.allTransactions.filter { $0.productIdentifier == Shop.magazine }.count == 1)
        #expect(store.subscriptionState(inGroup: "magazine") == .expired)
    }

    @Test("C02 what cannot be bought outside the app is an error that says why")
    func errors() {
        var future = OutsidePurchaseOptions()
        future.purchaseDate = store.clock.now + 1
        #expect(throws: SimulatorError.self) { try store.buyProduct(identifier: Shop.coins, options: future) }
        var none = OutsidePurchaseOptions()
        none.quantity = 0
        #expect(throws: SimulatorError.self) { try store.buyProduct(identifier: Shop.coins, options: none) }
        #expect(throws: SimulatorError.invalidProductIdentifier("nothing")) {
            try store.buyProduct(identifier: "nothing")
        }
        #expect(store.allTransactions.isEmpty)
    }

    @Test("C02 a store with that habit keeps purchases outside the app to itself until the next launch")
    func quiet() async throws {
        store.habits.keepsOutsidePurchasesQuiet = true
        let transaction = try store.buyProduct(identifier: Shop.removeAds)
        await store.settle()
        #expect(app.events.isEmpty)
        #expect(store.currentEntitlements == [transaction])
        let next = TestApp(store)
        await store.settle()
        #expect(next.unasked == [transaction])
    }

    @Test("C02 a purchase begun on the app's page is told once, kept while nobody observes, and carries its offer")
    func intents() async throws {
        try store.sendPurchaseIntent(productIdentifier: Shop.coins)
        await store.settle()
        guard case .purchaseIntent(let intent)? = app.events.last else {
            Issue.record("no intent")
            return
        }
        #expect(intent.product.id == Shop.coins)
        app.stop()
        try store.sendPurchaseIntent(productIdentifier: Shop.silverMonthly, offerID: "comeback")
        let next = TestApp(store)
        await store.settle()
        guard case .purchaseIntent(let kept)? = next.events.last else {
            Issue.record("not kept")
            return
        }
        #expect(kept.offer?.type == .winBack)
        #expect(kept.id != intent.id)
        #expect(throws: SimulatorError.self) {
            try store.sendPurchaseIntent(productIdentifier: Shop.coins, offerID: "comeback")
        }
        // The payment that goes on with it asks for the offer, which is for former subscribers.
        let token = next.makeToken(.purchase)
        store.add(StorePayment(token: token, product: kept.product, intent: kept))
        await store.settle()
        #expect(next.answer(to: token).error?.underlyingError as? StoreAPIFailure == .purchase(.ineligibleForOffer))
    }

    /// How a subscription came to be what it is, and the last date on which it was something else.
    @Test(
        "C03 a purchase with a past date cannot change what came after it, and one that does not fits in",
        arguments: 0...4)
    func pastOfSubscription(phase: Int) async throws {
        store.billingGracePeriodIsEnabled = phase == 2
        store.shouldEnterBillingRetryOnRenewal = phase == 1 || phase == 2
        let first = try store.buyProduct(identifier: Shop.silverMonthly)
        var change = first.purchaseDate
        store.clock.advance(to: first.purchaseDate + 40 * 86_400)
        switch phase {
        case 0: change = try #require(store.allTransactions.last).purchaseDate
        case 1, 2: change = try #require(first.expirationDate)
        case 3:
            try store.expireSubscription(productIdentifier: Shop.silverMonthly)
            change = store.clock.now
        default:
            try store.refundTransaction(identifier: try #require(store.allTransactions.last).id)
            change = store.clock.now
        }
        store.clock.advance(by: 86_400 * 5)
        await store.settle()
        let before = store.allTransactions
        var options = OutsidePurchaseOptions()
        options.renewalBehavior = .cancelImmediately
        options.purchaseDate = change - 1
        #expect {
            try store.buyProduct(identifier: Shop.goldMonthly, options: options)
        } throws: {
            if case SimulatorError.invalidAction = $0 { true } else { false }
        }
        #expect(store.allTransactions == before)
        options.purchaseDate = change + 1
        let second = try store.buyProduct(identifier: Shop.goldMonthly, options: options)
        #expect(second.purchaseDate == change + 1)
        #expect(
            store.allTransactions.allSatisfy { $0.expirationDate.map { end in end >= first.purchaseDate } ?? false })
        let periods = store.allTransactions.map { ($0.purchaseDate, $0.expirationDate ?? .distantPast) }
        #expect(zip(periods, periods.dropFirst()).allSatisfy { $0.1 <= $1.0 || phase == 4 })
        #expect(zip(store.log, store.log.dropFirst()).allSatisfy { $0.date <= $1.date })
        #expect(store.log.last { $0.event == .payment }?["bought"] != nil)
        await store.settle()
        #expect(app.unasked.last { !$0.isUpgraded }?.id == second.id)
    }
}
