import Foundation
import StoreManagerCore
import StoreSimulator
import Testing

@Suite("A configured product in a storefront")
struct StoreProductTests {
    @Test(
        "C01 the storefront decides the currency, the locale how it is written",
        arguments: [
            ("USA", "en_US", "USD", "$4.99"), ("JPN", "en_US", "JPY", "¥5"), ("JPN", "ja_JP", "JPY", "¥5"),
            ("DEU", "de", "EUR", "4,99 €"), ("CHN", "zh_Hans", "CNY", "¥4.99"), ("COL", "es_MX", "COP", "$ 5"),
            ("GBR", "en_US", "GBP", "£4.99"),
        ])
    func currency(storefront: String, locale: String, currency: String, text: String) throws {
        let configuration = StoreConfiguration(products: [
            .init(id: "a", type: .consumable, price: Decimal(string: "4.99"))
        ])
        let product = configuration.storeProduct(
            for: configuration.products[0], storefront: storefront, locale: locale)
        #expect(product.price == Decimal(string: "4.99"))
        #expect(product.priceLocale?.currency?.identifier == currency)
        #expect(product.displayPrice?.replacing("\u{A0}", with: " ") == text)
    }

    @Test("C01 storefront and locale are the configuration's own unless others are asked for")
    func defaults() throws {
        let configuration = try Fixture.configuration("v1.1")
        let product = try #require(configuration.product(withIdentifier: "test.price.integer"))
        let shown = configuration.storeProduct(for: product)
        #expect(shown.priceLocale == Locale(identifier: "es_COL"))
        #expect(shown.displayPrice?.contains("4.900") == true)
        #expect(configuration.storeProduct(for: product, storefront: "JPN").priceLocale == Locale(identifier: "es_JPN"))
    }

    @Test("C01 a country without a currency, or none at all, leaves a plain number", arguments: ["XQQ", "", "nowhere"])
    func unknownStorefront(storefront: String) {
        let configuration = StoreConfiguration(products: [.init(id: "a", type: .consumable, price: 1234.5)])
        let product = configuration.storeProduct(for: configuration.products[0], storefront: storefront)
        #expect(product.displayPrice == "1,234.5")
    }

    @Test("C01 a script that the country does not imply stays in the price's locale")
    func script() {
        let configuration = StoreConfiguration(products: [.init(id: "a", type: .consumable, price: 1)])
        let product = configuration.storeProduct(for: configuration.products[0], storefront: "USA", locale: "zh_TW")
        #expect(product.priceLocale == Locale(identifier: "zh_Hant_USA"))
    }

    @Test("C01 a product without a price is shown without one")
    func noPrice() throws {
        let configuration = try Fixture.configuration("v1.1")
        let product = configuration.storeProduct(
            for: try #require(configuration.product(withIdentifier: "test.price.empty")))
        #expect(product.price == 0)
        #expect(product.priceLocale == nil)
        #expect(product.displayPrice == nil)
    }

    @Test(
        "C01 the name is in the locale asked for, else in its language, else in en_US, else the first",
        arguments: [
            ("en_GB", "Colour"), ("en-gb", "Colour"), ("ja_JP", "色"), ("ja", "色"), ("zh_CN", "颜色"), ("zh_TW", "顏色"),
            ("zh_Hant_HK", "顏色"), ("en_AU", "Color"), ("fr", "Color"), ("", "Color"),
        ])
    func localization(locale: String, name: String) {
        let product = StoreConfiguration.Product(
            id: "a", type: .consumable, price: 1,
            localizations: [
                .init(locale: "zh_Hant", displayName: "顏色", description: "一種顏色"),
                .init(locale: "zh_Hans", displayName: "颜色"), .init(locale: "ja", displayName: "色"),
                .init(locale: "en_US", displayName: "Color"), .init(locale: "en_GB", displayName: "Colour"),
            ])
        let configuration = StoreConfiguration(products: [product])
        #expect(configuration.storeProduct(for: product, locale: locale).displayName == name)
        #expect(
            configuration.storeProduct(for: product, locale: locale).description == (name == "顏色" ? "一種顏色" : ""))
    }

    @Test(
        "C01 without a name in any language the reference name stands in, then the identifier",
        arguments: [
            ([.init(locale: "ja", displayName: "色")], "reference", "色"),
            ([.init(locale: "en_US", displayName: ""), .init(locale: "ja", displayName: "色")], "reference", "色"),
            ([.init(locale: "en_US", displayName: "")], "reference", "reference"), ([], "reference", "reference"),
            ([], "", "a"), ([], nil, "a"),
        ] as [([StoreConfiguration.Localization], String?, String)])
    func fallback(localizations: [StoreConfiguration.Localization], referenceName: String?, name: String) {
        let product = StoreConfiguration.Product(
            id: "a", type: .consumable, price: 1, referenceName: referenceName, localizations: localizations)
        #expect(StoreConfiguration().storeProduct(for: product).displayName == name)
    }

    @Test("C01 a description is shown also where no language has a name")
    func descriptionAlone() {
        let product = StoreConfiguration.Product(
            id: "a", type: .consumable, price: 1,
            localizations: [.init(locale: "en_US", displayName: "", description: "Only this.")])
        #expect(StoreConfiguration().storeProduct(for: product).description == "Only this.")
    }

    @Test("C01 a subscription is shown with its group, level, period and offers")
    func subscription() throws {
        let configuration = try Fixture.configuration("v2.0")
        let product = configuration.storeProduct(
            for: try #require(configuration.product(withIdentifier: "test.music.quarter")), locale: "de_DE")
        let terms = try #require(product.subscription)
        #expect(terms.groupID == "21000001")
        #expect(terms.groupDisplayName == "Musikklub")
        #expect(terms.groupLevel == 2)
        #expect(terms.period == StoreSubscriptionPeriod(value: 3, unit: .month))
        #expect(terms.introductoryOffer == nil)
        #expect(terms.promotionalOffers.map(\.id) == ["test.music.trial", "test.music.half", "test.music.year"])
        #expect(terms.promotionalOffers.map(\.paymentMode) == [.freeTrial, .payAsYouGo, .payUpFront])
        #expect(terms.promotionalOffers.map(\.price) == [0, Decimal(string: "4.99"), Decimal(string: "19.99")])
        #expect(terms.promotionalOffers.map(\.periodCount) == [1, 2, 1])
        #expect(
            terms.promotionalOffers[1].displayPrice?.replacing("\u{A0}", with: " ")
                == "4.99 $")

        let other = try #require(configuration.product(withIdentifier: "test.music.half"))
        let introductory = configuration.storeProduct(for: other).subscription?.introductoryOffer
        #expect(introductory?.paymentMode == .payUpFront)
        #expect(introductory?.period == StoreSubscriptionPeriod(value: 6, unit: .month))
    }

    @Test("C01 win-back offers are shown, offer codes are not, a group without a localization has its own name")
    func otherOffers() throws {
        let winBack = try Fixture.configuration("v4.0")
        let basic = winBack.storeProduct(for: try #require(winBack.product(withIdentifier: "test.plus.basic")))
        #expect(basic.subscription?.winBackOffers.map(\.id) == ["test.back.basic"])
        #expect(basic.subscription?.groupDisplayName == "Plus")

        let codes = try Fixture.configuration("v1.2")
        let news = codes.storeProduct(for: try #require(codes.product(withIdentifier: "test.news.month")))
        #expect(try #require(news.subscription).promotionalOffers.isEmpty)
    }

    @Test(
        "C01 without a period or a group there are no terms, and an offer without a price is not among them",
        arguments: ["hand.outside", "hand.periodless", "hand.offers"])
    func incomplete(identifier: String) throws {
        var configuration = try Fixture.configuration("handmade")
        let product = try #require(configuration.product(withIdentifier: identifier))
        #expect(configuration.storeProduct(for: product).subscription == nil)

        guard let index = configuration.products.firstIndex(of: product), product.subscription != nil else { return }
        configuration.products[index].subscription?.period = StoreSubscriptionPeriod(value: 1, unit: .month)
        let terms = configuration.storeProduct(for: configuration.products[index]).subscription
        #expect(terms?.promotionalOffers == [])
    }
}
