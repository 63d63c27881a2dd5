import Foundation
import StoreManagerCore
import StoreSimulator
import Testing

@MainActor
@Suite("Billing plans and subscriptions that do not renew")
struct BillingPlanTests {
    let store = SimulatedStore(
        configuration: Shop.configuration { configuration in
            for index in configuration.products.indices where configuration.products[index].id == Shop.goldYearly {
                configuration.products[index].subscription?.billingPlans = [
                    .init(type: "BILLED_UPFRONT", price: 99.99, commitmentPrice: 99.99),
                    .init(type: "MONTHLY", price: 8.99, commitmentPrice: 107.88),
                    .init(type: "WITHDRAWN", price: 1, isEnabled: false),
                ]
            }
        })
    let app: TestApp

    init() { app = TestApp(store) }

    private func monthly() throws -> StoreTransaction {
        var options = OutsidePurchaseOptions()
        options.billingPlan = "MONTHLY"
        return try store.buyProduct(identifier: Shop.goldYearly, options: options)
    }

    @Test("C03 a year that is paid month by month is billed twelve times at the plan's price")
    func billed() throws {
        let first = try monthly()
        #expect(first.price == 8.99)
        store.clock.advance(by: StoreSubscriptionPeriod(value: 1, unit: .year))
        #expect(store.allTransactions.count == 13)
        #expect(store.allTransactions.allSatisfy { $0.price == 8.99 })
    }

    @Test("C03 switching the renewal off during the commitment lets it run to its end, and no further")
    func commitment() throws {
        let first = try monthly()
        store.clock.advance(by: StoreSubscriptionPeriod(value: 3, unit: .month))
        try store.disableAutoRenewForTransaction(identifier: first.id)
        store.clock.advance(by: StoreSubscriptionPeriod(value: 2, unit: .year))
        #expect(store.allTransactions.count == 12)
        let end = try #require(store.allTransactions.last?.expirationDate)
        #expect(end == Calendar.gmt.date(byAdding: .year, value: 1, to: first.purchaseDate))
    }

    @Test("C03 after the commitment another begins, unless the renewal is off")
    func again() throws {
        let first = try monthly()
        store.clock.advance(by: StoreSubscriptionPeriod(value: 13, unit: .month))
        try store.disableAutoRenewForTransaction(identifier: first.id)
        store.clock.advance(by: StoreSubscriptionPeriod(value: 3, unit: .year))
        #expect(store.allTransactions.count == 24)
    }

    @Test(
        "C02 a billing plan that is not offered cannot be bought", arguments: ["WITHDRAWN", "NONE", "BILLED_UPFRONT"])
    func notOffered(plan: String) {
        var options = OutsidePurchaseOptions()
        options.billingPlan = plan
        #expect(throws: SimulatorError.self) { try store.buyProduct(identifier: Shop.goldYearly, options: options) }
    }

    @Test("C03 a subscription that does not renew has no end, is listed for ever, and twice when bought twice")
    func nonRenewing() async throws {
        let first = try await app.purchase(Shop.season)
        let second = try await app.purchase(Shop.season)
        store.clock.advance(by: StoreSubscriptionPeriod(value: 5, unit: .year))
        #expect(first.expirationDate == nil)
        #expect(store.currentEntitlements.map(\.id) == [first.id, second.id])
        try store.refundTransaction(identifier: first.id)
        #expect(store.currentEntitlements.map(\.id) == [second.id])
    }
}

extension Calendar {
    /// The Gregorian calendar in UTC.
    fileprivate static var gmt: Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar
    }
}
