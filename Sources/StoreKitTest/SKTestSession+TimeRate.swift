extension SKTestSession {
    /// How fast subscriptions renew. Later systems may know more.
    public enum TimeRate: Int, Sendable {
        /// A day is a day.
        case realTime = 0
        /// An hour is a day. Deprecated.
        case oneHourIsOneDay = 1
        /// Thirty minutes are a day. Deprecated.
        case thirtyMinutesIsOneDay = 2
        /// Five minutes are a day. Deprecated.
        case fiveMinutesIsOneDay = 3
        /// A minute is a day. Deprecated.
        case oneMinuteIsOneDay = 4
        /// Thirty seconds are a day. Deprecated.
        case thirtySecondsIsOneDay = 5
        /// A second is a day. Deprecated.
        case oneSecondIsOneDay = 6
        /// A monthly subscription renews every hour.
        case monthlyRenewalEveryHour = 10
        /// A monthly subscription renews every thirty minutes.
        case monthlyRenewalEveryThirtyMinutes = 11
        /// A monthly subscription renews every fifteen minutes.
        case monthlyRenewalEveryFifteenMinutes = 12
        /// A monthly subscription renews every five minutes.
        case monthlyRenewalEveryFiveMinutes = 13
        /// A monthly subscription renews every thirty seconds.
        case monthlyRenewalEveryThirtySeconds = 15
        /// Every subscription renews every fifteen minutes.
        case oneRenewalEveryFifteenMinutes = 1000
        /// Every subscription renews every five minutes.
        case oneRenewalEveryFiveMinutes = 1001
        /// Every subscription renews every minute.
        case oneRenewalEveryMinute = 1002
        /// Every subscription renews every thirty seconds.
        case oneRenewalEveryThirtySeconds = 1003
        /// Every subscription renews every ten seconds.
        case oneRenewalEveryTenSeconds = 1004
        /// Every subscription renews every two seconds.
        case oneRenewalEveryTwoSeconds = 1005
    }
}
