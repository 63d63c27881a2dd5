import Foundation
import StoreKit
import StoreManagerCore

extension StoreProduct {
    /// StoreKit's product in the words of the package.
    init(_ product: Product) {
        self.init(
            id: product.id, type: StoreProductType(product.type), displayName: product.displayName,
            description: product.description, price: product.price, priceLocale: product.priceFormatStyle.pricedLocale,
            displayPrice: product.displayPrice, isFamilyShareable: product.isFamilyShareable,
            subscription: product.subscription.map { StoreSubscriptionTerms($0) })
    }
}

extension StoreProductType {
    /// StoreKit's kind; one that the package does not know is unknown.
    init(_ type: Product.ProductType) {
        switch type {
        case .consumable: self = .consumable
        case .nonConsumable: self = .nonConsumable
        case .nonRenewable: self = .nonRenewable
        case .autoRenewable: self = .autoRenewable
        default: self = .unknown
        }
    }
}

extension StoreSubscriptionTerms {
    /// StoreKit's terms. Offers of a kind that the package does not know are left out.
    init(_ info: Product.SubscriptionInfo) {
        self.init(
            groupID: info.subscriptionGroupID,
            // StoreKit says "" on systems that do not know the name.
            groupDisplayName: info.groupDisplayName.isEmpty ? nil : info.groupDisplayName,
            groupLevel: info.groupLevel, period: StoreSubscriptionPeriod(info.subscriptionPeriod),
            introductoryOffer: info.introductoryOffer.flatMap { StoreOffer($0) },
            promotionalOffers: info.promotionalOffers.compactMap { StoreOffer($0) })
        if #available(iOS 18.0, macOS 15.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *) {
            winBackOffers = info.winBackOffers.compactMap { StoreOffer($0) }
        }
    }
}

extension StoreOffer {
    /// StoreKit's offer; nil for one of a kind, or with a way to pay, that the package does not know.
    init?(_ offer: Product.SubscriptionOffer) {
        guard let type = StoreOfferType(offer.type), let mode = StoreOfferPaymentMode(offer.paymentMode) else {
            return nil
        }
        self.init(
            id: offer.id, type: type, paymentMode: mode, price: offer.price, displayPrice: offer.displayPrice,
            period: StoreSubscriptionPeriod(offer.period), periodCount: offer.periodCount)
    }
}

extension StoreSubscriptionPeriod {
    /// StoreKit's period.
    init(_ period: Product.SubscriptionPeriod) { self.init(value: period.value, unit: Unit(period.unit)) }
}

extension StoreSubscriptionPeriod.Unit {
    fileprivate init(_ unit: Product.SubscriptionPeriod.Unit) {
        switch unit {
        case .day: self = .day
        case .week: self = .week
        case .month: self = .month
        case .year: self = .year
        // StoreKit has had these four since its second version; a day is what a later unit can be told by least wrongly.
        @unknown default: self = .day
        }
    }
}

extension StoreOfferType {
    fileprivate init?(_ type: Product.SubscriptionOffer.OfferType) {
        switch type {
        case .introductory: self = .introductory
        case .promotional: self = .promotional
        default:
            guard #available(iOS 18.0, macOS 15.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *), type == .winBack else {
                return nil
            }
            self = .winBack
        }
    }
}

extension StoreOfferPaymentMode {
    fileprivate init?(_ mode: Product.SubscriptionOffer.PaymentMode) {
        switch mode {
        case .payAsYouGo: self = .payAsYouGo
        case .payUpFront: self = .payUpFront
        case .freeTrial: self = .freeTrial
        default: return nil
        }
    }
}

extension Decimal.FormatStyle.Currency {
    /// The locale of the style, which names the currency of the price, whatever currency its region has.
    var pricedLocale: Locale {
        guard locale.currency?.identifier != currencyCode else { return locale }
        var components = Locale.Components(locale: locale)
        components.currency = Locale.Currency(currencyCode)
        return Locale(components: components)
    }
}
