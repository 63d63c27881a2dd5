import Foundation
import StoreManagerCore
import StoreSimulator
import Testing

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
