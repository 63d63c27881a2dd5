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
            subscription: product.subscription.flatMap { StoreSubscriptionTerms($0) })
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
    /// StoreKit's terms; nil where the period is in a unit that the package does not know. Offers of a kind that it does not
    /// know are left out.
    init?(_ info: Product.SubscriptionInfo) {
        guard let period = StoreSubscriptionPeriod(info.subscriptionPeriod) else { return nil }
        self.init(
            groupID: info.subscriptionGroupID,
            // StoreKit says "" on systems that do not know the name.
            groupDisplayName: info.groupDisplayName.isEmpty ? nil : info.groupDisplayName,
            groupLevel: info.groupLevel, period: period,
            introductoryOffer: info.introductoryOffer.flatMap { StoreOffer($0) },
            promotionalOffers: info.promotionalOffers.compactMap { StoreOffer($0) })
        if #available(iOS 18.0, macOS 15.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *) {
            winBackOffers = info.winBackOffers.compactMap { StoreOffer($0) }
        }
    }
}

extension StoreOffer {
    /// StoreKit's offer; nil for one of a kind, with a way to pay, or of a unit of time, that the package does not know.
    init?(_ offer: Product.SubscriptionOffer) {
        guard let type = StoreOfferType(offer.type), let mode = StoreOfferPaymentMode(offer.paymentMode),
            let period = StoreSubscriptionPeriod(offer.period)
        else { return nil }
        self.init(
            id: offer.id, type: type, paymentMode: mode, price: offer.price, displayPrice: offer.displayPrice,
            period: period, periodCount: offer.periodCount)
    }
}

extension StoreSubscriptionPeriod {
    /// StoreKit's period; nil for one of a unit that the package does not know.
    init?(_ period: Product.SubscriptionPeriod) {
        guard let unit = Unit(period.unit) else { return nil }
        self.init(value: period.value, unit: unit)
    }
}

extension StoreSubscriptionPeriod.Unit {
    fileprivate init?(_ unit: Product.SubscriptionPeriod.Unit) {
        switch unit {
        case .day: self = .day
        case .week: self = .week
        case .month: self = .month
        case .year: self = .year
        @unknown default: return nil
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
