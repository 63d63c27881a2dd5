import Foundation
import StoreManagerCore
import StoreSimulator
import Testing

@MainActor
@Suite("Timelines")
struct TimelineTests {
    let store = SimulatedStore(configuration: Shop.configuration())

    /// A trial, renewals, trouble, recovery, a refund.
    private func live() throws {
        store.billingGracePeriodIsEnabled = true
        let first = try store.buyProduct(identifier: Shop.magazine)
        store.clock.advance(by: StoreSubscriptionPeriod(value: 3, unit: .month))
        store.shouldEnterBillingRetryOnRenewal = true
        store.clock.advance(by: StoreSubscriptionPeriod(value: 1, unit: .month))
        store.clock.advance(by: StoreSubscriptionPeriod(value: 3, unit: .week))
        try store.resolveIssueForTransaction(identifier: first.id)
        let last = try #require(store.allTransactions.last)
        try store.refundTransaction(identifier: last.id)
    }

    @Test("C03 a subscription's life is told in lines: offers, runs of periods, trouble, refunds, with their dates")
    func text() throws {
        try live()
        let timeline = try #require(store.timeline(ofGroupOf: Shop.magazine))
        #expect(timeline.spans.map(\.kind) == [.offer, .paid, .grace, .retry, .refunded])
        #expect(
            timeline.text == """
                Magazine of account-1
                2025-01-01 00:00  ▓ com.example.magazine at introductory offer, 0 USD until 2025-01-08 00:00
                2025-01-08 00:00  █ 3 periods of com.example.magazine at 2.99 USD until 2025-04-08 00:00
                2025-04-08 00:00  ▒ renewal failed, access goes on until 2025-04-24 00:00
                2025-04-24 00:00  ░ renewal failed, no access until 2025-05-22 00:00
                2025-05-22 00:00  ✕ com.example.magazine at 2.99 USD until 2025-06-22 00:00, refunded
                2025-05-22 00:00  ◆ refunded
                2025-05-22 00:00  ─ now

                """)
    }

    @Test("C03 what comes next stands behind now")
    func future() throws {
        let gold = try store.buyProduct(identifier: Shop.goldMonthly)
        #expect(
            store.timeline(ofGroupOf: Shop.goldMonthly)?.text.hasSuffix(
                "2025-01-01 00:00  ─ now\n2025-02-01 00:00  ◆ renews as com.example.gold.monthly\n") == true)
        try store.disableAutoRenewForTransaction(identifier: gold.id)
        #expect(store.timeline(ofGroupOf: Shop.goldMonthly)?.text.contains("◆ ends") == true)
        #expect(store.timeline(ofGroupOf: Shop.magazine) == nil)
        #expect(store.timeline(ofGroupOf: Shop.coins) == nil)
    }

    @Test("C03 the picture is well-formed XML with a box for each period, and names are written as text")
    func svg() throws {
        try live()
        var timeline = try #require(store.timeline(ofGroupOf: Shop.magazine))
        timeline.title = "<\"Tom & Jerry\">"
        let parser = XMLCounter(timeline.svg)
        #expect(parser.isWellFormed)
        // The background, seven periods, five colours in the legend.
        #expect(parser.count["rect"] == 1 + 7 + 5)
        #expect(timeline.svg.contains("&lt;&quot;Tom &amp; Jerry&quot;&gt;"))
    }

    @Test("C03 a picture of very many periods draws no more boxes than can be seen")
    func dense() throws {
        try store.buyProduct(identifier: Shop.silverWeekly)
        store.clock.advance(by: StoreSubscriptionPeriod(value: 30, unit: .year))
        let parser = XMLCounter(try #require(store.timeline(ofGroupOf: Shop.silverWeekly)).svg)
        #expect(parser.isWellFormed)
        #expect(parser.count["rect", default: 0] < 20)
    }
}
