import Foundation
import StoreManagerCore
import StoreSimulator

/// What is sold where the contract is tried.
extension StoreConfiguration {
    /// A product of each kind, and a group of two levels of service.
    static let contract = StoreConfiguration(
        products: [
            .init(id: "coins", type: .consumable, price: 0.99),
            .init(id: "gems", type: .consumable, price: 1.99),
            .init(id: "theme", type: .nonConsumable, price: 4.99),
            .init(id: "levels", type: .nonConsumable, price: 6.99),
            .init(id: "season", type: .nonRenewable, price: 9.99),
            .plan("gold", level: 1, price: 9.99),
            .plan("silver", level: 2, price: 4.99),
        ],
        subscriptionGroups: [.init(id: "club", name: "Club")])

    /// So many consumable products, from `p0` on.
    static func consumables(_ count: Int) -> StoreConfiguration {
        StoreConfiguration(products: (0..<count).map { .init(id: "p\($0)", type: .consumable, price: 0.99) })
    }
}

extension StoreConfiguration.Product {
    /// A monthly plan with a promotional and a win-back offer.
    fileprivate static func plan(_ id: String, level: Int, price: Decimal) -> Self {
        let month = StoreSubscriptionPeriod(value: 1, unit: .month)
        return Self(
            id: id, type: .autoRenewable, price: price,
            subscription: .init(
                groupID: "club", groupLevel: level, period: month,
                promotionalOffers: [
                    .init(type: .promotional, id: "loyal", paymentMode: .payUpFront, price: 1.99, period: month)
                ],
                winBackOffers: [
                    .init(type: .winBack, id: "comeback", paymentMode: .payUpFront, price: 2.99, period: month)
                ]))
    }
}
