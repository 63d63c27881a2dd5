import Foundation
import TestSupport
import Testing

@testable import ReceiptVerification

@Suite("Dates in receipts and certificates")
struct TimestampTests {
    private func date(_ text: String) -> Date? {
        let bytes = ContiguousArray(text.utf8)
        return bytes.span.date(in: 0..<bytes.count)
    }

    @Test(
        "X04 dates with and without fractions and offsets are read",
        arguments: [
            ("1970-01-01T00:00:00Z", 0), ("2024-01-27T12:00:00Z", 1_706_356_800), ("2000-02-29T23:59:59Z", 951_868_799),
            ("2020-10-08T11:17:49.131Z", 1_602_155_869.131),
            ("2020-10-08T11:17:49.123456789Z", 1_602_155_869.123456789),
            ("2021-04-03T22:38:45+0300", 1_617_478_725), ("2021-04-03T22:38:45+03:00", 1_617_478_725),
            ("2021-04-03T16:38:45-0300", 1_617_478_725), ("4001-01-01T00:00:00Z", 64_092_211_200),
            ("4001-01-01T03:00:00+0300", 64_092_211_200), ("0001-01-01T00:00:00Z", -62_135_596_800),
            ("1969-12-31T23:59:59Z", -1), ("9999-12-31T23:59:59Z", 253_402_300_799),
            ("2016-12-31T23:59:60Z", 1_483_228_800),
        ])
    func valid(_ text: String, _ seconds: Double) throws {
        let date = try #require(self.date(text))
        #expect(abs(date.timeIntervalSince1970 - seconds) < 1e-6)
    }

    @Test(
        "X03 anything else is no date",
        arguments: [
            "", "2024", "2024-01-27", "2024-01-27 12:00:00Z", "2024-01-27T12:00:00", "2024-1-27T12:00:00Z",
            "2024-13-01T12:00:00Z", "2024-00-01T12:00:00Z", "2023-02-29T12:00:00Z", "2100-02-29T12:00:00Z",
            "2024-04-31T12:00:00Z", "2024-01-32T12:00:00Z", "2024-01-27T24:00:00Z", "2024-01-27T12:60:00Z",
            "2024-01-27T12:00:61Z", "2024-01-27T12:00:00.Z", "2024-01-27T12:00:00.1234567890Z", "2024-01-27T12:00:00.1",
            "2024-01-27T12:00:00+03", "2024-01-27T12:00:00+24:00", "2024-01-27T12:00:00+3:000", "2024-01-27T12:00:00z",
            "2024-01-27T12:00:00Z ", "+024-01-27T12:00:00Z", "0000-01-01T00:00:00Z", "२०२४-01-27T12:00:00Z",
        ])
    func invalid(_ text: String) {
        #expect(date(text) == nil)
    }

    @Test("X04 every day of eight centuries is read as Foundation writes it")
    func everyDay() throws {
        var mistakes = 0
        for day in stride(from: -100_000, to: 200_000, by: 7) {
            let expected = Date(timeIntervalSince1970: Double(day) * 86_400 + 3_723)
            if date(expected.formatted(.iso8601)) != expected { mistakes += 1 }
        }
        #expect(mistakes == 0)
    }

    @Test(
        "Certificates' dates are UTCTime or GeneralizedTime",
        arguments: [
            (ASN1Tag.utcTime, "240127120000Z", 1_706_356_800), (.utcTime, "491231235959Z", 2_524_607_999),
            (.utcTime, "500101000000Z", -631_152_000), (.generalizedTime, "20500101000000Z", 2_524_608_000),
            (.utcTime, "2401271200Z", nil), (.utcTime, "240127120000+0000", nil),
            (.generalizedTime, "20500101000000.5Z", nil),
            (.utcTime, "20240127120000Z", nil), (.ia5String, "240127120000Z", nil), (.utcTime, "241327120000Z", nil),
        ] as [(ASN1Tag, String, Double?)])
    func certificates(_ tag: ASN1Tag, _ text: String, _ seconds: Double?) throws {
        let bytes = ContiguousArray(DER.text(text, tag))
        var reader = ASN1Reader(0..<bytes.count, rules: .distinguished)
        let element = try reader.read("a date", from: bytes.span)
        if let seconds {
            #expect(try bytes.span.certificateDate(element) == Date(timeIntervalSince1970: seconds))
        } else {
            #expect(throws: MalformedInput.self) { try bytes.span.certificateDate(element) }
        }
    }
}
