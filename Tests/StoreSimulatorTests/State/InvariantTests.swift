import Foundation
import StoreManagerCore
import StoreSimulator
import TestSupport
import Testing

@MainActor
@Suite("What always holds")
struct InvariantTests {
    @Test("C03 whatever happens, the books stay sound", arguments: 1...24 as ClosedRange<UInt64>)
    func books(seed: UInt64) async throws {
        var life = RandomLife(seed: seed)
        let store = life.store
        var known: [String: SimulatedTransaction] = [:]
        var log: [StoreLogEntry] = []
        var date = store.clock.now
        for number in 0..<160 {
            await life.step()
            let hint: Comment = "seed \(seed), step \(number)"
            #expect(store.clock.now >= date, hint)
            date = store.clock.now
            let news = store.log[max(0, log.count - 1)...]
            #expect(log.isEmpty || news.first == log.last, hint)
            #expect(news.map(\.number) == news.indices.map { $0 + 1 }, hint)
            #expect(zip(news, news.dropFirst()).allSatisfy { $0.date <= $1.date }, hint)
            #expect(news.last.map { $0.date <= date } ?? true, hint)
            log = store.log
            let devices: [any SimulatedBackend] = [store, store.device(named: "tablet", account: "other")]
            let all = devices.flatMap(\.allTransactions)
            let now = Dictionary(all.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
            #expect(now.count == all.count, hint)
            for (id, old) in known where old.state == .purchased && !life.hasDeleted {
                try checkChange(of: old, to: try #require(now[id], hint), hint)
            }
            known = now
            for device in devices { checkSubscriptions(of: device, hint) }
            // What takes long is looked at now and then.
            guard number % 20 == 19 else { continue }
            for device in devices { checkPrices(of: device.allTransactions, log, hint) }
            checkRenewals(in: log, hint)
        }
    }

    /// What was bought stays what it was; a period may be cut, and never grows.
    private func checkChange(of old: SimulatedTransaction, to new: SimulatedTransaction, _ hint: Comment) throws {
        #expect(new.state == .purchased && new.purchaseDate == old.purchaseDate && new.price == old.price, hint)
        #expect(new.productIdentifier == old.productIdentifier && new.originalID == old.originalID, hint)
        #expect(new.signedDate ?? .distantPast >= old.signedDate ?? .distantPast, hint)
        #expect(new.expirationDate ?? .distantPast <= old.expirationDate ?? .distantPast, hint)
        #expect(new.refundedAmount ?? 0 <= new.price ?? 0, hint)
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
            #expect(periods.allSatisfy { $0.expirationDate ?? .distantPast >= $0.purchaseDate }, hint)
        }
    }

    /// Every period costs what its plan costs: by the file, by an offer of the plan's, by a price that its subscribers were told
    /// of, or by one that somebody agreed to.
    private func checkPrices(of transactions: [SimulatedTransaction], _ log: [StoreLogEntry], _ hint: Comment) {
        let catalogue = Shop.configuration()
        let hasAgreed = log.contains { $0.event == .priceIncrease && $0["status"] == "agreed" }
        for transaction in transactions where transaction.productType == .autoRenewable {
            let identifier = transaction.productIdentifier
            let product = catalogue.product(withIdentifier: identifier)
            let terms = product?.subscription
            let offers = [
                terms?.introductoryOffers, terms?.promotionalOffers, terms?.winBackOffers, terms?.codeOffers,
            ].flatMap { $0 ?? [] }
            var allowed = [product?.price, RandomLife.announcedPrice(of: identifier)]
            if hasAgreed { allowed.append(RandomLife.askedPrice(of: identifier)) }
            if transaction.offer != nil { allowed = offers.map(\.price) }
            #expect(allowed.contains(transaction.price), hint)
        }
    }

    /// Nothing is renewed by itself after its subscriber switched the renewal off.
    private func checkRenewals(in log: [StoreLogEntry], _ hint: Comment) {
        var products: [String: String] = [:]
        var off: Set<[String]> = []
        for entry in log {
            if let transaction = entry["transaction"], let product = entry["product"] {
                products[transaction] = product
            }
            let product = entry["product"] ?? entry["transaction"].flatMap { products[$0] } ?? ""
            let subscription = [entry.subject, product == Shop.magazine ? "magazine" : Shop.group]
            switch entry.event {
            case .autoRenew where entry["renews"] == "false": off.insert(subscription)
            case .autoRenew, .paid, .scheduled: off.remove(subscription)
            case .deleted, .reset: off = []
            case .renewed: #expect(!off.contains(subscription), hint)
            default: break
            }
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
        for _ in 0..<60 {
            let product = Shop.all.randomElement(using: &generator) ?? Shop.coins
            let id = store.allTransactions.randomElement(using: &generator)?.id ?? "1"
            switch Int.random(in: 0..<12, using: &generator) {
            case 0...2: _ = try? await manager.purchase(productIdentifier: product)
            case 3: _ = try? store.buyProduct(identifier: product)
            case 4: try? store.refundTransaction(identifier: id)
            case 5: try? store.reverseRefund(identifier: id)
            case 6: try? store.disableAutoRenewForTransaction(identifier: id)
            case 7: try? store.forceRenewalOfSubscription(productIdentifier: product)
            case 8: store.shouldEnterBillingRetryOnRenewal.toggle()
            case 9: _ = try? await manager.restorePurchases()
            default: store.clock.advance(by: Double.random(in: 0...3_000_000, using: &generator))
            }
        }
        for _ in 0..<3 {
            await store.settle()
            await manager.settle()
        }
        for product in Shop.all {
            #expect(
                try await ledger.count(of: product) == count(of: product, in: store.allTransactions),
                "seed \(seed), \(product)")
        }
        #expect(store.unfinishedTransactions.allSatisfy { $0.revocationDate != nil }, "seed \(seed)")
    }

    /// How often a product counts. A subscription's row follows its newest period; a plan that was replaced does not count.
    private func count(of product: String, in transactions: [SimulatedTransaction]) -> Int {
        let bought = transactions.filter { $0.productIdentifier == product && $0.state == .purchased }
        guard bought.first?.productType == .autoRenewable else {
            let count = bought.filter { $0.revocationDate == nil }.reduce(0) { $0 + $1.quantity }
            return product == Shop.coins ? count : min(count, 1)
        }
        let newest = bought.max {
            ($0.purchaseDate, UInt64($0.id) ?? 0) < ($1.purchaseDate, UInt64($1.id) ?? 0)
        }
        return newest?.revocationDate == nil && newest?.transaction.isUpgraded != true ? 1 : 0
    }
}
