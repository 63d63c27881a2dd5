import Foundation
import StoreManagerCore

extension StoreProduct {
    /// A subscription.
    static func subscription(
        _ id: String, group: String = "group", level: Int = 1,
        period: StoreSubscriptionPeriod = StoreSubscriptionPeriod(value: 1, unit: .month), price: String = "9.99",
        locale: String? = "en_US", introductoryOffer: StoreOffer? = nil
    ) -> StoreProduct {
        StoreProduct(
            id: id, type: .autoRenewable, price: Decimal(priceText: price) ?? .nan,
            priceLocale: locale.map(Locale.init(identifier:)),
            subscription: StoreSubscriptionTerms(
                groupID: group, groupLevel: level, period: period, introductoryOffer: introductoryOffer))
    }
}

extension StoreOffer {
    /// A free week for new subscribers.
    static let freeWeek = StoreOffer(
        type: .introductory, paymentMode: .freeTrial, price: 0, period: StoreSubscriptionPeriod(value: 1, unit: .week))
}
