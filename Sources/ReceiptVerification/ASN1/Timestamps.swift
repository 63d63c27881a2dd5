import Foundation

/// Dates as receipts and certificates write them, read digit by digit: no locale, calendar or time zone of the device has a say.
extension Span<UInt8> {
    /// An RFC 3339 date, such as `2020-10-08T11:17:49Z`: with or without a fraction of a second, its offset from UTC written
    /// `Z`, `+03:00` or, as Xcode does, `+0300`. Nil for anything else.
    func date(in range: Range<Int>) -> Date? {
        var digits = DigitReader(range)
        guard let year = digits.number(4, in: self), digits.skip("-", in: self),
            let month = digits.number(2, in: self), digits.skip("-", in: self),
            let day = digits.number(2, in: self), digits.skip("T", in: self),
            let hour = digits.number(2, in: self), digits.skip(":", in: self),
            let minute = digits.number(2, in: self), digits.skip(":", in: self),
            let second = digits.number(2, in: self),
            let instant = secondsSince1970(year, month, day, hour, minute, second),
            let fraction = digits.fraction(in: self),
            let offset = digits.offsetFromUTC(in: self), digits.isAtEnd
        else { return nil }
        return Date(timeIntervalSince1970: Double(instant - offset) + fraction)
    }

    /// A date of a certificate: UTCTime up to the year 2049, GeneralizedTime after it (RFC 5280, 4.1.2.5).
    func certificateDate(_ element: ASN1Element) throws -> Date {
        var digits = DigitReader(element.content)
        let year: Int?
        switch element.tag {
        case .utcTime: year = digits.number(2, in: self).map { $0 < 50 ? 2000 + $0 : 1900 + $0 }
        case .generalizedTime: year = digits.number(4, in: self)
        default: throw MalformedInput("a date must be UTCTime or GeneralizedTime, found \(element.tag)", at: element.start)
        }
        guard let year, let month = digits.number(2, in: self), let day = digits.number(2, in: self),
            let hour = digits.number(2, in: self), let minute = digits.number(2, in: self),
            let second = digits.number(2, in: self), digits.skip("Z", in: self), digits.isAtEnd,
            let instant = secondsSince1970(year, month, day, hour, minute, second)
        else { throw MalformedInput("a date must look like 240131235959Z", at: element.start) }
        return Date(timeIntervalSince1970: Double(instant))
    }
}

/// The seconds from 1970 to a date and time in UTC; nil where there is no such date.
private func secondsSince1970(
    _ year: Int, _ month: Int, _ day: Int, _ hour: Int, _ minute: Int, _ second: Int
) -> Int? {
    guard year >= 1, 1...12 ~= month, 1...31 ~= day, hour < 24, minute < 60, second <= 60 else { return nil }
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let daysInMonth =
        switch month {
        case 2: isLeap ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    guard day <= daysInMonth else { return nil }
    // Counted in years that begin in March, so that the leap day comes last.
    let marchYear = month > 2 ? year : year - 1
    let marchMonth = month > 2 ? month - 3 : month + 9
    let dayOfYear = (153 * marchMonth + 2) / 5 + day - 1
    let days = marchYear * 365 + marchYear / 4 - marchYear / 100 + marchYear / 400 + dayOfYear - 719_468
    return ((days * 24 + hour) * 60 + minute) * 60 + second
}

/// A place in some bytes from which digits are read.
private struct DigitReader {
    private var offset: Int
    private let end: Int

    init(_ range: Range<Int>) {
        offset = range.lowerBound
        end = range.upperBound
    }

    var isAtEnd: Bool { offset == end }

    /// A number of exactly so many digits.
    mutating func number(_ count: Int, in bytes: Span<UInt8>) -> Int? {
        guard end - offset >= count else { return nil }
        var value = 0
        for index in offset..<offset + count {
            let digit = bytes[index] &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            value = value * 10 + Int(digit)
        }
        offset += count
        return value
    }

    /// Steps over a character; false where there is another.
    mutating func skip(_ character: Unicode.Scalar, in bytes: Span<UInt8>) -> Bool {
        guard offset < end, bytes[offset] == UInt8(ascii: character) else { return false }
        offset += 1
        return true
    }

    /// A decimal fraction of one to nine digits, 0 where there is none.
    mutating func fraction(in bytes: Span<UInt8>) -> Double? {
        guard skip(".", in: bytes) else { return 0 }
        var value = 0.0
        var unit = 1.0
        var count = 0
        while let digit = number(1, in: bytes) {
            unit /= 10
            value += Double(digit) * unit
            count += 1
        }
        return 1...9 ~= count ? value : nil
    }

    /// An offset from UTC, in seconds.
    mutating func offsetFromUTC(in bytes: Span<UInt8>) -> Int? {
        if skip("Z", in: bytes) { return 0 }
        let sign = skip("+", in: bytes) ? 1 : -1
        guard sign == 1 || skip("-", in: bytes), let hours = number(2, in: bytes) else { return nil }
        _ = skip(":", in: bytes)
        guard let minutes = number(2, in: bytes), hours < 24, minutes < 60 else { return nil }
        return sign * (hours * 60 + minutes) * 60
    }
}
