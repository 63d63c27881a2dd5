import Foundation
import StoreManagerCore

extension Benchmark {
    /// What the manager costs, over a store that costs nothing.
    static let manager: [Benchmark] = [
        Benchmark("a full purchase with so many requests pending", sizes: [10, 100, 10_000, 100_000], limit: 1.3) {
            size in
            let (manager, backend) = makeManager()
            backend.answersPayments = false
            for index in 0..<size {
                manager.purchase(ImmediateBackend.product("pending-\(index)"), onSuccess: { _ in })
            }
            backend.answersPayments = true
            manager.persistence = MemoryPersistence()
            await manager.settle()
            return {
                for _ in 0..<200 {
                    manager.purchase(
                        ImmediateBackend.product("coins"), onSuccess: { _ in },
                        onVerify: { manager.transaction($0, didVerify: true) })
                    await manager.settle()
                    // A count of its own a row, and no more rows than one size has.
                }
                try await manager.persistence?.removeAll()
                return 200
            }
        },
        Benchmark("routing a purchase with so many requests pending", sizes: [10, 100_000], limit: 1.3) { size in
            let (manager, backend) = makeManager()
            backend.answersPayments = false
            for index in 0..<size {
                manager.purchase(ImmediateBackend.product("pending-\(index)"), onSuccess: { _ in })
            }
            backend.answersPayments = true
            await manager.settle()
            return {
                for _ in 0..<1_000 { manager.purchase(ImmediateBackend.product("coins"), onSuccess: { _ in }) }
                await manager.settle()
                return 1_000
            }
        },
        Benchmark("a fetch of so many products", sizes: [1, 100, 10_000]) { size in
            let (manager, _) = makeManager()
            let identifiers = (0..<size).map { "product-\($0)" }
            return {
                manager.fetchProducts(withIdentifiers: identifiers)
                await manager.settle()
                return size
            }
        },
        Benchmark("a look into a cache of so many products", sizes: [10, 10_000], limit: 1.3) { size in
            let (manager, _) = makeManager()
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
        Benchmark("a restored transaction of so many", sizes: [100, 1_000, 100_000], limit: 1.3) { size in
            let (manager, backend) = makeManager()
            backend.owned = .owned(size)
            let rounds = max(1, 10_000 / size)
            return {
                for _ in 0..<rounds {
                    manager.restorePurchases(onSuccess: { _ in })
                    await manager.settle()
                }
                return size * rounds
            }
        },
        Benchmark("an event to so many readers", sizes: [1, 10, 100]) { size in
            let (manager, _) = makeManager()
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

    @MainActor
    private static func makeManager() -> (StoreManager, ImmediateBackend) {
        let backend = ImmediateBackend()
        return (StoreManager(backend: backend), backend)
    }
}

/// Work that is done once and not timed, for tools that count instructions or bytes.
@MainActor
enum Workload {
    /// So many purchases, some at once, each verified by its own closure, written into an empty ledger where there is one,
    /// handed over and finished, while others wait for the store.
    static func purchases(_ count: Int, atOnce: Int, pending: Int, keepsLedger: Bool) async {
        let backend = ImmediateBackend()
        let manager = StoreManager(backend: backend)
        backend.answersPayments = false
        for index in 0..<pending {
            manager.purchase(ImmediateBackend.product("pending-\(index)"), onSuccess: { _ in })
        }
        backend.answersPayments = true
        if keepsLedger { manager.persistence = MemoryPersistence() }
        await manager.settle()
        for _ in stride(from: 0, to: count, by: atOnce) {
            for _ in 0..<atOnce {
                manager.purchase(
                    ImmediateBackend.product("coins"), onSuccess: { _ in },
                    onVerify: { manager.transaction($0, didVerify: true) })
            }
            await manager.settle()
            try? await manager.persistence?.removeAll()
        }
    }

    /// So many restores, one after the other, of so many transactions.
    static func restores(_ count: Int, of size: Int) async {
        let backend = ImmediateBackend()
        let manager = StoreManager(backend: backend)
        backend.owned = .owned(size)
        for _ in 0..<count {
            manager.restorePurchases(onSuccess: { _ in })
            await manager.settle()
        }
    }
}

extension [StoreTransaction] {
    /// What a restore lists: so many transactions of 100 products.
    static func owned(_ count: Int) -> [StoreTransaction] {
        (0..<count).map {
            StoreTransaction(
                id: "\($0)", productIdentifier: "product-\($0 % 100)", productType: .nonConsumable, state: .restored,
                purchaseDate: .distantPast)
        }
    }
}
