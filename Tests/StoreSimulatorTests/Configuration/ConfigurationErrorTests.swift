import Foundation
import StoreSimulator
import TestSupport
import Testing

@Suite("A configuration file that cannot be read")
struct ConfigurationErrorTests {
    @Test(
        "C01 broken JSON gives an error with the place of the fault",
        arguments: [
            ("", 0, 1), ("  ", 2, 1), ("{\n\"version\": {", 14, 2), ("{\n\n\"a\" 1}", 7, 3),
            ("{\"ö\":x}", 6, 1), ("{\"identifier\": \"\\q\"}", 16, 1), ("{} {", 3, 1), ("{\"identifier\": tru", 18, 1),
            ("{\"a\":\"\\u00xcb\"}", 8, 1), ("{\"a\":\"\\ud800b\"}\n", 13, 1), ("{\"a\":\"\\udc00b\"}\n", 11, 1),
        ])
    func syntax(text: String, byte: Int, line: Int) throws {
        let error = try failure(text)
        #expect(error.place == .offset(byte, line: line))
        #expect(error.description.contains("line \(line), byte \(byte)"))
    }

    @Test("C01 text that is not Unicode gives an error with the place of the fault")
    func encoding() {
        let error = #expect(throws: StoreConfigurationError.self) {
            try StoreConfiguration(data: Data("{\"version\": \"".utf8) + [0xFF, 0x22, 0x7D])
        }
        #expect(error?.place == .offset(13, line: 1))
    }

    @Test("C01 a document nested without end is an error and no trap")
    func nesting() throws {
        let text = "{\"version\": \(String(repeating: "[", count: 100_000))"
        guard case .offset = try failure(text).place else {
            Issue.record("no place is given")
            return
        }
    }

    @Test(
        "C01 every value that is not understood gives an error with its key path and what would be right",
        arguments: [
            (#""productID": """#, "products[1].productID", "com.example"),
            (#""productID": "b", "type": "Consumabel""#, "products[1].type", "NonConsumable"),
            (#""productID": "b", "displayPrice": "4,99""#, "products[1].displayPrice", "4.99"),
            (#""productID": "b", "displayPrice": "-1""#, "products[1].displayPrice", "4.99"),
            (#""productID": "b", "displayPrice": "$4.99""#, "products[1].displayPrice", "4.99"),
            (#""productID": "b", "displayPrice": "1e3""#, "products[1].displayPrice", "4.99"),
            (#""productID": "b", "displayPrice": "1.""#, "products[1].displayPrice", "4.99"),
            (#""productID": "b", "displayPrice": 4.99"#, "products[1].displayPrice", "4.99"),
            (#""productID": "b", "localizations": [{}, {"locale": 1}]"#, "products[1].localizations[1].locale", "text"),
            (#""productID": "b", "familyShareable": "yes""#, "products[1].familyShareable", "true or false"),
            (#""type": "Consumable""#, "products[1].productID", "com.example"),
        ])
    func product(members: String, path: String, remedy: String) throws {
        let error = try failure(
            #"{"version": {"major": 4, "minor": 0}, "products": [{"productID": "a"}, {\#(members)}]}"#)
        #expect(error.place == .keyPath(path))
        #expect(error.remedy.contains(remedy))
    }

    @Test("C01 a price of more digits than a decimal holds is an error and is not rounded")
    func longPrice() throws {
        let digits = String(repeating: "9", count: 60)
        let text =
            #"{"version": {"major": 4, "minor": 0}, "products": [{"productID": "a", "displayPrice": "\#(digits)"}]}"#
        #expect(try failure(text).place == .keyPath("products[0].displayPrice"))
    }

    @Test(
        "C01 a subscription that is not understood gives an error with its key path",
        arguments: [
            (#""recurringSubscriptionPeriod": "1 month""#, "recurringSubscriptionPeriod", "P1M"),
            (#""recurringSubscriptionPeriod": "P0M""#, "recurringSubscriptionPeriod", "P1M"),
            (#""recurringSubscriptionPeriod": 1"#, "recurringSubscriptionPeriod", "P1M"),
            (#""groupNumber": 0"#, "groupNumber", "1 or more"),
            (#""groupNumber": 1.5"#, "groupNumber", "1 or more"),
            (#""groupNumber": 99999999999999999999999"#, "groupNumber", "1 or more"),
            (#""adHocOffers": [{"subscriptionPeriod": "P1M"}]"#, "adHocOffers[0].paymentMode", "payAsYouGo"),
            (#""adHocOffers": [{"paymentMode": "free"}]"#, "adHocOffers[0].subscriptionPeriod", "P1M"),
            (
                #""codeOffers": [{"paymentMode": "gratis", "subscriptionPeriod": "P1M"}]"#,
                "codeOffers[0].paymentMode", "\"free\""
            ),
            (
                #""winbackOffers": [{"paymentMode": "free", "subscriptionPeriod": ""}]"#,
                "winbackOffers[0].subscriptionPeriod", "P1M"
            ),
            (
                #""introductoryOffer": {"paymentMode": "free", "subscriptionPeriod": "P1M", "numberOfPeriods": 0}"#,
                "introductoryOffer.numberOfPeriods", "1 or more"
            ),
        ])
    func subscription(members: String, path: String, remedy: String) throws {
        let error = try failure(
            """
            {"version": {"major": 4, "minor": 0}, "subscriptionGroups": [
              {"id": "G", "subscriptions": [{"productID": "a"}, {"productID": "b", \(members)}]}]}
            """)
        #expect(error.place == .keyPath("subscriptionGroups[0].subscriptions[1].\(path)"))
        #expect(error.remedy.contains(remedy))
    }

    @Test(
        "C01 a document that is no configuration gives an error with the place",
        arguments: [
            ("[]", ""), ("null", ""), ("7", ""), ("{}", "version"), ("{\"version\": {\"minor\": 1}}", "version.major"),
        ])
    func otherDocuments(text: String, path: String) throws {
        #expect(try failure(text).place == .keyPath(path))
    }

    @Test("C01 a file that is not there gives an error with its name")
    func missingFile() {
        let error = #expect(throws: StoreConfigurationError.self) {
            try StoreConfiguration(contentsOf: URL(filePath: "/no/such/place/Shop.storekit"))
        }
        #expect(error?.file == "Shop.storekit")
        #expect(error?.place == .file)
    }

    @Test("C01 an error reads as one line: file, place, problem and what would be right")
    func description() {
        let error = StoreConfigurationError(
            file: "Shop.storekit", place: .keyPath("products[2].displayPrice"), problem: "\"4,99\" is not understood",
            remedy: "a price such as \"4.99\"")
        let line =
            #"Shop.storekit: products[2].displayPrice: "4,99" is not understood; right would be a price such as "4.99""#
        #expect(error.description == line)
        #expect(error.localizedDescription == line)
    }

    private func failure(_ text: String) throws -> StoreConfigurationError {
        try #require(
            #expect(throws: StoreConfigurationError.self) { try StoreConfiguration(data: Data(text.utf8)) })
    }
}
