import Foundation
public import StoreManagerCore

extension StoreConfiguration {
    /// The product as a storefront shows it, in a language.
    ///
    /// The name is that of the locale itself, else of its language, else of `en_US`, else the first, else the reference name,
    /// else the identifier; empty names are passed over. The description goes with the name.
    ///
    /// A product without a price has the price 0, no price locale and no price text. An auto-renewable subscription without
    /// a period or outside a group has no terms, and an offer without a price is not among the terms.
    ///
    /// - Parameters:
    ///   - product: A product of this configuration.
    ///   - storefront: An ISO 3166-1 alpha-3 code, which decides the currency; nil takes the settings'.
    ///   - locale: A locale such as `en_US`, which decides the language; nil takes the settings'.
    public func storeProduct(
        for product: Product, storefront: String? = nil, locale: String? = nil
    ) -> StoreProduct {
        let language = locale ?? settings.locale
        let priceLocale = Locale(language: language, storefront: storefront ?? settings.storefront)
        let localization = product.localizations.best(for: language)
        let names = [localization?.displayName, product.referenceName, product.id]
        return StoreProduct(
            id: product.id, type: product.type,
            displayName: names.lazy.compactMap(\.self).first { !$0.isEmpty } ?? product.id,
            description: localization?.description ?? "", price: product.price ?? 0,
            priceLocale: product.price == nil ? nil : priceLocale,
            displayPrice: product.price.map(priceLocale.displayPrice), isFamilyShareable: product.isFamilyShareable,
            subscription: product.subscription.flatMap { terms(of: $0, language: language, priceLocale: priceLocale) })
    }

    private func terms(
        of subscription: Subscription, language: String, priceLocale: Locale
    ) -> StoreSubscriptionTerms? {
        guard let period = subscription.period else { return nil }
        let group = subscriptionGroups.first { $0.id == subscription.groupID }
        func offers(_ offers: [Offer]) -> [StoreOffer] { offers.compactMap { $0.storeOffer(priceLocale: priceLocale) } }
        return StoreSubscriptionTerms(
            groupID: subscription.groupID, groupDisplayName: group?.displayName(for: language),
            groupLevel: subscription.groupLevel, period: period,
            introductoryOffer: offers(subscription.introductoryOffers).first,
            promotionalOffers: offers(subscription.promotionalOffers),
            winBackOffers: offers(subscription.winBackOffers))
    }
}

extension StoreConfiguration.Offer {
    /// The offer as a storefront shows it; nil where it has no price.
    func storeOffer(priceLocale: Locale) -> StoreOffer? {
        guard let price else { return nil }
        return StoreOffer(
            id: id, type: type, paymentMode: paymentMode, price: price,
            displayPrice: priceLocale.displayPrice(of: price), period: period, periodCount: periodCount)
    }
}

extension StoreConfiguration.SubscriptionGroup {
    /// The group's name in a language, else the one for the seller's own eyes; nil where there is neither.
    fileprivate func displayName(for language: String) -> String? {
        [localizations.best(for: language)?.displayName, name].lazy.compactMap(\.self).first { !$0.isEmpty }
    }
}

extension Locale {
    /// The locale of prices: the language of one identifier, the country and so the currency of a storefront.
    init(language identifier: String, storefront: String) {
        let language = Locale.Language(identifier: identifier)
        let code = language.languageCode?.identifier ?? "en"
        // A script that the language has anyway goes without saying; the country would bring it back.
        let script = language.script.flatMap { $0 == Locale.Language(identifier: code).script ? nil : $0.identifier }
        self.init(identifier: [code, script, storefront].compactMap(\.self).joined(separator: "_"))
    }

    /// A price in print; without a currency sign where the country has no currency.
    func displayPrice(of price: Decimal) -> String {
        guard let currency else { return price.formatted(.number.locale(self)) }
        return price.formatted(.currency(code: currency.identifier).locale(self))
    }
}
