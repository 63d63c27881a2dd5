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

    private var state: StoreSubscriptionStatus.State? { store.subscriptionState(inGroup: Shop.group) }

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

    /// What forbids to charge for another period.
    enum Obstacle: CaseIterable {
        case renewalOff, priceUnanswered, priceDeclined, notSold
    }

    private func set(_ obstacle: Obstacle, on id: StoreTransaction.ID) throws {
        switch obstacle {
        case .renewalOff: try store.disableAutoRenewForTransaction(identifier: id)
        case .notSold: store.unavailableProducts = [Shop.goldMonthly]
        case .priceUnanswered, .priceDeclined:
            try store.requestPriceIncreaseConsentForTransaction(identifier: id, price: 60)
            if obstacle == .priceDeclined { try store.declinePriceIncreaseForTransaction(identifier: id) }
        }
    }

    @Test(
        "C03 in billing retry nothing is charged that may not be, though billing works again",
        arguments: Obstacle.allCases)
    func retryWithObstacle(obstacle: Obstacle) async throws {
        let first = try await app.purchase(Shop.goldMonthly)
        store.clock.advance(by: month)
        advance(days: 3)
        try set(obstacle, on: first.id)
        #expect(throws: SimulatorError.self) { try store.resolveIssueForTransaction(identifier: first.id) }
        store.shouldEnterBillingRetryOnRenewal = false
        advance(days: 5)
        #expect(store.allTransactions.map(\.price) == [9.99])
        #expect(state == .expired)
        let reason: StoreExpirationReason =
            switch obstacle {
            case .renewalOff, .priceDeclined: .autoRenewDisabled
            case .priceUnanswered: .didNotConsentToPriceIncrease
            case .notSold: .productUnavailable
            }
        #expect(store.renewalInfos.first?.expirationReason == reason)
    }

    @Test("C03 who switches the renewal off in billing retry leaves at once, in the grace period when that ends")
    func leavesInTrouble() async throws {
        store.billingGracePeriodIsEnabled = true
        let first = try await app.purchase(Shop.goldMonthly)
        store.clock.advance(by: month)
        advance(days: 3)
        try store.disableAutoRenewForTransaction(identifier: first.id)
        store.shouldEnterBillingRetryOnRenewal = false
        #expect(throws: SimulatorError.self) { try store.resolveIssueForTransaction(identifier: first.id) }
        advance(days: 12.9)
        #expect(state == .inGracePeriod)
        #expect(store.allTransactions.count == 1)
        advance(days: 0.2)
        #expect(state == .expired)
        #expect(store.renewalInfos.first?.expirationReason == .autoRenewDisabled)

        store.billingGracePeriodIsEnabled = false
        store.shouldEnterBillingRetryOnRenewal = true
        let second = try await app.purchase(Shop.goldMonthly)
        store.clock.advance(by: month)
        advance(days: 3)
        try store.disableAutoRenewForTransaction(identifier: second.id)
        #expect(state == .expired)
    }

    @Test("C03 who agrees, or switches the renewal on again, in the grace period is charged")
    func comesRoundInGrace() async throws {
        store.billingGracePeriodIsEnabled = true
        let first = try await app.purchase(Shop.goldMonthly)
        store.clock.advance(by: month)
        try store.disableAutoRenewForTransaction(identifier: first.id)
        try store.requestPriceIncreaseConsentForTransaction(identifier: first.id, price: 12)
        store.shouldEnterBillingRetryOnRenewal = false
        advance(days: 2)
        try store.enableAutoRenewForTransaction(identifier: first.id)
        try store.consentToPriceIncreaseForTransaction(identifier: first.id)
        advance(days: 2)
        #expect(store.allTransactions.map(\.price) == [9.99, 12])
        #expect(state == .subscribed)
    }

    @Test(
        "C03 a better plan bought in the grace period takes nothing off what was paid, and the trouble stays on record")
    func upgradeInGrace() async throws {
        store.billingGracePeriodIsEnabled = true
        let first = try await app.purchase(Shop.silverMonthly)
        store.clock.advance(by: month)
        advance(days: 5)
        try await app.purchase(Shop.goldMonthly)
        let old = try #require(store.allTransactions.first)
        #expect(old.isUpgraded)
        #expect(old.expirationDate == first.expirationDate)
        #expect(old.refundedAmount == nil)
        #expect(store.timeline(ofGroupOf: Shop.goldMonthly)?.spans.map(\.kind) == [.paid, .grace, .paid])
    }

    @Test("C03 who buys anew in billing retry has a period from then on, and the trouble stays on record")
    func buyInRetry() async throws {
        try await app.purchase(Shop.goldMonthly)
        store.clock.advance(by: month)
        advance(days: 5)
        try await app.purchase(Shop.goldMonthly)
        #expect(state == .subscribed)
        #expect(store.allTransactions.last?.purchaseDate == store.clock.now)
        #expect(store.timeline(ofGroupOf: Shop.goldMonthly)?.spans.map(\.kind) == [.paid, .retry, .paid])
    }

    @Test(
        "C02 a renewal that is forced in billing retry begins a period, and the retry goes on",
        arguments: [false, true])
    func forceRenewalInTrouble(inGrace: Bool) async throws {
        store.billingGracePeriodIsEnabled = inGrace
        let first = try await app.purchase(Shop.goldMonthly)
        store.clock.advance(by: month)
        advance(days: 3)
        try store.forceRenewalOfSubscription(productIdentifier: Shop.goldMonthly)
        let renewal = try #require(store.allTransactions.last)
        #expect(renewal.id != first.id)
        #expect(renewal.reason == .renewal)
        #expect(renewal.purchaseDate == store.clock.now)
        #expect(store.currentEntitlements.map(\.id) == [renewal.id])
        #expect(state == (inGrace ? .inGracePeriod : .inBillingRetry))
        #expect(store.renewalInfos.first?.isInBillingRetry == true)
        // Billing works again: what is paid is not charged twice.
        store.shouldEnterBillingRetryOnRenewal = false
        advance(days: 2)
        #expect(state == .subscribed)
        #expect(store.allTransactions.count == 2)
        store.clock.advance(to: try #require(renewal.expirationDate))
        #expect(store.allTransactions.count == 3)
        #expect(store.allTransactions.last?.purchaseDate == renewal.expirationDate)
    }

    @Test("C03 a forced renewal in billing retry outlasts the retry, or the retry outlasts it")
    func forcedPeriodEnds() async throws {
        try await app.purchase(Shop.goldMonthly)
        store.clock.advance(by: month)
        advance(days: 3)
        try store.forceRenewalOfSubscription(productIdentifier: Shop.goldMonthly)
        store.clock.advance(by: month)
        #expect(state == .inBillingRetry)
        #expect(store.currentEntitlements.isEmpty)
        advance(days: 20)
        try store.forceRenewalOfSubscription(productIdentifier: Shop.goldMonthly)
        advance(days: 10)
        // The sixty days are over, and the period that was forced is not.
        #expect(state == .subscribed)
        #expect(store.currentEntitlements.count == 1)
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
