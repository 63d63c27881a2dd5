import Foundation
import StoreManagerCore

extension StoreTimeRate {
    /// From one renewal of a subscription to the next.
    func step(for period: StoreSubscriptionPeriod) -> PeriodStep {
        switch pace {
        case .realTime: .calendar(period)
        case .fixed(let seconds): .seconds(seconds)
        case .scaled(let week, let month): .seconds(Self.seconds(period, week: week, month: month))
        case .perDay(let day): .seconds(Self.seconds(period, week: 7 * day, month: 30 * day, year: 365 * day))
        }
    }

    /// How long access goes on after a renewal failed.
    func gracePeriod(for period: StoreSubscriptionPeriod) -> TimeInterval {
        let isWeekly = period.normalized == StoreSubscriptionPeriod(value: 1, unit: .week)
        return switch pace {
        case .realTime: (isWeekly ? 6 : 16) * CivilDate.day
        case .fixed(let seconds): seconds
        case .scaled(let week, let month): isWeekly ? week * 6 / 7 : month / 2
        case .perDay(let day): (isWeekly ? 6 : 16) * day
        }
    }

    /// How long the store tries to charge for a renewal that failed.
    func billingRetryPeriod(for period: StoreSubscriptionPeriod) -> TimeInterval {
        switch pace {
        case .realTime: 60 * CivilDate.day
        case .fixed(let seconds): seconds * 2
        case .scaled(_, let month): month * 2
        case .perDay(let day): 60 * day
        }
    }

    /// How time runs.
    private enum Pace {
        case realTime
        /// Every period takes so many seconds.
        case fixed(TimeInterval)
        /// A week and a month take so many seconds.
        case scaled(week: TimeInterval, month: TimeInterval)
        /// A day takes so many seconds.
        case perDay(TimeInterval)
    }

    /// The figures are those of Apple's article "Testing auto-renewable subscriptions" in Xcode and of
    /// `SKTestSession.TimeRate`. A number that nobody has defined runs in real time.
    private var pace: Pace {
        switch self {
        case .oneHourIsOneDay: .perDay(3_600)
        case .thirtyMinutesIsOneDay: .perDay(1_800)
        case .fiveMinutesIsOneDay: .perDay(300)
        case .oneMinuteIsOneDay: .perDay(60)
        case .thirtySecondsIsOneDay: .perDay(30)
        case .oneSecondIsOneDay: .perDay(1)
        case .monthlyRenewalEveryHour: .scaled(week: 900, month: 3_600)
        case .monthlyRenewalEveryThirtyMinutes: .scaled(week: 600, month: 1_800)
        case .monthlyRenewalEveryFifteenMinutes: .scaled(week: 300, month: 900)
        case .monthlyRenewalEveryFiveMinutes: .scaled(week: 180, month: 300)
        case .monthlyRenewalEveryThirtySeconds: .scaled(week: 10, month: 30)
        case .oneRenewalEveryFifteenMinutes: .fixed(900)
        case .oneRenewalEveryFiveMinutes: .fixed(300)
        case .oneRenewalEveryMinute: .fixed(60)
        case .oneRenewalEveryThirtySeconds: .fixed(30)
        case .oneRenewalEveryTenSeconds: .fixed(10)
        case .oneRenewalEveryTwoSeconds: .fixed(2)
        default: .realTime
        }
    }

    private static func seconds(
        _ period: StoreSubscriptionPeriod, week: TimeInterval, month: TimeInterval, year: TimeInterval? = nil
    ) -> TimeInterval {
        let unit =
            switch period.unit {
            case .day: week / 7
            case .week: week
            case .month: month
            case .year: year ?? month * 12
            }
        return unit * Double(period.value)
    }
}
