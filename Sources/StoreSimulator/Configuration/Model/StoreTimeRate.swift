/// How fast the time of subscriptions runs, by the number that a `.storekit` file gives it.
///
/// The numbers are those of `SKTestSession.TimeRate`; one that is not listed here is kept as it came.
public struct StoreTimeRate: RawRepresentable, Hashable, Codable, Sendable {
    /// The file's number.
    public var rawValue: Int
    /// Keeps the file's number.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// A day is a day.
    public static let realTime = StoreTimeRate(rawValue: 0)
    /// An hour is a day.
    public static let oneHourIsOneDay = StoreTimeRate(rawValue: 1)
    /// Thirty minutes are a day.
    public static let thirtyMinutesIsOneDay = StoreTimeRate(rawValue: 2)
    /// Five minutes are a day.
    public static let fiveMinutesIsOneDay = StoreTimeRate(rawValue: 3)
    /// A minute is a day.
    public static let oneMinuteIsOneDay = StoreTimeRate(rawValue: 4)
    /// Thirty seconds are a day.
    public static let thirtySecondsIsOneDay = StoreTimeRate(rawValue: 5)
    /// A second is a day.
    public static let oneSecondIsOneDay = StoreTimeRate(rawValue: 6)
    /// A monthly subscription renews every hour.
    public static let monthlyRenewalEveryHour = StoreTimeRate(rawValue: 10)
    /// A monthly subscription renews every thirty minutes.
    public static let monthlyRenewalEveryThirtyMinutes = StoreTimeRate(rawValue: 11)
    /// A monthly subscription renews every fifteen minutes.
    public static let monthlyRenewalEveryFifteenMinutes = StoreTimeRate(rawValue: 12)
    /// A monthly subscription renews every five minutes.
    public static let monthlyRenewalEveryFiveMinutes = StoreTimeRate(rawValue: 13)
    /// A monthly subscription renews every thirty seconds.
    public static let monthlyRenewalEveryThirtySeconds = StoreTimeRate(rawValue: 15)
    /// Every subscription renews every fifteen minutes.
    public static let oneRenewalEveryFifteenMinutes = StoreTimeRate(rawValue: 1000)
    /// Every subscription renews every five minutes.
    public static let oneRenewalEveryFiveMinutes = StoreTimeRate(rawValue: 1001)
    /// Every subscription renews every minute.
    public static let oneRenewalEveryMinute = StoreTimeRate(rawValue: 1002)
    /// Every subscription renews every thirty seconds.
    public static let oneRenewalEveryThirtySeconds = StoreTimeRate(rawValue: 1003)
    /// Every subscription renews every ten seconds.
    public static let oneRenewalEveryTenSeconds = StoreTimeRate(rawValue: 1004)
    /// Every subscription renews every two seconds.
    public static let oneRenewalEveryTwoSeconds = StoreTimeRate(rawValue: 1005)
}
