import Foundation
import StoreManagerCore
import StoreSimulator
import Testing

@MainActor
@Suite("Renewals that fail")
struct BillingTroubleTests {
    let store = SimulatedStore(configuration: Shop.configuration())
    let app: TestApp
    let month = StoreSubscriptionPeriod(value: 1, unit: .month)

    init() {
        app = TestApp(store)
        store.shouldEnterBillingRetryOnRenewal = true
    }

    private var state: SubscriptionStatus.State? { store.subscriptionState(inGroup: Shop.group) }

    private func advance(days: Double) { store.clock.advance(by: days * 86_400) }

    @Test("C03 without a grace period a failed renewal ends access at once, and the store tries for 60 days")
    func retry() async throws {
        let first = try await app.purchase(Shop.goldMonthly)
        store.clock.advance(by: month)
        #expect(state == .inBillingRetry)
        #expect(store.currentEntitlements.isEmpty)
        #expect(store.renewalInfos.first?.isInBillingRetry == true)
        #expect(store.allTransactions.last?.hasPurchaseIssue == true)
        advance(days: 59.9)
        #expect(state == .inBillingRetry)
        advance(days: 0.2)
        #expect(state == .expired)
        #expect(throws: SimulatorError.self) { try store.resolveIssueForTransaction(identifier: first.id) }
    }

    @Test("C03 in the grace period access goes on; a payment in it is as if nothing had been")
    func graceRecovery() async throws {
        store.billingGracePeriodIsEnabled = true
        let first = try await app.purchase(Shop.goldMonthly)
        let end = try #require(first.expirationDate)
        store.clock.advance(by: month)
        #expect(state == .inGracePeriod)
        #expect(store.currentEntitlements.map(\.id) == [first.id])
        advance(days: 10)
        app.clear()
        try store.resolveIssueForTransaction(identifier: first.id)
        await store.settle()
        #expect(state == .subscribed)
        let renewal = try #require(app.unasked.first)
        #expect(renewal.purchaseDate == end)
        #expect(renewal.reason == .renewal)
    }

    @Test("C03 after the grace period access ends; a payment then begins a period of its own")
    func retryRecovery() async throws {
        store.billingGracePeriodIsEnabled = true
        let first = try await app.purchase(Shop.goldMonthly)
        store.clock.advance(by: month)
        advance(days: 16)
        #expect(state == .inBillingRetry)
        #expect(store.renewalInfos.first?.gracePeriodExpirationDate == nil)
        try store.resolveIssueForTransaction(identifier: first.id)
        #expect(state == .subscribed)
        #expect(store.allTransactions.last?.purchaseDate == store.clock.now)
    }

    @Test("C03 the store tries again by itself, once a day")
    func recoversByItself() async throws {
        try await app.purchase(Shop.goldMonthly)
        store.clock.advance(by: month)
        advance(days: 3.5)
        store.shouldEnterBillingRetryOnRenewal = false
        #expect(state == .inBillingRetry)
        advance(days: 0.6)
        #expect(state == .subscribed)
    }

    @Test("C02 the length of the grace period can be chosen")
    func chosenGrace() async throws {
        store.billingGracePeriodIsEnabled = true
        store.gracePeriod = 86_400 * 3
        let end = try #require(try await app.purchase(Shop.goldMonthly).expirationDate)
        store.clock.advance(to: end)
        #expect(store.renewalInfos.first?.gracePeriodExpirationDate == end + 86_400 * 3)
    }

    @Test("C02 a grace period without failing renewals does nothing")
    func graceAlone() async throws {
        store.shouldEnterBillingRetryOnRenewal = false
        store.billingGracePeriodIsEnabled = true
        try await app.purchase(Shop.goldMonthly)
        store.clock.advance(by: month)
        #expect(state == .subscribed)
        #expect(store.allTransactions.count == 2)
    }
}
