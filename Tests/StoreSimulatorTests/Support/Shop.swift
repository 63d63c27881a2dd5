import Foundation
import StoreManagerCore
import StoreSimulator

/// The shop of the tests: a product of each kind, and a group of four plans on two levels.
enum Shop {
    static let coins = "com.example.coins"
    static let removeAds = "com.example.removeads"
    static let season = "com.example.season"
    static let goldMonthly = "com.example.gold.monthly"
    static let goldYearly = "com.example.gold.yearly"
    static let silverMonthly = "com.example.silver.monthly"
    static let silverWeekly = "com.example.silver.weekly"
    /// A monthly plan in a group of its own, with an introductory offer.
    static let magazine = "com.example.magazine"

    static let all = [
        coins, removeAds, season, goldMonthly, goldYearly, silverMonthly, silverWeekly, magazine,
    ]

    /// The plans of one group.
    static let plans = [goldMonthly, goldYearly, silverMonthly, silverWeekly]

    static let group = "premium"

    /// The shop's configuration; `change` may alter its settings.
    static func configuration(
        introductory: StoreConfiguration.Offer? = trial, _ change: (inout StoreConfiguration) -> Void = { _ in }
    ) -> StoreConfiguration {
        var configuration = StoreConfiguration(
            products: [
                .init(id: coins, type: .consumable, price: 0.99),
                .init(id: removeAds, type: .nonConsumable, price: 4.99, isFamilyShareable: true),
                .init(id: season, type: .nonRenewable, price: 9.99),
                plan(goldMonthly, price: 9.99, level: 1, "P1M"),
                plan(goldYearly, price: 99.99, level: 1, "P1Y"),
                plan(silverMonthly, price: 4.99, level: 2, "P1M", offers: true),
                plan(silverWeekly, price: 1.99, level: 2, "P1W"),
                .init(
                    id: magazine, type: .autoRenewable, price: 2.99,
                    subscription: .init(
                        groupID: "magazine", period: StoreSubscriptionPeriod(value: 1, unit: .month),
                        introductoryOffers: introductory.map { [$0] } ?? [])),
            ],
            subscriptionGroups: [.init(id: group, name: "Premium"), .init(id: "magazine", name: "Magazine")])
        change(&configuration)
        return configuration
    }

    /// A week for nothing.
    static let trial = StoreConfiguration.Offer(
        type: .introductory, paymentMode: .freeTrial, price: 0, period: StoreSubscriptionPeriod(value: 1, unit: .week))

    private static func plan(
        _ id: String, price: Decimal, level: Int, _ period: String, offers: Bool = false
    ) -> StoreConfiguration.Product {
        let month = StoreSubscriptionPeriod(value: 1, unit: .month)
        var subscription = StoreConfiguration.Subscription(
            groupID: group, groupLevel: level, period: StoreSubscriptionPeriod(iso8601: period))
        if offers {
            subscription.promotionalOffers = [
                .init(
                    type: .promotional, id: "loyal", paymentMode: .payAsYouGo, price: 2.99, period: month,
                    periodCount: 3),
                .init(type: .promotional, id: "priceless", paymentMode: .payUpFront, price: nil, period: month),
            ]
            subscription.winBackOffers = [
                .init(
                    type: .winBack, id: "comeback", paymentMode: .payUpFront, price: 5.99, period: month, periodCount: 3
                )
            ]
            subscription.codeOffers = [
                .init(
                    type: .code, paymentMode: .freeTrial, price: 0, period: month, referenceName: "fair",
                    eligibility: [.new, .expired])
            ]
        }
        return StoreConfiguration.Product(
            id: id, type: .autoRenewable, price: price, isFamilyShareable: id == goldMonthly, subscription: subscription
        )
    }
}
