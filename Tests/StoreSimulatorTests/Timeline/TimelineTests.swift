import Foundation
import StoreManagerCore
import Testing

@testable import StoreSimulator

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
                2025-05-22 00:00  ◆ refunded: com.example.magazine, 2.99 USD given back
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

    @Test("C03 trouble stays with the plan that had it, an end stands where it came, and stays after a return")
    func troubleAndReturn() throws {
        store.shouldEnterBillingRetryOnRenewal = true
        let silver = try #require(try store.buyProduct(identifier: Shop.silverMonthly).price)
        store.clock.advance(by: StoreSubscriptionPeriod(value: 4, unit: .month))
        let gold = try #require(try store.buyProduct(identifier: Shop.goldMonthly).price)
        let timeline = try #require(store.timeline(ofGroupOf: Shop.goldMonthly))
        #expect(
            timeline.text == """
                Premium of account-1
                2025-01-01 00:00  █ com.example.silver.monthly at \(silver) USD until 2025-02-01 00:00
                2025-02-01 00:00  ░ renewal failed, no access until 2025-04-02 00:00
                2025-04-02 00:00  ◆ ended: billing-error
                2025-05-01 00:00  █ com.example.gold.monthly at \(gold) USD until 2025-06-01 00:00
                2025-05-01 00:00  ─ now
                2025-06-01 00:00  ◆ renews as com.example.gold.monthly

                """)
        #expect(timeline.spans.map(\.productIdentifier) == [Shop.silverMonthly, Shop.silverMonthly, Shop.goldMonthly])
    }

    @Test("C03 an upgrade says from which plan, and what was given back")
    func upgrade() throws {
        try store.buyProduct(identifier: Shop.silverMonthly)
        store.clock.advance(by: 86_400 * 10)
        try store.buyProduct(identifier: Shop.goldMonthly)
        let timeline = try #require(store.timeline(ofGroupOf: Shop.goldMonthly))
        #expect(timeline.marks.first?.text == "upgraded from com.example.silver.monthly, 3.38 USD given back")
    }

    @Test(
        "C03 in the picture no box lies over another, dates stand at ends of periods, and offers are named with their dates"
    )
    func picture() throws {
        store.billingGracePeriodIsEnabled = true
        let first = try store.buyProduct(identifier: Shop.magazine)
        store.clock.advance(by: StoreSubscriptionPeriod(value: 3, unit: .month))
        store.shouldEnterBillingRetryOnRenewal = true
        store.clock.advance(by: 86_400 * 12)
        try store.resolveIssueForTransaction(identifier: first.id)
        let timeline = try #require(store.timeline(ofGroupOf: Shop.magazine))
        #expect(timeline.spans.map(\.kind) == [.offer, .paid, .grace])
        let picture = XMLCounter(timeline.svg)
        let boxes = picture.elements.filter { $0.name == "rect" }.dropFirst().compactMap { element -> [Double]? in
            let numbers = ["x", "y", "width", "height"].compactMap { element.attributes[$0].flatMap { Double($0) } }
            return numbers.count == 4 ? numbers : nil
        }
        #expect(boxes.count >= 6)
        for (index, box) in boxes.enumerated() {
            for other in boxes[(index + 1)...] {
                let isApart =
                    box[0] + box[2] <= other[0] + 0.2 || other[0] + other[2] <= box[0] + 0.2
                    || box[1] + box[3] <= other[1] || other[1] + other[3] <= box[1]
                #expect(isApart, "\(box) and \(other)")
            }
        }
        let texts = picture.elements.filter { $0.name == "text" }.map(\.text)
        #expect(texts.contains("introductory offer, 0 USD, 2025-01-01 to 2025-01-08"))
        #expect(texts.contains { $0 == "2.99 USD" })
        let dates = texts.filter { $0.wholeMatch(of: /[0-9]{4}-[0-9]{2}-[0-9]{2}/) != nil }
        let ends = Set(
            (timeline.spans.flatMap(\.boundaries) + timeline.marks.map(\.date)).map(SubscriptionTimeline.day))
        #expect(dates.count >= 4)
        #expect(ends.isSuperset(of: dates))
        // What is drawn has no white edge that would swallow a thin box.
        #expect(!timeline.svg.contains("stroke=\"white\""))
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
