import Foundation
import StoreManagerCore
import Testing

@testable import StoreSimulator

@MainActor
@Suite("Subscriptions on the virtual clock")
struct RenewalTests {
    let store = SimulatedStore(
        configuration: Shop.configuration(),
        clock: VirtualClock(now: Date(timeIntervalSince1970: 1_738_315_800)))  // 2025-01-31 09:30 UTC
    let app: TestApp

    init() { app = TestApp(store) }

    private func day(_ transaction: StoreTransaction?) -> String? {
        transaction?.expirationDate?.formatted(.iso8601.year().month().day())
    }

    @Test("C03 a month from 31 January is 28 February, and the one after ends on 31 March")
    func anchorDay() async throws {
        let first = try await app.purchase(Shop.goldMonthly)
        #expect(day(first) == "2025-02-28")
        app.clear()
        store.clock.advance(by: StoreSubscriptionPeriod(value: 3, unit: .month))
        await store.settle()
        #expect(app.unasked.map { day($0) } == ["2025-03-31", "2025-04-30", "2025-05-31"])
        #expect(app.unasked.allSatisfy { $0.reason == .renewal && $0.originalID == first.id })
        #expect(app.unasked.map(\.id) == ["2", "3", "4"])
        #expect(Set(app.unasked.map(\.purchaseDate)).count == 3)
    }

    @Test("C03 without renewal a subscription ends with its period")
    func lapses() async throws {
        let first = try await app.purchase(Shop.goldMonthly)
        try store.disableAutoRenewForTransaction(identifier: first.id)
        store.clock.advance(by: StoreSubscriptionPeriod(value: 1, unit: .month))
        #expect(store.currentEntitlements.isEmpty)
        #expect(store.allTransactions.count == 1)
        #expect(store.log.last?.event == .advanced || store.log.contains { $0.event == .expired })
    }

    @Test("C03 a refund arrives as a newer word about the same transaction and ends the subscription")
    func refund() async throws {
        let first = try await app.purchase(Shop.goldMonthly)
        store.finish(first)
        app.clear()
        try store.refundTransaction(identifier: first.id)
        await store.settle()
        let refunded = try #require(app.unasked.first)
        #expect(refunded.id == first.id)
        #expect(refunded.revocationDate == store.clock.now)
        let newer = try #require(refunded.signedDate)
        #expect(newer > first.signedDate ?? .distantFuture)
        #expect(store.currentEntitlements.isEmpty)
        try store.reverseRefund(identifier: first.id)
        await store.settle()
        #expect(app.unasked.last?.revocationDate == nil)
        #expect(store.currentEntitlements.map(\.id) == [first.id])
    }
}

@MainActor
@Suite("Crowds of subscribers")
struct CrowdTests {
    let store = SimulatedStore(configuration: Shop.configuration())

    @Test("C03 each of many subscribers renews on his own day, and a run of renewals is one record")
    func crowd() throws {
        try store.addSubscribers(200, to: Shop.goldMonthly, overLast: 20 * 86_400)
        store.clock.advance(by: StoreSubscriptionPeriod(value: 3, unit: .year))
        #expect(store.log.last?["unwatched-renewals"] == "7200")
        #expect(store.engine.history.records.count == 200)
        let someone = store.device(named: "phone", account: "subscriber-100")
        let transactions = someone.allTransactions
        #expect(transactions.count == 37)
        #expect(Set(transactions.map(\.id)).count == 37)
        #expect(transactions.map(\.purchaseDate) == transactions.map(\.purchaseDate).sorted())
        #expect(someone.currentEntitlements.map(\.id) == [transactions.last?.id])
        // Days of the month stay what they were.
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        #expect(Set(transactions.map { calendar.component(.day, from: $0.purchaseDate) }).count == 1)
    }

    @Test("C03 a subscriber of very many periods sets identifiers aside as he goes, and each stays his own")
    func longRun() throws {
        store.timeRate = .oneRenewalEveryTwoSeconds
        try store.addSubscribers(2, to: Shop.goldMonthly)
        store.clock.advance(by: 2 * 2_500)
        let lists = ["subscriber-1", "subscriber-2"].map { store.device(named: "phone", account: $0).allTransactions }
        #expect(lists.map(\.count) == [2_501, 2_501])
        #expect(Set(lists.flatMap { $0 }.map(\.id)).count == 5_002)
        #expect(store.engine.history.records.count == 6)
        #expect(Set(lists[0].map(\.originalID)).count == 1)
    }

    @Test("C02 a crowd that cannot subscribe is an error, and nobody was added")
    func errors() {
        #expect(throws: SimulatorError.self) { try store.addSubscribers(0, to: Shop.goldMonthly) }
        #expect(throws: SimulatorError.self) { try store.addSubscribers(5, to: Shop.coins) }
        #expect(throws: SimulatorError.invalidProductIdentifier("nothing")) {
            try store.addSubscribers(5, to: "nothing")
        }
        store.unavailableProducts = [Shop.goldMonthly]
        #expect(throws: SimulatorError.self) { try store.addSubscribers(5, to: Shop.goldMonthly) }
        #expect(store.engine.accounts.count == 1)
    }
}
