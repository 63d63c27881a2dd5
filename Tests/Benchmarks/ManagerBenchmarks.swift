import Foundation
import StoreManagerCore

/// All that is measured.
enum Benchmarks {}

extension Benchmarks {
    /// What the manager costs, over a store that costs nothing.
    static let manager: [any Benchmark] = [
        GrowthBenchmark(
            "a full purchase with so many requests pending", sizes: [1, 10, 100, 10_000, 100_000]
        ) { size in
            let (manager, _) = await makeManager(pending: size)
            manager.persistence = MemoryPersistence()
            return {
                for _ in 0..<200 {
                    manager.purchase(
                        ImmediateBackend.product("coins"), onSuccess: { _ in },
                        onVerify: { manager.transaction($0, didVerify: true) })
                    await manager.settle()
                }
                // A count of its own a row, and no more rows than one size has.
                try await manager.persistence?.removeAll()
                return 200
            }
        },
        GrowthBenchmark("routing a purchase with so many requests pending", sizes: [10, 100_000], limit: 1.3) { size in
            let (manager, _) = await makeManager(pending: size)
            return { try await Purchases.run(1_000, on: manager) }
        },
        FootprintBenchmark("a pending purchase", count: 100_000, limit: 2_048) { count in
            await makeManager(pending: count).0
        },
        GrowthBenchmark("a fetch of so many products, each", sizes: [1, 100, 10_000]) { size in
            let (manager, _) = await makeManager()
            let identifiers = (0..<size).map { "product-\($0)" }
            let rounds = max(1, 1_000 / size)
            return {
                for _ in 0..<rounds {
                    manager.fetchProducts(withIdentifiers: identifiers)
                    await manager.settle()
                }
                return size * rounds
            }
        },
        GrowthBenchmark("a look into a cache of so many products", sizes: [10, 10_000], limit: 1.3) { size in
            let (manager, _) = await makeManager()
            manager.fetchProducts(withIdentifiers: (0..<size).map { "product-\($0)" })
            await manager.settle()
            let asked = (0..<10).map { "product-\($0 * size / 10)" }
            return {
                var found = 0
                for _ in 0..<1_000 {
                    for identifier in asked where manager.cachedProduct(withIdentifier: identifier) != nil {
                        found += 1
                    }
                }
                return found
            }
        },
        GrowthBenchmark("a restored transaction of so many", sizes: [10, 1_000, 100_000]) { try await restore(of: $0) },
        GrowthBenchmark("a restored transaction of many", sizes: [100, 100_000], limit: 1.3) {
            try await restore(of: $0)
        },
        GrowthBenchmark("an event to so many readers", sizes: [1, 10, 100]) { size in
            let (manager, _) = await makeManager()
            let readers = (0..<size).map { _ in manager.events }
            let tasks = readers.map { reader in Task { for await _ in reader {} } }
            return {
                for _ in 0..<100 { manager.fetchProducts(withIdentifiers: []) }
                await manager.settle()
                withExtendedLifetime(tasks) {}
                return 100
            }
        },
    ]

    /// The manager, with so many purchases that the store does not answer.
    @MainActor
    static func makeManager(pending count: Int = 0) async -> (StoreManager, ImmediateBackend) {
        let backend = ImmediateBackend()
        let manager = StoreManager(backend: backend)
        backend.answersPayments = false
        for index in 0..<count {
            manager.purchase(ImmediateBackend.product("pending-\(index)"), onSuccess: { _ in })
        }
        backend.answersPayments = true
        await manager.settle()
        return (manager, backend)
    }

    @MainActor
    private static func restore(of size: Int) async throws -> Work {
        let (manager, backend) = await makeManager()
        backend.owned = (0..<size).map {
            StoreTransaction(
                id: "\($0)", productIdentifier: "product-\($0 % 100)", productType: .nonConsumable, state: .restored,
                purchaseDate: .distantPast)
        }
        let rounds = max(1, 10_000 / size)
        return {
            for _ in 0..<rounds {
                manager.restorePurchases(onSuccess: { _ in })
                await manager.settle()
            }
            return size * rounds
        }
    }
}

/// Purchases and nothing else.
enum Purchases {
    /// Makes purchases one after the other: each is submitted, delivered and finished.
    @MainActor @discardableResult
    static func run(_ count: Int, on given: StoreManager? = nil) async throws -> Int {
        let manager: StoreManager
        if let given { manager = given } else { manager = await Benchmarks.makeManager().0 }
        for _ in 0..<count { manager.purchase(ImmediateBackend.product("coins"), onSuccess: { _ in }) }
        await manager.settle()
        return count
    }
}
