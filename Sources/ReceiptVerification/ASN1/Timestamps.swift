import Foundation

/// Dates as receipts and certificates write them, read digit by digit: no locale, calendar or time zone of the device has a say.
extension Span<UInt8> {
    /// An RFC 3339 date, such as `2020-10-08T11:17:49Z`: with or without a fraction of a second, its offset from UTC written
    /// `Z`, `+03:00` or, as Xcode does, `+0300`. Nil for anything else.
    func date(in range: Range<Int>) -> Date? {
        let text = extracting(range)
        guard text.count >= 20, text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-"),
            text[10] == UInt8(ascii: "T"), text[13] == UInt8(ascii: ":"), text[16] == UInt8(ascii: ":"),
            let instant = secondsSince1970(
                century: text.twoDigits(at: 0), year: text.twoDigits(at: 2), month: text.twoDigits(at: 5),
                day: text.twoDigits(at: 8), hour: text.twoDigits(at: 11), minute: text.twoDigits(at: 14),
                second: text.twoDigits(at: 17))
        else { return nil }
        if text.count == 20, text[19] == UInt8(ascii: "Z") { return Date(timeIntervalSince1970: Double(instant)) }
        var offset = 19
        guard let fraction = text.fraction(at: &offset), let zone = text.offsetFromUTC(in: offset..<text.count) else {
            return nil
        }
        return Date(timeIntervalSince1970: Double(instant - zone) + fraction)
    }

    /// A date of a certificate: UTCTime up to the year 2049, GeneralizedTime after it (RFC 5280, 4.1.2.5).
    func certificateDate(_ element: ASN1Element) throws -> Date {
        var start = element.content.lowerBound
        let century: Int?
        switch (element.tag, element.content.count) {
        case (.utcTime, 13): century = twoDigits(at: start) < 50 ? 20 : 19
        case (.generalizedTime, 15):
            century = twoDigits(at: start)
            start += 2
        default: century = nil
        }
        guard let century, self[start + 12] == UInt8(ascii: "Z"),
            let instant = secondsSince1970(
                century: century, year: twoDigits(at: start), month: twoDigits(at: start + 2),
                day: twoDigits(at: start + 4), hour: twoDigits(at: start + 6), minute: twoDigits(at: start + 8),
                second: twoDigits(at: start + 10))
        else { throw MalformedInput("a date must be UTCTime or GeneralizedTime in seconds and UTC", at: element.start) }
        return Date(timeIntervalSince1970: Double(instant))
    }

    /// The number that two digits stand for; 100 where they are no digits, which no part of a date is.
    @inline(__always)
    private func twoDigits(at offset: Int) -> Int {
        let (tens, ones) = (self[offset] &- UInt8(ascii: "0"), self[offset + 1] &- UInt8(ascii: "0"))
        return tens < 10 && ones < 10 ? Int(tens) * 10 + Int(ones) : 100
    }

    /// A decimal fraction of one to nine digits, 0 where there is none. Steps over it.
    private func fraction(at offset: inout Int) -> Double? {
        guard self[offset] == UInt8(ascii: ".") else { return 0 }
        let start = offset + 1
        offset = start
        var value = 0
        while offset < count, case let digit = self[offset] &- UInt8(ascii: "0"), digit < 10 {
            guard offset - start < 9 else { return nil }
            value = value * 10 + Int(digit)
            offset += 1
        }
        guard offset > start else { return nil }
        return (start..<offset).reduce(Double(value)) { fraction, _ in fraction / 10 }
    }

    /// An offset from UTC, in seconds, which must fill the range.
    private func offsetFromUTC(in range: Range<Int>) -> Int? {
        guard let start = range.first else { return nil }
        if range.count == 1 { return self[start] == UInt8(ascii: "Z") ? 0 : nil }
        guard range.count == 5 || (range.count == 6 && self[start + 3] == UInt8(ascii: ":")) else { return nil }
        let (hours, minutes) = (twoDigits(at: start + 1), twoDigits(at: range.upperBound - 2))
        guard hours < 24, minutes < 60 else { return nil }
        switch self[start] {
        case UInt8(ascii: "+"): return (hours * 60 + minutes) * 60
        case UInt8(ascii: "-"): return (hours * 60 + minutes) * -60
        default: return nil
        }
    }
}

/// The seconds from 1970 to a date and time in UTC; nil where there is no such date.
@inline(__always)
private func secondsSince1970(
    century: Int, year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int
) -> Int? {
    guard century < 100, year < 100, 1...12 ~= month, 1...31 ~= day, hour < 24, minute < 60, second <= 60 else {
        return nil
    }
    let year = century * 100 + year
    guard year > 0, day <= daysInMonth(month, of: year) else { return nil }
    // Counted in years that begin in March, so that the leap day comes last.
    let marchYear = month > 2 ? year : year - 1
    let marchMonth = month > 2 ? month - 3 : month + 9
    let dayOfYear = (153 * marchMonth + 2) / 5 + day - 1
    let days = marchYear * 365 + marchYear / 4 - marchYear / 100 + marchYear / 400 + dayOfYear - 719_468
    return ((days * 24 + hour) * 60 + minute) * 60 + second
}

private func daysInMonth(_ month: Int, of year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
}
