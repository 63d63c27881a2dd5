import Foundation
import StoreManagerCore
import StoreSimulator
import TestSupport
import Testing

@MainActor
@Suite("What always holds")
struct InvariantTests {
    @Test("C03 whatever happens, the books stay sound", arguments: 1...9 as ClosedRange<UInt64>)
    func books(seed: UInt64) async throws {
        var life = RandomLife(seed: seed)
        var known: [String: SimulatedTransaction] = [:]
        var log: [StoreLogEntry] = []
        var date = life.store.clock.now
        for number in 0..<80 {
            await life.step()
            let hint: Comment = "seed \(seed), step \(number)"
            let store = life.store
            #expect(store.clock.now >= date, hint)
            date = store.clock.now
            #expect(store.log.starts(with: log), hint)
            log = store.log
            #expect(log.map(\.number) == log.indices.map { $0 + 1 }, hint)
            #expect(zip(log, log.dropFirst()).allSatisfy { $0.date <= $1.date }, hint)
            let now = Dictionary(store.allTransactions.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
            #expect(now.count == store.allTransactions.count, hint)
            for (id, old) in known where old.state == .purchased {
                let new = try #require(now[id], hint)
                #expect(new.state == .purchased && new.purchaseDate == old.purchaseDate && new.price == old.price, hint)
                #expect(new.productIdentifier == old.productIdentifier && new.originalID == old.originalID, hint)
                #expect(new.signedDate ?? .distantPast >= old.signedDate ?? .distantPast, hint)
            }
            known = now
            for device: any SimulatedBackend in [store, store.device(named: "tablet", account: "other")] {
                checkSubscriptions(of: device, hint)
            }
        }
    }

    /// One active subscription a group, and periods that do not overlap.
    private func checkSubscriptions(of device: any SimulatedBackend, _ hint: Comment) {
        let active = device.currentEntitlements.filter {
            $0.productType == .autoRenewable && $0.ownership == .purchased
        }
        #expect(Set(active.map(\.subscriptionGroupID)).count == active.count, hint)
        let chains = Dictionary(
            grouping: device.allTransactions.filter { $0.productType == .autoRenewable && $0.state == .purchased }
        ) {
            $0.originalID
        }
        for chain in chains.values {
            let periods = chain.sorted { ($0.purchaseDate, UInt64($0.id) ?? 0) < ($1.purchaseDate, UInt64($1.id) ?? 0) }
            for (earlier, later) in zip(periods, periods.dropFirst())
            // One whose refund was reversed counts again beside what was bought meanwhile.
            where earlier.signedDate == earlier.purchaseDate {
                #expect(earlier.expirationDate ?? .distantFuture <= later.purchaseDate, hint)
            }
            #expect(periods.allSatisfy { $0.expirationDate.map { $0 >= chain[0].originalPurchaseDate } ?? false }, hint)
        }
    }

    @Test(
        "C04 at any moment a store is the outcome of its recording, and of its saved state",
        arguments: 1...4 as ClosedRange<UInt64>)
    func recordings(seed: UInt64) async throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appending(path: "store")
        var life = RandomLife(seed: seed)
        for _ in 0..<4 {
            await life.live(steps: 40)
            let log = life.store.log.map(\.description)
            #expect(life.store.recording.log().map(\.description) == log, "seed \(seed)")
            try life.store.save(to: file)
            let resumed = try SimulatedStore(resuming: file)
            #expect(resumed.log.map(\.description) == log, "seed \(seed)")
            #expect(resumed.currentEntitlements == life.store.currentEntitlements, "seed \(seed)")
            // What was resumed saves to what it was resumed from.
            try resumed.save(to: file)
            let again = try SimulatedStore(resuming: file)
            #expect(again.log.map(\.description) == log, "seed \(seed)")
            let paid = { (store: SimulatedStore) in store.allTransactions.filter { $0.state == .purchased } }
            #expect(paid(again) == paid(life.store), "seed \(seed)")
        }
    }

    @Test("C03 a manager's ledger agrees with the history", arguments: 1...8 as ClosedRange<UInt64>)
    func ledger(seed: UInt64) async throws {
        let store = SimulatedStore(configuration: Shop.configuration(), seed: seed)
        let ledger = MemoryPersistence()
        let manager = StoreManager(backend: store, clock: store.clock)
        manager.persistence = ledger
        manager.defaultHandlers = PurchaseHandlers(onSuccess: { _ in })
        var fault = StoreFault()
        fault.duplication = 0.3
        fault.isReordered = true
        store.faults = StoreFaults(everywhere: fault)
        var generator = SplitMix64(seed: seed)
        for _ in 0..<40 {
            let product = Shop.all.randomElement(using: &generator) ?? Shop.coins
            let id = store.allTransactions.randomElement(using: &generator)?.id ?? "1"
            switch Int.random(in: 0..<6, using: &generator) {
            case 0...2: _ = try? await manager.purchase(productIdentifier: product)
            case 3: _ = try? store.buyProduct(identifier: product)
            case 4: try? store.refundTransaction(identifier: id)
            default: store.clock.advance(by: Double.random(in: 0...3_000_000, using: &generator))
            }
        }
        for _ in 0..<3 {
            await store.settle()
            await manager.settle()
        }
        // A subscription's row follows its newest word, which may be about any of its periods.
        for product in [Shop.coins, Shop.removeAds, Shop.season] {
            let bought = store.allTransactions.filter {
                $0.productIdentifier == product && $0.state == .purchased && $0.revocationDate == nil
            }
            let count = bought.reduce(0) { $0 + $1.quantity }
            let expected = product == Shop.coins ? count : min(count, 1)
            #expect(try await ledger.count(of: product) == expected, "seed \(seed), \(product)")
        }
        #expect(store.unfinishedTransactions.allSatisfy { $0.revocationDate != nil }, "seed \(seed)")
    }
}
