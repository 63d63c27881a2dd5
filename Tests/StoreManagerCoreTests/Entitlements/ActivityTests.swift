import Foundation
import StoreManagerCore
import Testing

/// Whether one transaction entitles.
struct ActivityTests {
    let month = StoreTransaction.bought("sub", .autoRenewable, on: day(10), until: day(40))

    @Test(
        "T01 a transaction is active from its purchase, inclusive, to its expiry, exclusive",
        arguments: [(9.999, false), (10, true), (25, true), (39.999, true), (40, false), (41, false)])
    func bounds(date: Double, isActive: Bool) {
        #expect(month.isActive(at: day(date)) == isActive)
        #expect(month.with { $0.state = .restored }.isActive(at: day(date)) == isActive)
    }

    @Test("T01 without an expiry it is active for ever")
    func noExpiry() {
        #expect(month.with { $0.expirationDate = nil }.isActive(at: .distantFuture))
    }

    @Test("T01 a revoked and an upgraded transaction never count")
    func neverCounting() {
        #expect(!month.refunded(on: day(30)).isActive(at: day(20)))
        #expect(!month.with { $0.isUpgraded = true }.isActive(at: day(20)))
    }

    @Test(
        "T01 what was not paid never counts",
        arguments: StoreTransactionState.allCases.filter { $0 != .purchased && $0 != .restored })
    func unpaid(state: StoreTransactionState) {
        #expect(!month.with { $0.state = state }.isActive(at: day(20)))
    }
}
