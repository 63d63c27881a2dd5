import Foundation
import StoreManagerCore

extension StoreConfiguration {
    /// The catalogue as a table for people to read: name, identifier, type, price in the storefront's currency, period and
    /// offers, one product a line, in the order of the file.
    ///
    /// - Parameters:
    ///   - storefront: An ISO 3166-1 alpha-3 code, which decides the currency; nil takes the settings'.
    ///   - locale: A locale such as `en_US`, which decides the language of the names; nil takes the settings'.
    public func table(storefront: String? = nil, locale: String? = nil) -> String {
        let priceLocale = Locale(language: locale ?? settings.locale, storefront: storefront ?? settings.storefront)
        let header = ["NAME", "IDENTIFIER", "TYPE", "PRICE", "PERIOD", "OFFERS"]
        let rows = products.map { product in
            let shown = storeProduct(for: product, storefront: storefront, locale: locale)
            return [
                shown.displayName, product.id, product.type.words, shown.displayPrice ?? "-",
                product.subscription?.period?.words ?? "-",
                product.subscription?.offers.map { $0.summary(priceLocale) }.joined(separator: "; ") ?? "",
            ]
        }
        return TextTable(rows: [header] + rows).description
    }
}

extension StoreConfiguration.Subscription {
    fileprivate var offers: [StoreConfiguration.Offer] {
        introductoryOffers + promotionalOffers + codeOffers + winBackOffers
    }
}

extension StoreConfiguration.Offer {
    /// The offer in words, such as `introductory: 3 x $0.99 for 1 month`.
    fileprivate func summary(_ priceLocale: Locale) -> String {
        let name = type == .code ? referenceName : id
        let title = [type.words, name].compactMap(\.self).joined(separator: " ")
        let amount = price.map(priceLocale.displayPrice) ?? "without a price"
        return switch paymentMode {
        case .freeTrial: "\(title): free for \(period.multiplied(by: periodCount).words)"
        case .payAsYouGo: "\(title): \(periodCount) x \(amount) for \(period.words)"
        case .payUpFront, .oneTime: "\(title): \(amount) for \(period.multiplied(by: periodCount).words)"
        }
    }
}

extension StoreSubscriptionPeriod {
    fileprivate var words: String { "\(value) \(unit.rawValue)\(value == 1 ? "" : "s")" }
}

extension StoreProductType {
    fileprivate var words: String {
        switch self {
        case .consumable: "consumable"
        case .nonConsumable: "non-consumable"
        case .nonRenewable: "non-renewing"
        case .autoRenewable: "auto-renewable"
        case .unknown: "unknown"
        }
    }
}

extension StoreOfferType {
    fileprivate var words: String {
        switch self {
        case .introductory: "introductory"
        case .promotional: "promotional"
        case .code: "code"
        case .winBack: "win-back"
        }
    }
}
