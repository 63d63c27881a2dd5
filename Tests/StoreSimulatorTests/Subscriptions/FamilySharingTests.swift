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

    @Test(
        "C03 a share ends when its organizer's period is ended: by expiry, by a forced renewal, by an upgrade",
        arguments: 0...2)
    func cutShort(way: Int) async throws {
        let store = SimulatedStore(
            configuration: Shop.configuration {
                for index in $0.products.indices { $0.products[index].isFamilyShareable = true }
            })
        let child = store.device(named: "tablet", account: "child")
        try child.joinFamily(of: store.accountName)
        try store.buyProduct(identifier: Shop.silverMonthly)
        store.clock.advance(by: 86_400 * 3)
        switch way {
        case 0: try store.expireSubscription(productIdentifier: Shop.silverMonthly)
        case 1: try store.forceRenewalOfSubscription(productIdentifier: Shop.silverMonthly)
        default: try store.buyProduct(identifier: Shop.goldMonthly)
        }
        let share = try #require(child.allTransactions.first)
        #expect(share.expirationDate == store.clock.now)
        #expect(share.isUpgraded == (way == 2))
        #expect(child.allTransactions.map(\.expirationDate) == store.allTransactions.map(\.expirationDate))
        #expect(child.allTransactions.map(\.productIdentifier) == store.allTransactions.map(\.productIdentifier))
        #expect(child.currentEntitlements.count == (way == 0 ? 0 : 1))
    }

    @Test("C02 families are not nested, and who cannot join is told why")
    func nesting() throws {
        let granny = store.device(named: "desk", account: "granny")
        try child.joinFamily(of: store.accountName)
        func reason(_ join: () throws -> Void) -> String {
            do { try join() } catch { return "\(error)" }
            return "joined"
        }
        #expect(reason { try store.joinFamily(of: "granny") }.contains("\"account-1\" has a family of its own"))
        #expect(
            reason { try granny.joinFamily(of: "child") }.contains(
                "\"child\" is a member of the family of \"account-1\""))
        #expect(reason { try granny.joinFamily(of: "granny") }.contains("\"granny\" cannot join a family of its own"))
        #expect(reason { try child.joinFamily(of: "granny") }.contains("\"child\" is in a family already"))
        try child.leaveFamily()
        try store.joinFamily(of: "granny")
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
