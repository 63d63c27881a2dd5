import Foundation
import StoreManagerCore

/// From one renewal to the next: by the calendar, or so many seconds where time runs faster.
enum PeriodStep: Hashable, Codable, Sendable {
    case calendar(StoreSubscriptionPeriod)
    case seconds(TimeInterval)

    /// The date `count` steps after the anchor.
    ///
    /// Months are counted from the anchor, not from one renewal to the next: what began on 31 January renews on 28 February
    /// and again on 31 March.
    func date(after anchor: Date, count: Int) -> Date {
        switch self {
        case .seconds(let seconds): anchor + seconds * Double(count)
        case .calendar(let period): Self.date(after: anchor, period: period, count: count)
        }
    }

    private static func date(after anchor: Date, period: StoreSubscriptionPeriod, count: Int) -> Date {
        let (units, overflow) = period.value.multipliedReportingOverflow(by: count)
        // No store sells a period that ends after the year 4000; a damaged file may ask for one.
        guard !overflow, abs(units) <= 4_000 * 366 else { return units < 0 ? .distantPast : .distantFuture }
        return switch period.unit {
        case .day: anchor + Double(units) * CivilDate.day
        case .week: anchor + Double(units) * 7 * CivilDate.day
        case .month: date(anchor, months: units)
        case .year: date(anchor, months: units * 12)
        }
    }

    /// Whole days are added, so that no fraction of a second is lost on the way through the calendar.
    private static func date(_ anchor: Date, months: Int) -> Date {
        let start = CivilDate(anchor)
        return anchor + Double(start.adding(months: months).dayNumber - start.dayNumber) * CivilDate.day
    }
}
