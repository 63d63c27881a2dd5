import Foundation
import StoreManagerCore
import StoreSimulator
import Testing

@MainActor
@Suite("Plan changes")
struct PlanChangeTests {
    let store = SimulatedStore(configuration: Shop.configuration())
    let app: TestApp
    let month = StoreSubscriptionPeriod(value: 1, unit: .month)

    init() { app = TestApp(store) }

    private var entitled: [String] { store.currentEntitlements.map(\.productIdentifier) }

    @Test("C03 a better plan begins at once, under the same first transaction, and the old one counts no more")
    func upgrade() async throws {
        let silver = try await app.purchase(Shop.silverMonthly)
        store.clock.advance(by: 86_400 * 10)
        let gold = try await app.purchase(Shop.goldMonthly)
        #expect(gold.state == .purchased)
        #expect(gold.originalID == silver.originalID)
        #expect(gold.originalPurchaseDate == silver.purchaseDate)
        #expect(gold.purchaseDate == store.clock.now)
        let old = try #require(store.allTransactions.first)
        #expect(old.isUpgraded)
        #expect(old.expirationDate == store.clock.now)
        #expect(entitled == [Shop.goldMonthly])
    }

    @Test(
        "C03 the app is told of the plan that was replaced, by a later signature; StoreKit 1 has no word for it",
        arguments: [true, false])
    func replaced(isFinished: Bool) async throws {
        for carriage in StoreBackendCapabilities.TokenCarriage.allCases {
            let store = SimulatedStore(configuration: Shop.configuration())
            let app = TestApp(store)
            store.habits.tokenCarriage = carriage
            await app.buy(Shop.silverMonthly)
            let silver = try #require(app.updates.last?.transaction)
            if isFinished { store.finish(silver) }
            store.clock.advance(by: 86_400)
            app.clear()
            await app.buy(Shop.goldMonthly)
            let words = app.updates.map(\.transaction).filter { $0.id == silver.id }
            #expect(words.map(\.isUpgraded) == (carriage == .never ? [] : [true]))
            #expect(words.allSatisfy { $0.signedDate == store.clock.now })
            // What the app has finished stays so.
            #expect(store.unfinishedTransactions.contains { $0.id == silver.id } != isFinished)
        }
    }

    @Test(
        "C03 an upgrade gives back what was paid for the rest of the period, to the nearest unit of the currency",
        arguments: [("USA", 10, "3.38"), ("USA", 0, "4.99"), ("JPN", 10, "3"), ("USA", 30.999999, nil)]
            as [(
                String, Double, String?
            )])
    func proration(storefront: String, days: Double, refund: String?) async throws {
        store.controls.storefront = storefront
        try await app.purchase(Shop.silverMonthly)
        store.clock.advance(by: 86_400 * days)
        try await app.purchase(Shop.goldMonthly)
        let old = try #require(store.allTransactions.first)
        // January has 31 days: 21 of 31 of 4.99.
        #expect(old.refundedAmount == refund.flatMap { Decimal(string: $0) })
        #expect(old.price == 4.99)
        #expect(old.revocationDate == nil)
        #expect(store.log.first { $0.event == .upgraded }?["refund"] == refund)
        #expect(store.allTransactions.last?.refundedAmount == nil)
    }

    @Test(
        "C03 a lesser plan, and one of the same level but another length, wait for the renewal",
        arguments: [(Shop.goldMonthly, Shop.silverMonthly), (Shop.goldMonthly, Shop.goldYearly)])
    func scheduled(current: String, next: String) async throws {
        let first = try await app.purchase(current)
        let answer = try await app.purchase(next)
        #expect(answer.state == .scheduled)
        #expect(answer.id == first.id)
        #expect(entitled == [current])
        #expect(store.renewalInfos.first?.autoRenewPreference == next)
        #expect(store.allTransactions.count == 1)
        store.clock.advance(by: month)
        #expect(entitled == [next])
        #expect(store.allTransactions.last?.originalID == first.id)
    }

    @Test("C03 a plan of the same level and length takes over at once")
    func crossgrade() async throws {
        var configuration = Shop.configuration()
        let twin = configuration.product(withIdentifier: Shop.silverMonthly)
        configuration.products.append(try #require(twin).renamed("com.example.silver.other"))
        let app = TestApp(SimulatedStore(configuration: configuration))
        try await app.purchase(Shop.silverMonthly)
        #expect(try await app.purchase("com.example.silver.other").state == .purchased)
        #expect(app.backend.currentEntitlements.map(\.productIdentifier) == ["com.example.silver.other"])
    }

    @Test("C03 buying the plan that is held is answered with what is held, charges nothing, and the plan renews again")
    func same() async throws {
        let first = try await app.purchase(Shop.goldMonthly)
        try store.disableAutoRenewForTransaction(identifier: first.id)
        let again = try await app.purchase(Shop.goldMonthly)
        #expect(again.state == .restored)
        #expect(again.id == first.id)
        #expect(store.renewalInfos.first?.willAutoRenew == true)
        #expect(store.allTransactions.count == 1)
        #expect(store.log.last { $0.event == .autoRenew }?["renews"] == "true")
        #expect(!store.log.contains { $0.event == .scheduled })
        store.habits.answersPlanChangesWithHeldTransaction = true
        #expect(try await app.purchase(Shop.goldMonthly).state == .purchased)
    }

    @Test("C03 buying the plan that is held takes back a change that was to come")
    func takenBack() async throws {
        try await app.purchase(Shop.goldMonthly)
        try await app.purchase(Shop.silverMonthly)
        #expect(try await app.purchase(Shop.goldMonthly).state == .scheduled)
        #expect(store.renewalInfos.first?.autoRenewPreference == Shop.goldMonthly)
        store.clock.advance(by: month)
        #expect(entitled == [Shop.goldMonthly])
    }

    @Test("C02 StoreKit 2 answers a change at the renewal with the transaction that is held")
    func heldTransaction() async throws {
        store.habits.answersPlanChangesWithHeldTransaction = true
        let first = try await app.purchase(Shop.goldMonthly)
        let answer = try await app.purchase(Shop.silverMonthly)
        #expect(answer.state == .purchased)
        #expect(answer.id == first.id)
        #expect(answer.productIdentifier == Shop.goldMonthly)
    }

    @Test("C03 who comes back after a lapse keeps the first transaction")
    func resubscribe() async throws {
        let first = try await app.purchase(Shop.goldMonthly)
        try store.expireSubscription(productIdentifier: Shop.goldMonthly)
        #expect(entitled.isEmpty)
        #expect(store.subscriptionState(inGroup: Shop.group) == .expired)
        store.clock.advance(by: month)
        let second = try await app.purchase(Shop.silverMonthly)
        #expect(second.originalID == first.id)
        #expect(second.reason == .purchase)
        #expect(store.renewalInfos.first?.recentSubscriptionStartDate == store.clock.now)
    }

    @Test("C02 a store with that habit answers a plan that lapsed with the transaction that expired")
    func lapsedHabit() async throws {
        store.habits.answersLapsedWithExpired = true
        let first = try await app.purchase(Shop.goldMonthly)
        try store.expireSubscription(productIdentifier: Shop.goldMonthly)
        #expect(try await app.purchase(Shop.goldMonthly).id == first.id)
        #expect(store.allTransactions.count == 1)
    }

    @Test("C02 a forced renewal ends the period now, switches the renewal on and drops a price increase")
    func forceRenewal() async throws {
        let first = try await app.purchase(Shop.goldMonthly)
        try store.disableAutoRenewForTransaction(identifier: first.id)
        try store.requestPriceIncreaseConsentForTransaction(identifier: first.id, price: 12)
        store.clock.advance(by: 86_400)
        try store.forceRenewalOfSubscription(productIdentifier: Shop.goldMonthly)
        let transactions = store.allTransactions
        #expect(transactions.map(\.expirationDate).first == store.clock.now)
        #expect(transactions.last?.purchaseDate == store.clock.now)
        #expect(transactions.last?.price == 9.99)
        let info = try #require(store.renewalInfos.first)
        #expect(info.willAutoRenew)
        #expect(info.priceIncreaseStatus == .noIncreasePending)
    }

    @Test("C02 controls name what they cannot act on, and change nothing")
    func errors() async throws {
        let coins = try await app.purchase(Shop.coins)
        let log = store.log.count
        #expect(throws: SimulatorError.invalidProductIdentifier("nothing")) {
            try store.expireSubscription(productIdentifier: "nothing")
        }
        #expect(throws: SimulatorError.noSubscriptionFound(productIdentifier: Shop.goldMonthly)) {
            try store.forceRenewalOfSubscription(productIdentifier: Shop.goldMonthly)
        }
        #expect(throws: SimulatorError.noTransactionFound("99")) { try store.refundTransaction(identifier: "99") }
        #expect(throws: SimulatorError.noTransactionFound("x")) { try store.deleteTransaction(identifier: "x") }
        #expect { try store.disableAutoRenewForTransaction(identifier: coins.id) } throws: {
            if case SimulatorError.invalidProductType = $0 { true } else { false }
        }
        #expect { try store.expireSubscription(productIdentifier: Shop.coins) } throws: {
            if case SimulatorError.invalidProductType = $0 { true } else { false }
        }
        #expect { try store.approveAskToBuyTransaction(identifier: coins.id) } throws: {
            if case SimulatorError.invalidAction = $0 { true } else { false }
        }
        #expect(store.log.count == log)
    }
}

extension StoreConfiguration.Product {
    /// The same product under another identifier.
    fileprivate func renamed(_ id: String) -> Self {
        var copy = self
        copy.id = id
        return copy
    }
}
