import Foundation
import StoreManagerCore
import StoreSimulator
import TestSupport
import Testing

@Suite("The shapes of a configuration file")
struct ConfigurationShapeTests {
    @Test(
        "C01 every version gives exactly the products, prices, periods and offers that it holds",
        arguments: Fixture.names)
    func listing(name: String) throws {
        let configuration = try Fixture.configuration(name)
        let expected = try JSONValue(data: Fixture.data(name, ending: "expected.json"))
        #expect(try JSONValue(data: configuration.listing.jsonData()) == expected)
    }

    @Test("C01 what a file of version 1.0 lacks has a default")
    func firstVersion() throws {
        let configuration = try Fixture.configuration("v1.0")
        #expect(configuration.version == .init(major: 1, minor: 0))
        #expect(configuration.identifier == "")
        #expect(configuration.settings == StoreConfiguration.Settings())
        #expect(configuration.offersKeyPair == nil)
        #expect(configuration.appPolicies == nil)
        #expect(configuration.subscriptionGroups == [.init(id: "A0000001", name: "Club")])
        #expect(try configuration.terms("test.club.week").billingPlans == [])
    }

    @Test("C01 products stand in the order of the file, those of groups last")
    func order() throws {
        #expect(
            try Fixture.configuration("v4.0").products.map(\.id) == [
                "test.coins.100", "test.adfree", "test.season", "test.plus.basic", "test.plus.basic.yearly",
                "test.plus.all",
            ])
    }

    @Test("C01 several subscriptions share a level, and the order of the file is not that of the levels")
    func levels() throws {
        let configuration = try Fixture.configuration("v4.0")
        let levels = configuration.products(inGroup: "24000001").compactMap(\.subscription?.groupLevel)
        #expect(levels == [2, 2, 1])
        #expect(configuration.products(inGroup: "24000002") == [])
    }

    @Test(
        "C01 prices are exact decimals, and an empty one is none",
        arguments: [
            ("integer", "4900"), ("zero", "0"), ("zeroPoint", "0"), ("half", "0.5"), ("trailing", "6"),
            ("exact", "114.99"),
        ])
    func prices(name: String, price: String) throws {
        let configuration = try Fixture.configuration("v1.1")
        #expect(configuration.product(withIdentifier: "test.price.\(name)")?.price?.description == price)
        #expect(try #require(configuration.product(withIdentifier: "test.price.empty")).price == nil)
    }

    @Test("C01 a reference name may be null")
    func nullReferenceName() throws {
        let product = try #require(Fixture.configuration("v1.1").product(withIdentifier: "test.price.integer"))
        #expect(product.referenceName == nil)
    }

    @Test("C01 an offer code is told by its reference name, whom it is for, and whether it stacks")
    func codeOffers() throws {
        let offers = try Fixture.configuration("v1.2").terms("test.news.month").codeOffers
        #expect(offers.map(\.type) == [.code, .code, .code])
        #expect(offers.map(\.referenceName) == ["Spring", "Summer", "Autumn"])
        #expect(offers.map(\.eligibility) == [[.new, .existing, .expired], [.existing], [.new, .expired]])
        #expect(offers.map(\.isStackable) == [true, false, true])
        #expect(offers.map(\.periodCount) == [1, 3, 1])
    }

    @Test("C01 a win-back offer is told by subscription and offer identifier, not by its internal one")
    func winBackOffers() throws {
        let configuration = try Fixture.configuration("v4.0")
        let offers = try ["test.plus.basic", "test.plus.basic.yearly"].flatMap {
            try configuration.terms($0).winBackOffers
        }
        #expect(offers.map(\.internalID) == ["1BAC1BAC", "1BAC1BAC"])
        #expect(offers.map(\.id) == ["test.back.basic", "test.back.yearly"])
        #expect(offers.map(\.isEligible) == [true, false])
    }

    @Test("C01 a free offer costs nothing, whatever its price says")
    func freeOfferWithPrice() throws {
        let offer = try #require(Fixture.configuration("v3.0").terms("test.reader.week").introductoryOffers.first)
        #expect(offer.paymentMode == .freeTrial)
        #expect(offer.price == 0)
    }

    @Test("C01 an introductory offer in both places is taken once")
    func introductoryOfferTwice() throws {
        let offers = try Fixture.configuration("v5.0").terms("test.yearly").introductoryOffers
        #expect(offers.map(\.internalID) == ["50505050"])
        #expect(offers.map(\.billingPlanType) == ["BILLED_UPFRONT"])
    }

    @Test("C01 billing plans keep their own prices")
    func billingPlans() throws {
        let plans = try Fixture.configuration("v5.0").terms("test.yearly").billingPlans
        #expect(plans.map(\.type) == ["BILLED_UPFRONT", "MONTHLY"])
        #expect(plans.map(\.price?.description) == ["0.99", "0.5"])
        #expect(plans.map(\.commitmentPrice?.description) == ["0.99", "6"])
        #expect(plans.map(\.isEnabled) == [true, false])
    }

    @Test("C01 subscription suites are not sold")
    func suites() throws {
        #expect(try Fixture.configuration("v6.3").product(withIdentifier: "test.suite.year") == nil)
    }

    @Test("C01 a higher version with unknown keys and values loads with all that is known")
    func futureVersion() throws {
        let configuration = try Fixture.configuration("v9.17")
        #expect(configuration.version > .init(major: 9, minor: 2))
        #expect(configuration.settings.timeRate.rawValue == 2001)
        #expect(
            configuration.settings.simulatedFailures == [
                .init(
                    interface: .init(rawValue: "Future Sheet"), isEnabled: true,
                    failure: .init(type: "future", index: 7))
            ])
        #expect(
            try configuration.terms("test.future.month").codeOffers.map(\.eligibility) == [[.init(rawValue: "lapsed")]])
    }

    @Test("C01 the app's policies are kept")
    func policies() throws {
        #expect(
            try Fixture.configuration("v4.0").appPolicies
                == .init(
                    eula: "https://shop.test/terms",
                    policies: [
                        .init(locale: "en_US", text: "We keep nothing.", url: "https://shop.test/privacy")
                    ]))
    }
}

@Suite("A configuration file written by hand")
struct HandmadeConfigurationTests {
    let configuration: StoreConfiguration

    init() throws { configuration = try Fixture.configuration("handmade") }

    @Test("C01 a subscription belongs to the group that it stands in")
    func enclosingGroup() throws {
        #expect(
            configuration.products(inGroup: "HAND_BASIC").map(\.id) == ["hand.basic", "hand.periodless", "hand.offers"])
    }

    @Test("C01 a group without subscriptions keeps its name")
    func groupWithoutSubscriptions() {
        #expect(configuration.subscriptionGroups.map(\.id) == ["HAND_GROUP", "HAND_BASIC"])
        #expect(
            configuration.subscriptionGroups.first?.localizations == [.init(locale: "en_US", displayName: "By hand")])
    }

    @Test(
        "C01 what lacks a price, a period or a type can be listed but not bought",
        arguments: [
            ("hand.coins", nil), ("hand.basic", nil), ("hand.pass", "price"), ("hand.periodless", "period"),
            ("hand.outside", "period"), ("hand.offers", "price"),
        ] as [(String, String?)])
    func obstacles(identifier: String, missing: String?) throws {
        let obstacle = try #require(configuration.product(withIdentifier: identifier)).obstacleToPurchase
        if let missing {
            #expect(try #require(obstacle).contains(missing))
            #expect(try #require(obstacle).contains(identifier))
        } else {
            #expect(obstacle == nil)
        }
    }

    @Test("C01 a product without a type is listed as unknown and cannot be bought")
    func typeless() throws {
        let text = #"{"version": {"major": 4, "minor": 0}, "products": [{"productID": "a", "displayPrice": "1"}]}"#
        let product = try #require(StoreConfiguration(data: Data(text.utf8)).product(withIdentifier: "a"))
        #expect(product.type == .unknown)
        #expect(product.obstacleToPurchase == "\"a\" has no type")
    }

    @Test("F12 of two products with one identifier the first one counts, and both are kept")
    func duplicates() {
        #expect(configuration.products.filter { $0.id == "hand.twice" }.map(\.type) == [.consumable, .nonConsumable])
        #expect(configuration.product(withIdentifier: "hand.twice")?.type == .consumable)
    }

    @Test(
        "C01 other white space, escapes, line ends, a byte order mark and the order of keys change nothing",
        arguments: Rewriting.allCases)
    func rewriting(_ rewriting: Rewriting) throws {
        let original = try Fixture.data("handmade")
        let rewritten = try rewriting.apply(to: original)
        #expect(rewritten != original)
        #expect(try StoreConfiguration(data: rewritten) == configuration)
    }

    enum Rewriting: CaseIterable {
        case pretty, sorted, carriageReturns, byteOrderMark, utf16

        func apply(to data: Data) throws -> Data {
            func json(_ options: JSONSerialization.WritingOptions) throws -> Data {
                try JSONSerialization.data(withJSONObject: JSONSerialization.jsonObject(with: data), options: options)
            }
            return switch self {
            case .pretty: try json(.prettyPrinted)
            case .sorted: try json(.sortedKeys)
            case .carriageReturns:
                Data(String(decoding: try json(.prettyPrinted), as: UTF8.self).replacing("\n", with: "\r\n").utf8)
            case .byteOrderMark: [0xEF, 0xBB, 0xBF] + data
            case .utf16: try #require(String(decoding: data, as: UTF8.self).data(using: .utf16))
            }
        }
    }
}
