import Foundation

/// A date of the Gregorian calendar in UTC, taken apart.
///
/// Foundation's calendar knows every rule of every calendar, which makes it far too slow to renew a million subscriptions a
/// second; a store needs one rule. The tests compare both over some thousand dates.
struct CivilDate: Hashable, Sendable {
    var year: Int
    /// From 1 to 12.
    var month: Int
    /// From 1 to 31.
    var day: Int
    /// Seconds since midnight, with fraction.
    var time: TimeInterval

    /// Takes a date apart. Dates beyond ``range`` are taken for its ends.
    init(_ date: Date) {
        let seconds = min(max(date, Self.range.lowerBound), Self.range.upperBound).timeIntervalSince1970
        let days = (seconds / Self.day).rounded(.down)
        time = seconds - days * Self.day
        // Years are counted from March, so that the leap day is the last; eras have 400 years. 719468 days lie between
        // 0000-03-01 and 1970-01-01.
        let shifted = Int(days) + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// The date put together again.
    var date: Date { Date(timeIntervalSince1970: Double(dayNumber) * Self.day + time) }

    /// How many days lie between 1 January 1970 and the day.
    var dayNumber: Int {
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    /// The same day and time so many months later or, where that month is too short, on its last day.
    func adding(months: Int) -> CivilDate {
        let total = year * 12 + (month - 1) + months
        var result = self
        result.year = total >= 0 ? total / 12 : (total - 11) / 12
        result.month = total - result.year * 12 + 1
        result.day = min(day, Self.days(inMonth: result.month, of: result.year))
        return result
    }

    private static func days(inMonth month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Seconds a day; the store knows no leap seconds.
    static let day: TimeInterval = 86_400

    /// The dates that a store reckons with: four thousand years around now, whatever a damaged file says.
    static let range = Date(timeIntervalSince1970: -62_135_596_800)...Date(timeIntervalSince1970: 64_092_211_200)
}

extension CivilDate: CustomStringConvertible {
    /// The date in ISO 8601 with milliseconds, such as `2025-01-31T09:30:00.000Z`.
    var description: String {
        // Half a millisecond is added before cutting off, so that a fraction which binary cannot hold prints as it was meant.
        let rounded = CivilDate(date + 0.0005)
        let milliseconds = Int(rounded.time * 1_000)
        let clock = [milliseconds / 3_600_000, milliseconds / 60_000 % 60, milliseconds / 1_000 % 60]
        let time = clock.map { $0.padded(to: 2) }.joined(separator: ":")
        let day = "\(rounded.year.padded(to: 4))-\(rounded.month.padded(to: 2))-\(rounded.day.padded(to: 2))"
        return "\(day)T\(time).\((milliseconds % 1_000).padded(to: 3))Z"
    }
}

extension Int {
    /// The number with zeros in front.
    fileprivate func padded(to width: Int) -> String {
        let digits = String(self)
        return String(repeating: "0", count: Swift.max(0, width - digits.count)) + digits
    }
}
