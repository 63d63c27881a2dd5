import Foundation
import StoreManagerCore
import StoreSimulator

/// How an app uses its manager, and what its store is like.
struct Setup: Sendable {
    enum Verification: Sendable, CaseIterable {
        /// Nobody is asked.
        case none
        /// The manager's verifier is.
        case verifier
    }

    var verification: Verification
    var keepsLedger: Bool
    var finishing: StoreManager.FinishingPolicy
    var habits: StoreHabits
    /// What decides the store's chance.
    var storeSeed: UInt64

    init(seed: UInt32) {
        var random = SplitMix64(seed: UInt64(seed) << 20 | 0x5E7)
        verification = random.chance(0.4) ? .verifier : .none
        keepsLedger = random.chance(0.75)
        finishing = random.chance(0.15) ? .manual : .automatic
        habits = random.pick([StoreHabits(), .storeKit2, .storeKit1]) ?? StoreHabits()
        habits.repeatsSubscriptionPurchases = random.chance(0.2)
        habits.keepsOutsidePurchasesQuiet = random.chance(0.2)
        habits.reportsNewestFirst = random.chance(0.3)
        habits.reportsFinishedOriginals = random.chance(0.3)
        storeSeed = random.next()
    }

    /// A set-up in words.
    var line: String {
        "\(keepsLedger ? "a" : "no") ledger, verification \(verification), finishing \(finishing), tokens \(habits.tokenCarriage)"
    }

    static let products = [
        StoreProduct(id: "coins", type: .consumable, price: 1),
        StoreProduct(id: "theme", type: .nonConsumable, price: 5),
        StoreProduct(id: "season", type: .nonRenewable, price: 9),
        StoreProduct(id: "silver", type: .autoRenewable, price: 3),
        StoreProduct(id: "gold", type: .autoRenewable, price: 6),
    ]

    static let configuration: StoreConfiguration = {
        func plan(_ id: String, level: Int, price: Decimal) -> StoreConfiguration.Product {
            StoreConfiguration.Product(
                id: id, type: .autoRenewable, price: price,
                subscription: .init(
                    groupID: "plans", groupLevel: level, period: StoreSubscriptionPeriod(value: 1, unit: .month)))
        }
        return StoreConfiguration(
            products: [
                .init(id: "coins", type: .consumable, price: 1), .init(id: "theme", type: .nonConsumable, price: 5),
                .init(id: "season", type: .nonRenewable, price: 9), plan("silver", level: 2, price: 3),
                plan("gold", level: 1, price: 6),
            ],
            subscriptionGroups: [.init(id: "plans")])
    }()
}
