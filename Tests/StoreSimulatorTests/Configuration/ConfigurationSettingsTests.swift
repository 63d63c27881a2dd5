import Foundation
import StoreSimulator
import Testing

@Suite("The settings of a configuration file")
struct ConfigurationSettingsTests {
    typealias Switch = any WritableKeyPath<StoreConfiguration.Settings, Bool> & Sendable

    @Test("C01 every switch of the settings is read")
    func switches() throws {
        let settings = try Fixture.configuration("v4.0").settings
        #expect(settings.asksToBuy)
        #expect(settings.interruptsPurchases)
        #expect(settings.failsRenewals)
        #expect(settings.grantsBillingGracePeriod)
        #expect(settings.disablesDialogs)
        #expect(!settings.failsTransactions)
        #expect(try Fixture.configuration("v2.0").settings.failsTransactions)
    }

    @Test(
        "C01 each switch is its own",
        arguments: [
            ("_askToBuyEnabled", \.asksToBuy), ("_billingIssuesEnabled", \.interruptsPurchases),
            ("_renewalBillingIssuesEnabled", \.failsRenewals),
            ("_billingGracePeriodEnabled", \.grantsBillingGracePeriod), ("_disableDialogs", \.disablesDialogs),
            ("_failTransactionsEnabled", \.failsTransactions),
        ] as [(String, Switch)])
    func oneSwitch(key: String, property: Switch) throws {
        var expected = StoreConfiguration.Settings()
        expected[keyPath: property] = true
        #expect(try settings("{\"\(key)\": true}") == expected)
        #expect(try settings("{\"\(key)\": false}") == StoreConfiguration.Settings())
    }

    @Test(
        "C01 the time rate is kept, and the one for older readers counts only where there is no other",
        arguments: [
            ("{}", 0), ("{\"_timeRate\": 15, \"_compatibilityTimeRate\": 6}", 15),
            ("{\"_timeRate\": 1003, \"_compatibilityTimeRate\": {\"3\": 6}}", 1003),
            ("{\"_compatibilityTimeRate\": 6}", 6), ("{\"_compatibilityTimeRate\": {\"3\": 5}}", 5),
            ("{\"_compatibilityTimeRate\": {\"9\": 5}}", 0),
        ])
    func timeRate(json: String, rate: Int) throws {
        #expect(try settings(json).timeRate.rawValue == rate)
    }

    @Test("C01 the storefront and the locale are those of the file, and USA and en_US where it names none")
    func storefront() throws {
        let settings = try Fixture.configuration("v1.1").settings
        #expect([settings.storefront, settings.locale] == ["COL", "es_MX"])
        let empty = try self.settings("{\"_storefront\": \"\", \"_locale\": null}")
        #expect([empty.storefront, empty.locale] == ["USA", "en_US"])
    }

    @Test("C01 simulated failures are kept by interface, chosen or not, on or off")
    func simulatedFailures() throws {
        let failures = try Fixture.configuration("v4.0").settings.simulatedFailures
        #expect(
            failures.map(\.interface) == [
                .loadProducts, .purchase, .verification, .appStoreSync, .subscriptionStatus, .appTransaction,
                .manageSubscriptions, .refundRequest, .offerCodeRedeem,
            ])
        #expect(
            failures.map(\.failure) == [
                .init(type: "generic", index: 2), .init(type: "purchase", index: 1),
                .init(type: "verification", index: 0), nil, .init(type: "generic", index: 2), nil, nil,
                .init(type: "refund request", index: 0), nil,
            ])
        #expect(failures.filter(\.isEnabled).map(\.interface) == [.purchase])
        #expect(try Fixture.configuration("v3.0").settings.simulatedFailures.allSatisfy { $0.failure == nil })
    }

    @Test("C01 the older single error is kept as a code")
    func singleError() throws {
        #expect(try Fixture.configuration("v2.0").settings.transactionFailureCode == 0)
        #expect(try Fixture.configuration("v4.0").settings.transactionFailureCode == nil)
    }

    @Test("C01 what ties a file to App Store Connect is kept")
    func synchronisation() throws {
        let settings = try Fixture.configuration("v3.0").settings
        #expect(settings.developerTeamID == "TESTTEAM01")
        #expect(settings.applicationInternalID == "1000000001")
        #expect(settings.lastSynchronizedDate == Date(timeIntervalSinceReferenceDate: 748108800.12345672))
    }

    private func settings(_ json: String) throws -> StoreConfiguration.Settings {
        let text = "{\"version\": {\"major\": 4, \"minor\": 0}, \"settings\": \(json)}"
        return try StoreConfiguration(data: Data(text.utf8)).settings
    }
}
