import Foundation
import StoreManagerCore
import Testing

/// Prices in words, and for a day, week, month or year.
struct PriceTests {
    func product(_ price: String, _ locale: String?, displayPrice: String? = nil) -> StoreProduct {
        StoreProduct(
            id: "p", type: .nonConsumable, price: Decimal(priceText: price) ?? .nan,
            priceLocale: locale.map(Locale.init(identifier:)), displayPrice: displayPrice)
    }

    /// Without the kinds of blank that locales put between number and currency, and the marks of direction.
    func plain(_ text: String) -> String {
        text.replacing(/[\u{A0}\u{202F}]/, with: " ").replacing(/[\u{200E}\u{200F}]/, with: "")
    }

    @Test(
        "E03 a price is written by the rules of its own locale, whatever the device's",
        arguments: [
            ("12.99", "tr_TR", "₺12,99"), ("12.99", "en_US", "$12.99"), ("12.99", "de_DE", "12,99 €"),
            ("1299", "ja_JP", "¥1,299"), ("1299", "en_JPN", "¥1,299"), ("12.99", "fr_FR@currency=USD", "12,99 $US"),
            ("0", "en_US", "$0.00"), ("1234567.5", "en_GB", "£1,234,567.50"),
        ])
    func localizedPrice(price: String, locale: String, text: String) {
        #expect(plain(product(price, locale).localizedPrice).replacing("￥", with: "¥") == text)
    }

    @Test("E03 the store's own text goes first, an empty one does not count")
    func storeText() {
        #expect(product("12.99", "en_US", displayPrice: "12 dollars 99").localizedPrice == "12 dollars 99")
        #expect(product("12.99", "en_US", displayPrice: "").localizedPrice == "$12.99")
    }

    @Test(
        "E03 without a locale, or with one that has no currency, the bare number is written",
        arguments: [nil, "en", "", "xx"])
    func noLocale(locale: String?) {
        #expect(product("12.99", locale).localizedPrice == "12.99")
        #expect(product("1234.5", locale).localizedPrice.hasPrefix("1234.5"))
    }

    @Test("E03 an offer's price is written like its product's")
    func offers() {
        var offer = StoreOffer.freeWeek
        let product = product("12.99", "de_DE")
        #expect(plain(product.localizedPrice(of: offer)) == "0,00 €")
        offer.displayPrice = "nothing"
        #expect(product.localizedPrice(of: offer) == "nothing")
    }

    @Test(
        "E04 the price of a day, week, month or year is rounded to the nearest hundredth",
        arguments: [
            ("119.88", 1, StoreSubscriptionPeriod.Unit.year, StoreSubscriptionPeriod.Unit.month, "9.99"),
            ("9.99", 1, .month, .year, "119.88"), ("9.99", 1, .month, .month, "9.99"),
            ("1.99", 1, .week, .month, "8.65"),
            ("1.99", 1, .week, .year, "103.76"), ("29.97", 3, .month, .month, "9.99"), ("0.99", 3, .day, .week, "2.31"),
            ("100", 6, .month, .month, "16.67"), ("0.03", 2, .month, .month, "0.02"), ("10", 1, .year, .day, "0.03"),
            ("0", 1, .year, .day, "0"),
        ])
    func perUnit(
        price: String, value: Int, unit: StoreSubscriptionPeriod.Unit, per: StoreSubscriptionPeriod.Unit,
        expected: String
    ) {
        let product = StoreProduct.subscription(
            "p", period: StoreSubscriptionPeriod(value: value, unit: unit), price: price)
        #expect(product.price(per: per) == Decimal(priceText: expected))
    }

    @Test(
        "E04 rounding goes to what the currency has: none for the yen, thousandths for the dinar",
        arguments: [("ja_JP", "17"), ("en_US", "16.67"), ("ar_KW", "16.667"), (nil, "16.67"), ("en", "16.67")])
    func currencyDigits(locale: String?, expected: String) {
        let period = StoreSubscriptionPeriod(value: 6, unit: .month)
        let product = StoreProduct.subscription("p", period: period, price: "100", locale: locale)
        #expect(product.price(per: .month) == Decimal(priceText: expected))
    }

    @Test(
        "E04 the price of a unit is written by the rules of the price's locale, never with the store's text of the whole"
    )
    func perUnitText() {
        var product = StoreProduct.subscription(
            "p", period: StoreSubscriptionPeriod(value: 1, unit: .year), price: "119.88", locale: "de_DE")
        product.displayPrice = "119,88 €"
        #expect(product.localizedPrice(per: .month).map(plain) == "9,99 €")
        product.priceLocale = nil
        #expect(product.localizedPrice(per: .month) == "9.99")
    }

    @Test(
        "E04 what is no subscription, or has a period of no length, has no price for a unit", arguments: [0, -1, .min])
    func noPeriod(value: Int) {
        let odd = StoreProduct.subscription("p", period: StoreSubscriptionPeriod(value: value, unit: .month))
        #expect(odd.price(per: .month) == nil)
        #expect(odd.localizedPrice(per: .month) == nil)
        #expect(product("12.99", "en_US").price(per: .month) == nil)
    }

    @Test("E04 no price and no period is too great")
    func extremes() {
        let long = StoreSubscriptionPeriod(value: .max, unit: .year)
        #expect(StoreProduct.subscription("p", period: long).price(per: .day) == 0)
        var dear = StoreProduct.subscription("p")
        dear.price = .greatestFiniteMagnitude
        #expect(dear.price(per: .year)?.isNaN == true)
        dear.price = .nan
        #expect(dear.price(per: .year)?.isNaN == true)
        #expect(!dear.localizedPrice.isEmpty)
    }

    @Test(
        "E04 a price is read from text to the last digit",
        arguments: ["114.99", "4.99", "0.1", "0", "7", "1234567890123456.78"])
    func exactText(text: String) throws {
        let price = try #require(Decimal(priceText: text))
        #expect("\(price)" == text)
        let product = StoreProduct(id: "p", type: .consumable, price: price)
        let copy = try JSONDecoder().decode(StoreProduct.self, from: JSONEncoder().encode(product))
        #expect("\(copy.price)" == text)
    }

    @Test(
        "E04 what is no price is not taken for one",
        arguments: [
            "", ".", "1.", ".5", "1,99", "1.2.3", "-1", "+1", "1e3", "12abc", " 1", "$1", "٣", "NaN", "0x1",
            String(repeating: "9", count: 39),
        ])
    func notAPrice(text: String) {
        #expect(Decimal(priceText: text) == nil)
    }
}
