import Foundation
import StoreManagerCore
import StoreSimulator
import Testing

@MainActor
@Suite("Time rates")
struct TimeRateTests {
    /// A row of the table of Xcode's store testing: seconds.
    struct Row: Sendable, CustomTestStringConvertible {
        var rate: StoreTimeRate
        /// A week, one, two, three and six months, a year.
        var periods: [TimeInterval]
        var weeklyGrace: TimeInterval
        var grace: TimeInterval
        var retry: TimeInterval
        var testDescription: String { "rate \(rate.rawValue)" }
    }

    nonisolated static let minute = 60.0
    nonisolated static let hour = 3_600.0
    nonisolated static let day = 86_400.0

    /// From Apple's article on testing auto-renewable subscriptions, and from `SKTestSession.TimeRate`.
    nonisolated static let rows: [Row] = [
        // From 1 January 2025 the calendar says 7, 31, 59, 90, 181 and 365 days.
        Row(
            rate: .realTime, periods: [7, 31, 59, 90, 181, 365].map { $0 * day }, weeklyGrace: 6 * day, grace: 16 * day,
            retry: 60 * day),
        Row(
            rate: .monthlyRenewalEveryHour, periods: [15 * minute, hour, 2 * hour, 3 * hour, 6 * hour, 12 * hour],
            weeklyGrace: 771, grace: 30 * minute, retry: 2 * hour),
        Row(
            rate: .monthlyRenewalEveryThirtyMinutes,
            periods: [10 * minute, 30 * minute, hour, 90 * minute, 3 * hour, 6 * hour], weeklyGrace: 514,
            grace: 15 * minute, retry: hour),
        Row(
            rate: .monthlyRenewalEveryFifteenMinutes,
            periods: [5 * minute, 15 * minute, 30 * minute, 45 * minute, 90 * minute, 3 * hour], weeklyGrace: 257,
            grace: 450, retry: 30 * minute),
        Row(
            rate: .monthlyRenewalEveryFiveMinutes,
            periods: [3 * minute, 5 * minute, 10 * minute, 15 * minute, 30 * minute, hour], weeklyGrace: 154,
            grace: 150,
            retry: 10 * minute),
        Row(
            rate: .monthlyRenewalEveryThirtySeconds, periods: [10, 30, minute, 90, 3 * minute, 6 * minute],
            weeklyGrace: 9, grace: 15, retry: minute),
        fixed(.oneRenewalEveryFifteenMinutes, 15 * minute), fixed(.oneRenewalEveryFiveMinutes, 5 * minute),
        fixed(.oneRenewalEveryMinute, minute), fixed(.oneRenewalEveryThirtySeconds, 30),
        fixed(.oneRenewalEveryTenSeconds, 10), fixed(.oneRenewalEveryTwoSeconds, 2),
        perDay(.oneHourIsOneDay, hour), perDay(.thirtyMinutesIsOneDay, 30 * minute),
        perDay(.fiveMinutesIsOneDay, 5 * minute), perDay(.oneMinuteIsOneDay, minute),
        perDay(.thirtySecondsIsOneDay, 30), perDay(.oneSecondIsOneDay, 1),
    ]

    nonisolated static func fixed(_ rate: StoreTimeRate, _ period: TimeInterval) -> Row {
        Row(
            rate: rate, periods: Array(repeating: period, count: 6), weeklyGrace: period, grace: period,
            retry: 2 * period)
    }

    nonisolated static func perDay(_ rate: StoreTimeRate, _ day: TimeInterval) -> Row {
        Row(
            rate: rate, periods: [7, 30, 60, 90, 180, 365].map { $0 * day }, weeklyGrace: 6 * day, grace: 16 * day,
            retry: 60 * day)
    }

    private static let spelled = ["P1W", "P1M", "P2M", "P3M", "P6M", "P1Y"]

    /// A store that sells one plan of each length, each in a group of its own.
    private func makeStore(_ rate: StoreTimeRate) -> SimulatedStore {
        var configuration = StoreConfiguration(
            products: Self.spelled.map { text in
                .init(
                    id: text, type: .autoRenewable, price: 1,
                    subscription: .init(groupID: text, period: StoreSubscriptionPeriod(iso8601: text)))
            })
        configuration.settings.timeRate = rate
        return SimulatedStore(configuration: configuration)
    }

    @Test("C02 each time rate renews every period after the time of its row", arguments: rows)
    func renewal(row: Row) throws {
        let store = makeStore(row.rate)
        for (text, seconds) in zip(Self.spelled, row.periods) {
            let transaction = try store.buyProduct(identifier: text)
            let length = try #require(transaction.expirationDate).timeIntervalSince(transaction.purchaseDate)
            #expect(abs(length - seconds) < 0.5, "\(text)")
        }
        #expect(store.clock.nextDueDate == store.clock.now + (row.periods.min() ?? 0))
    }

    @Test("C02 each time rate has the grace period and the billing retry of its row", arguments: rows)
    func trouble(row: Row) throws {
        for (text, grace) in [("P1W", row.weeklyGrace), ("P1M", row.grace)] {
            let store = makeStore(row.rate)
            store.shouldEnterBillingRetryOnRenewal = true
            store.billingGracePeriodIsEnabled = true
            let end = try #require(try store.buyProduct(identifier: text).expirationDate)
            store.clock.advance(to: end)
            let info = try #require(store.renewalInfos.first)
            let length = try #require(info.gracePeriodExpirationDate).timeIntervalSince(end)
            // The table has whole seconds; 6/7 of a week has fractions.
            #expect(abs(length - grace) < 1, "\(text)")
            let trying = max(grace, row.retry)
            store.clock.advance(to: end + trying - 0.5)
            #expect(store.subscriptionState(inGroup: text) != .expired)
            store.clock.advance(to: end + trying + 0.5)
            #expect(store.subscriptionState(inGroup: text) == .expired)
            #expect(store.renewalInfos.first?.expirationReason == .billingError)
        }
    }

    @Test("C02 a period that runs ends as it was sold when the time rate changes, and the next runs at the new one")
    func change() throws {
        let store = makeStore(.monthlyRenewalEveryHour)
        let first = try store.buyProduct(identifier: "P1M")
        store.timeRate = .oneRenewalEveryTenSeconds
        store.clock.advance(to: first.purchaseDate + Self.hour + 5)
        let dates = store.allTransactions.map(\.expirationDate)
        #expect(dates == [first.purchaseDate + Self.hour, first.purchaseDate + Self.hour + 10])
    }
}
