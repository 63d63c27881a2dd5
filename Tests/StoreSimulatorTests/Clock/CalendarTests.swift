import Foundation
import StoreManagerCore
import Testing

@testable import StoreSimulator

@Suite("The store's calendar")
struct CalendarTests {
    private static var gregorian: Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar
    }

    @Test("C03 dates are those of Foundation's Gregorian calendar", arguments: [UInt64(1), 2, 3])
    func agreesWithFoundation(seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        let calendar = Self.gregorian
        for _ in 0..<500 {
            // From 1900 to 2100.
            let date = Date(
                timeIntervalSince1970: Double(Int.random(in: -2_208_988_800...4_102_444_800, using: &generator)))
            let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: date)
            let civil = CivilDate(date)
            #expect(
                [civil.year, civil.month, civil.day] == [parts.year, parts.month, parts.day], "seed \(seed), \(date)")
            #expect(civil.date == date)
            let months = Int.random(in: -30...400, using: &generator)
            #expect(
                civil.adding(months: months).date == calendar.date(byAdding: .month, value: months, to: date),
                "seed \(seed), \(date) and \(months) months")
        }
    }

    @Test(
        "C03 months are counted from the first day, so that none is lost",
        arguments: [
            ("2025-01-31", 1, "2025-02-28"), ("2025-01-31", 2, "2025-03-31"), ("2024-01-31", 1, "2024-02-29"),
            ("2024-02-29", 12, "2025-02-28"), ("2024-02-29", 48, "2028-02-29"), ("2025-12-31", 2, "2026-02-28"),
            ("2025-03-31", -1, "2025-02-28"), ("1900-01-31", 1, "1900-02-28"), ("2000-01-31", 1, "2000-02-29"),
        ])
    func anchors(start: String, months: Int, end: String) throws {
        let date = try Date("\(start)T12:34:56Z", strategy: .iso8601)
        let step = PeriodStep.calendar(StoreSubscriptionPeriod(value: 1, unit: .month))
        #expect(step.date(after: date, count: months) == (try Date("\(end)T12:34:56Z", strategy: .iso8601)))
    }

    @Test("C03 a period beyond all reason ends in the distant future and traps nowhere")
    func beyondReason() {
        let date = VirtualClock.defaultStart
        for unit in StoreSubscriptionPeriod.Unit.allCases {
            let step = PeriodStep.calendar(StoreSubscriptionPeriod(value: .max, unit: unit))
            #expect(step.date(after: date, count: 3) == .distantFuture)
            #expect(step.date(after: date, count: -3) == .distantPast)
        }
        for date in [Date.distantFuture, .distantPast, Date(timeIntervalSince1970: .infinity)] {
            #expect(!CivilDate(date).description.isEmpty)
        }
    }

    @Test("C04 dates are written with milliseconds, rounded to the nearest")
    func description() {
        #expect(CivilDate(Date(timeIntervalSince1970: 0)).description == "1970-01-01T00:00:00.000Z")
        #expect(CivilDate(Date(timeIntervalSince1970: 1.001)).description == "1970-01-01T00:00:01.001Z")
        #expect(CivilDate(Date(timeIntervalSince1970: 86_399.9996)).description == "1970-01-02T00:00:00.000Z")
    }
}
