import Foundation
import StoreManagerCore
import Testing

/// Lengths of time as the store counts them.
struct SubscriptionPeriodTests {
    @Test(
        "E05 periods normalise to the largest unit that divides them",
        arguments: [
            ("P7D", "P1W"), ("P14D", "P2W"), ("P12M", "P1Y"), ("P24M", "P2Y"), ("P3D", "P3D"), ("P8D", "P8D"),
            ("P1W", "P1W"), ("P6M", "P6M"), ("P1Y", "P1Y"), ("P52W", "P52W"), ("P30D", "P30D"),
        ])
    func normalizing(text: String, normal: String) throws {
        let period = try #require(StoreSubscriptionPeriod(iso8601: text))
        let expected = try #require(StoreSubscriptionPeriod(iso8601: normal))
        #expect(period.normalized == expected)
        #expect(period.isEquivalent(to: expected))
        #expect(period.iso8601 == text)
    }

    @Test(
        "E05 what lasts longer or shorter is not the same, and the spelling alone never is",
        arguments: [("P7D", "P2W"), ("P11M", "P1Y"), ("P30D", "P1M")])
    func different(one: String, other: String) throws {
        let one = try #require(StoreSubscriptionPeriod(iso8601: one))
        let other = try #require(StoreSubscriptionPeriod(iso8601: other))
        #expect(!one.isEquivalent(to: other))
        #expect(StoreSubscriptionPeriod(value: 7, unit: .day) != StoreSubscriptionPeriod(value: 1, unit: .week))
    }

    @Test("E05 a length of nothing, or less, is left as it is", arguments: [0, -7, -12, .min])
    func odd(value: Int) {
        for unit in StoreSubscriptionPeriod.Unit.allCases {
            let period = StoreSubscriptionPeriod(value: value, unit: unit)
            #expect(period.isEquivalent(to: period))
            #expect(value != 0 || period.normalized == period)
        }
    }

    @Test(
        "E05 a duration of several units, none or another kind is none",
        arguments: [
            "", "P", "PD", "P1", "1W", "P0W", "P1H", "PT1M", "P1M2D", "P-1W", "P1.5W", "p1w", "P99999999999999999999D",
        ])
    func notAPeriod(text: String) {
        #expect(StoreSubscriptionPeriod(iso8601: text) == nil)
    }

    @Test(
        "E05 an offer gives its total length, in its normal form, and its mode",
        arguments: [
            (7, StoreSubscriptionPeriod.Unit.day, 2, "P2W"), (1, .month, 12, "P1Y"), (3, .day, 1, "P3D"),
            (1, .month, 6, "P6M"),
        ])
    func offers(value: Int, unit: StoreSubscriptionPeriod.Unit, count: Int, total: String) {
        let offer = StoreOffer(
            type: .introductory, paymentMode: .payAsYouGo, price: 1,
            period: StoreSubscriptionPeriod(value: value, unit: unit), periodCount: count)
        #expect(offer.totalLength.iso8601 == total)
        #expect(offer.paymentMode == .payAsYouGo)
    }

    @Test("E05 a length beyond all numbers stays at the greatest")
    func overflow() {
        let long = StoreSubscriptionPeriod(value: .max, unit: .week)
        #expect(long.multiplied(by: 2).value == .max)
    }
}
