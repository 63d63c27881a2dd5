import Foundation
import StoreManagerCore
import StoreSimulator
import Testing

@MainActor
@Suite("Price increases")
struct PriceIncreaseTests {
    let store = SimulatedStore(configuration: Shop.configuration())
    let app: TestApp
    let month = StoreSubscriptionPeriod(value: 1, unit: .month)

    init() { app = TestApp(store) }

    private var status: StoreRenewalInfo.PriceIncreaseStatus? { store.renewalInfos.first?.priceIncreaseStatus }

    @Test("C03 who agrees to a higher price pays it from the next renewal on")
    func consent() async throws {
        let first = try await app.purchase(Shop.goldMonthly)
        try store.requestPriceIncreaseConsentForTransaction(identifier: first.id, price: 12)
        #expect(status == .pending)
        #expect(store.allTransactions.last?.isPendingPriceIncreaseConsent == true)
        try store.consentToPriceIncreaseForTransaction(identifier: first.id)
        #expect(status == .agreed)
        #expect(store.renewalInfos.first?.renewalPrice == 12)
        store.clock.advance(by: StoreSubscriptionPeriod(value: 2, unit: .month))
        #expect(store.allTransactions.map(\.price) == [9.99, 12, 12])
    }

    @Test(
        "C03 who refuses a higher price lapses for having switched the renewal off; who does not answer, for not agreeing"
    )
    func noConsent() async throws {
        let first = try await app.purchase(Shop.goldMonthly)
        try store.requestPriceIncreaseConsentForTransaction(identifier: first.id)
        try store.declinePriceIncreaseForTransaction(identifier: first.id)
        #expect(status == .noIncreasePending)
        store.clock.advance(by: month)
        #expect(store.renewalInfos.first?.expirationReason == .autoRenewDisabled)

        let second = try await app.purchase(Shop.magazine)
        try store.requestPriceIncreaseConsentForTransaction(identifier: second.id)
        store.clock.advance(by: month)
        #expect(store.renewalInfos.last?.expirationReason == .didNotConsentToPriceIncrease)
        #expect(throws: SimulatorError.self) { try store.consentToPriceIncreaseForTransaction(identifier: second.id) }
    }

    @Test("C03 a higher price that is only announced needs no answer")
    func announced() async throws {
        let first = try await app.purchase(Shop.goldMonthly)
        try store.announcePriceIncreaseForTransaction(identifier: first.id, price: 10.99)
        #expect(throws: SimulatorError.self) { try store.declinePriceIncreaseForTransaction(identifier: first.id) }
        store.clock.advance(by: month)
        #expect(store.allTransactions.last?.price == 10.99)
    }

    @Test("C03 a higher price of one plan is not that of another, and needs no consent of who leaves the plan")
    func otherPlan() async throws {
        let gold = try await app.purchase(Shop.goldMonthly)
        try store.requestPriceIncreaseConsentForTransaction(identifier: gold.id, price: 120)
        try await app.purchase(Shop.goldYearly)
        #expect(status == .noIncreasePending)
        #expect(store.renewalInfos.first?.renewalPrice == 99.99)
        store.clock.advance(by: month)
        #expect(store.allTransactions.map(\.price) == [9.99, 99.99])
        // Who goes back pays what the plan costs.
        try await app.purchase(Shop.goldMonthly)
        store.clock.advance(by: StoreSubscriptionPeriod(value: 1, unit: .year))
        #expect(store.allTransactions.map(\.price) == [9.99, 99.99, 9.99])
    }

    @Test("C03 a higher price waits for its answer again when the change to another plan is taken back")
    func changeTakenBack() async throws {
        let gold = try await app.purchase(Shop.goldMonthly)
        try store.requestPriceIncreaseConsentForTransaction(identifier: gold.id, price: 12)
        try await app.purchase(Shop.goldYearly)
        await app.buy(Shop.goldMonthly)
        #expect(status == .pending)
        store.clock.advance(by: month)
        #expect(store.renewalInfos.first?.expirationReason == .didNotConsentToPriceIncrease)
    }

    @Test("C03 a product that is not sold any more does not renew, is not found and cannot be bought")
    func notSold() async throws {
        try await app.purchase(Shop.goldMonthly)
        store.unavailableProducts = [Shop.goldMonthly]
        store.clock.advance(by: month)
        #expect(store.renewalInfos.first?.expirationReason == .productUnavailable)
        let answer = await app.buy(Shop.goldMonthly)
        #expect(answer.error?.underlyingError as? StoreAPIFailure == .purchase(.productUnavailable))
        let token = app.makeToken(.fetch)
        store.fetchProducts(withIdentifiers: [Shop.goldMonthly], for: token)
        await store.settle()
        guard case .productsFetched(let products, token)? = app.events.last else {
            Issue.record("no answer")
            return
        }
        #expect(products.isEmpty)
    }
}
