import Foundation
import StoreManagerCore
import StoreSimulator

/// What is sold in the proof: a product of each kind, and a better plan of the same group.
extension StoreProduct {
    static let coins = StoreProduct(id: "coins", type: .consumable, price: 1)
    static let theme = StoreProduct(id: "theme", type: .nonConsumable, price: 5)
    static let silver = StoreProduct(id: "silver", type: .autoRenewable, price: 3)
    static let gold = StoreProduct(id: "gold", type: .autoRenewable, price: 9)
}

extension Disk {
    /// A store in which nothing was ever bought by the app that is about to be launched for the first time.
    @MainActor
    static func new(for scenario: CrashScenario, _ setup: AppSetup) throws -> Disk {
        let products = [StoreProduct.coins, .theme, .silver, .gold].map { product in
            let level: Int? = product.type == .autoRenewable ? (product.id == "gold" ? 1 : 2) : nil
            return StoreConfiguration.Product(
                id: product.id, type: product.type, price: product.price,
                subscription: level.map { level in
                    StoreConfiguration.Subscription(
                        groupID: "plans", groupLevel: level, period: StoreSubscriptionPeriod(value: 1, unit: .month))
                })
        }
        let store = SimulatedStore(
            configuration: StoreConfiguration(products: products, subscriptionGroups: [.init(id: "plans")]))
        store.habits.tokenCarriage = setup.tokenCarriage
        try scenario.before(store)
        return Disk(store: store.recording)
    }
}
