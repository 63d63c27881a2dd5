import Foundation
import StoreManagerCore
import StoreSimulator

extension Benchmarks {
    /// What tables, models and files cost.
    static let models: [any Benchmark] = [
        GrowthBenchmark("the question whether one of so many requests is pending", sizes: [10, 100_000]) { size in
            let (manager, _) = await makeManager(pending: size)
            let tokens = (1...1_000).map { RequestToken(kind: .purchase, number: UInt64($0 * size / 1_000 + 1)) }
            return {
                for token in tokens { _ = manager.isPending(token) }
                return tokens.count
            }
        },
        GrowthBenchmark("a request among so many that is made and cancelled", sizes: [10, 100_000]) { size in
            let (manager, backend) = await makeManager(pending: size)
            backend.answersPayments = false
            return {
                for _ in 0..<100 {
                    manager.cancel(manager.purchase(ImmediateBackend.product("coins"), onSuccess: { _ in }))
                }
                await manager.settle()
                return 100
            }
        },
        GrowthBenchmark("entitlements out of a history of so many, each", sizes: [10, 100, 10_000]) { size in
            let history = (0..<size).map { index in
                StoreTransaction(
                    id: "\(index)", originalID: "\(index % 100)", productIdentifier: "plan-\(index % 100)",
                    productType: .autoRenewable, state: .purchased,
                    purchaseDate: Date(timeIntervalSince1970: Double(index)),
                    expirationDate: Date(timeIntervalSince1970: Double(index + 1)))
            }
            let rounds = max(1, 1_000 / size)
            return {
                for _ in 0..<rounds {
                    _ = Entitlements(transactions: history, at: Date(timeIntervalSince1970: Double(size)))
                }
                return size * rounds
            }
        },
        GrowthBenchmark("the loading of a configuration of so many products, each", sizes: [10, 1_000]) { size in
            let file = configurationFile(withProducts: size)
            let rounds = max(1, 1_000 / size)
            return {
                for _ in 0..<rounds { _ = try StoreConfiguration(data: file) }
                return size * rounds
            }
        },
    ]

    /// A `.storekit` file; the largest that people write have some dozens of products and 10 kB.
    private static func configurationFile(withProducts count: Int) -> Data {
        let products = (0..<count).map { index in
            """
            {"displayPrice": "\(index).99", "familyShareable": false, "internalID": "\(index)", "localizations": [
            {"description": "So many coins", "displayName": "Coins", "locale": "en_US"}],
            "productID": "coins.\(index)", "referenceName": "coins \(index)", "type": "Consumable"}
            """
        }
        return Data(
            """
            {"identifier": "0", "products": [\(products.joined(separator: ","))], "settings": {},
            "subscriptionGroups": [], "nonRenewingSubscriptions": [], "version": {"major": 4, "minor": 0}}
            """.utf8)
    }
}
