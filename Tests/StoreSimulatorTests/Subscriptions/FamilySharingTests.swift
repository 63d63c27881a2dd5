import Foundation
import StoreManagerCore
import StoreSimulator
import Testing

@MainActor
@Suite("Family sharing")
struct FamilySharingTests {
    let store = SimulatedStore(configuration: Shop.configuration())
    let child: SimulatedDevice
    let childApp: TestApp
    let month = StoreSubscriptionPeriod(value: 1, unit: .month)

    init() {
        child = store.device(named: "tablet", account: "child")
        childApp = TestApp(child)
    }

    private var shared: [String] { child.currentEntitlements.map(\.productIdentifier) }

    @Test("C03 a family member has what may be shared, bought before or after, under identifiers of its own")
    func shares() async throws {
        let ads = try store.buyProduct(identifier: Shop.removeAds)
        try store.buyProduct(identifier: Shop.season)
        try child.joinFamily(of: store.accountName)
        let gold = try store.buyProduct(identifier: Shop.goldMonthly)
        await store.settle()
        #expect(shared == [Shop.removeAds, Shop.goldMonthly])
        #expect(child.currentEntitlements.allSatisfy { $0.ownership == .familyShared })
        #expect(Set(child.currentEntitlements.map(\.id)).isDisjoint(with: [ads.id, gold.id]))
        #expect(childApp.unasked.map(\.productIdentifier) == [Shop.removeAds, Shop.goldMonthly])
    }

    @Test("C03 a shared subscription renews, fails, recovers and ends with its organizer's")
    func follows() async throws {
        try child.joinFamily(of: store.accountName)
        let gold = try store.buyProduct(identifier: Shop.goldMonthly)
        store.clock.advance(by: month)
        let renewed = child.allTransactions
        #expect(renewed.count == 2)
        #expect(renewed.last?.reason == .renewal)
        #expect(renewed.last?.originalID == renewed.first?.id)
        #expect(renewed.last?.expirationDate == store.allTransactions.last?.expirationDate)
        store.shouldEnterBillingRetryOnRenewal = true
        store.clock.advance(by: month)
        #expect(shared.isEmpty)
        try store.resolveIssueForTransaction(identifier: gold.id)
        #expect(shared == [Shop.goldMonthly])
        try store.expireSubscription(productIdentifier: Shop.goldMonthly)
        #expect(shared.isEmpty)
        #expect(throws: SimulatorError.self) {
            try child.disableAutoRenewForTransaction(identifier: try #require(child.allTransactions.first).id)
        }
    }

    @Test("C03 a refund to the organizer takes the share back, and its reversal gives it back")
    func refund() async throws {
        try child.joinFamily(of: store.accountName)
        let ads = try store.buyProduct(identifier: Shop.removeAds)
        let gold = try store.buyProduct(identifier: Shop.goldMonthly)
        try store.refundTransaction(identifier: ads.id)
        try store.refundTransaction(identifier: gold.id)
        #expect(shared.isEmpty)
        #expect(child.allTransactions.allSatisfy { $0.revocationDate == store.clock.now })
        try store.reverseRefund(identifier: ads.id)
        try store.reverseRefund(identifier: gold.id)
        #expect(shared == [Shop.removeAds, Shop.goldMonthly])
    }

    @Test("C03 who leaves the family loses what was shared, and is told")
    func leaves() async throws {
        try child.joinFamily(of: store.accountName)
        try store.buyProduct(identifier: Shop.removeAds)
        try store.buyProduct(identifier: Shop.goldMonthly)
        await store.settle()
        childApp.clear()
        try child.leaveFamily()
        await store.settle()
        #expect(shared.isEmpty)
        #expect(childApp.unasked.count == 2)
        #expect(childApp.unasked.allSatisfy { $0.revocationDate != nil })
        #expect(store.currentEntitlements.count == 2)
        store.clock.advance(by: month)
        #expect(child.allTransactions.count == 2)
    }

    @Test("C03 a plan that is not shared ends the share, and an own subscription stands beside one")
    func ownAndShared() async throws {
        try child.joinFamily(of: store.accountName)
        try store.buyProduct(identifier: Shop.goldMonthly)
        try child.buyProduct(identifier: Shop.silverMonthly)
        #expect(shared == [Shop.goldMonthly, Shop.silverMonthly])
        #expect(child.renewalInfos.count == 2)
        try store.buyProduct(identifier: Shop.silverMonthly)
        store.clock.advance(by: month)
        #expect(shared == [Shop.silverMonthly])
    }

    @Test("C02 families have one level and real members")
    func errors() throws {
        #expect(throws: SimulatorError.unknownName("nobody")) { try child.joinFamily(of: "nobody") }
        #expect(throws: SimulatorError.self) { try child.leaveFamily() }
        #expect(throws: SimulatorError.self) { try child.joinFamily(of: "child") }
        try child.joinFamily(of: store.accountName)
        #expect(throws: SimulatorError.self) { try child.joinFamily(of: store.accountName) }
        #expect(throws: SimulatorError.self) { try store.joinFamily(of: "child") }
    }
}
