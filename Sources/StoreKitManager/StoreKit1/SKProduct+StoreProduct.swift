import Foundation
import StoreKit
import StoreManagerCore

extension StoreProduct {
    /// The product in the words of the package. Its kind is known only where it is a subscription that renews.
    init(_ product: SKProduct) {
        self.init(
            id: product.productIdentifier, type: product.isSubscription ? .autoRenewable : .unknown,
            displayName: product.localizedTitle, description: product.localizedDescription,
            price: product.price.decimalValue,
            priceLocale: product.priceLocale.identifier.isEmpty ? nil : product.priceLocale,
            isFamilyShareable: product.isFamilyShareable, subscription: StoreSubscriptionTerms(product))
    }
}

extension SKProduct {
    /// Whether it renews; nothing else has a period.
    var isSubscription: Bool { subscriptionPeriod.flatMap(StoreSubscriptionPeriod.init) != nil }
}

extension StoreSubscriptionTerms {
    /// The terms of a subscription; nil for anything else.
    fileprivate init?(_ product: SKProduct) {
        guard let period = product.subscriptionPeriod.flatMap(StoreSubscriptionPeriod.init) else { return nil }
        self.init(
            groupID: product.subscriptionGroupIdentifier ?? "", period: period,
            introductoryOffer: product.introductoryPrice.flatMap(StoreOffer.init),
            promotionalOffers: product.discounts.compactMap(StoreOffer.init))
    }
}

extension StoreOffer {
    /// An offer in the words of the package. Nil where its kind, the way to pay or the unit of
    /// its length is none that this version knows.
    fileprivate init?(_ discount: SKProductDiscount) {
        guard let type = StoreOfferType(discount.type), let mode = StoreOfferPaymentMode(discount.paymentMode),
            let period = StoreSubscriptionPeriod(discount.subscriptionPeriod)
        else { return nil }
        self.init(
            id: discount.identifier, type: type, paymentMode: mode, price: discount.price.decimalValue,
            period: period, periodCount: discount.numberOfPeriods)
    }
}

extension StoreOfferType {
    fileprivate init?(_ type: SKProductDiscount.`Type`) {
        switch type {
        case .introductory: self = .introductory
        case .subscription: self = .promotional
        @unknown default: return nil
        }
    }
}

extension StoreOfferPaymentMode {
    fileprivate init?(_ mode: SKProductDiscount.PaymentMode) {
        switch mode {
        case .payAsYouGo: self = .payAsYouGo
        case .payUpFront: self = .payUpFront
        case .freeTrial: self = .freeTrial
        @unknown default: return nil
        }
    }
}

extension StoreSubscriptionPeriod {
    /// A period in the words of the package. Nil where it has no length, or a unit that this version does not know.
    fileprivate init?(_ period: SKProductSubscriptionPeriod) {
        guard period.numberOfUnits > 0, let unit = Unit(period.unit) else { return nil }
        self.init(value: period.numberOfUnits, unit: unit)
    }
}

extension StoreSubscriptionPeriod.Unit {
    fileprivate init?(_ unit: SKProduct.PeriodUnit) {
        switch unit {
        case .day: self = .day
        case .week: self = .week
        case .month: self = .month
        case .year: self = .year
        @unknown default: return nil
        }
    }
}
