import Foundation
import StoreManagerCore
import StoreSimulator
import TestSupport
import Testing

extension StoreKitManagerTests {
    /// The contract on transactions that nobody asked for.
    @MainActor
    struct UnaskedContractTests {
        @Test(
            "A01 U01 what an earlier run left waits for a default receiver, however late, unverified",
            arguments: StoreWorld.all)
        func leftBehind(world: StoreWorld) async throws {
            let shop = ContractShop(in: world)
            try shop.store.buyProduct(identifier: "coins")
            try shop.store.buyProduct(identifier: "theme")
            await shop.relaunch()
            shop.manager.verifier = TestVerifier(recorder: shop.recorder)
            let events = shop.manager.events
            await shop.pass(3_600)
            #expect(shop.lines == [] && shop.unfinished == ["coins", "theme"])
            shop.manager.defaultHandlers = shop.handlers("default")
            await shop.settle()
            #expect(shop.lines.sorted() == ["default success 1", "default success 2", "verifier 1", "verifier 2"])
            #expect(shop.unfinished == [])
            _ = events
        }

        @Test("A01 U01 that something waits for a receiver is told once", arguments: StoreWorld.all)
        func waitingTold(world: StoreWorld) async throws {
            let shop = ContractShop(in: world)
            await shop.settle()
            let events = shop.manager.events
            try shop.store.buyProduct(identifier: "coins")
            await shop.settle()
            shop.manager.defaultHandlers = shop.handlers("default")
            await shop.settle()
            var waiting = 0
            for await event in events {
                if case .transactionWaiting = event { waiting += 1 }
                if case .transactionFinished = event { break }
            }
            #expect(waiting == 1)
        }

        @Test(
            "A01 U02 renewals, codes and purchases elsewhere are the default receiver's, once each",
            arguments: StoreWorld.all)
        func elsewhere(world: StoreWorld) async throws {
            let shop = try await ContractShop.open(in: world)
            let delegate = RecordingDelegate("d", recorder: shop.recorder)
            delegate.onVerify = { manager, transactions in
                for transaction in transactions { manager.transaction(transaction, didVerify: true) }
            }
            shop.manager.defaultDelegate = delegate
            try shop.store.buyProduct(identifier: "coins")
            try shop.store.buyProduct(identifier: "gold")
            await shop.settle()
            shop.store.clock.advance(by: StoreSubscriptionPeriod(value: 1, unit: .month))
            await shop.settle()
            let gold = shop.sold("gold")
            let ids = shop.sold() + gold
            #expect(ids.count == 3)
            let told = shop.lines.filter { $0.contains("success") }
            #expect(told.map { $0.split(separator: " ")[2] } == ids.map { Substring($0) })
            let tokens = Set(told.compactMap { $0.split(separator: " ").last })
            #expect(tokens.count == 3 && tokens.allSatisfy { $0.hasPrefix("update-") })
            #expect(shop.unfinished == [])
        }

        @Test(
            "A01 U03 a promoted purchase waits until somebody listens, and goes on when it is resumed",
            arguments: StoreWorld.all)
        func promoted(world: StoreWorld) async throws {
            let shop = ContractShop(in: world)
            await shop.settle()
            try shop.store.sendPurchaseIntent(productIdentifier: "theme")
            await shop.settle()
            #expect(shop.requests(.payment) == [])
            var intents: [StorePurchaseIntent] = []
            shop.manager.defaultHandlers = PurchaseHandlers(onPurchaseIntent: { intents.append($0) })
            await shop.settle()
            #expect(intents.map(\.product.id) == ["theme"] && shop.requests(.payment) == [])
            shop.manager.resume(try #require(intents.first), handlers: shop.handlers("a"))
            await shop.settle()
            #expect(shop.lines == ["a success 1"] && shop.unfinished == [])
        }

        @Test(
            "A01 U03 without somebody to decide a promoted purchase goes on by itself, to the default receiver",
            arguments: StoreWorld.all)
        func promotedAlone(world: StoreWorld) async throws {
            let shop = ContractShop(in: world)
            await shop.settle()
            try shop.store.sendPurchaseIntent(productIdentifier: "theme")
            var handlers = shop.handlers("default")
            handlers.onPurchaseIntent = nil
            shop.manager.defaultHandlers = handlers
            await shop.settle()
            #expect(shop.lines == ["default success 1"] && shop.unfinished == [])
        }

        @Test(
            "A01 U04 a refund is told once, unverified; its row is kept and marked, and other purchases stay",
            arguments: StoreWorld.all)
        func refunded(world: StoreWorld) async throws {
            let shop = try await ContractShop.open(in: world)
            let ledger = MemoryPersistence()
            shop.manager.persistence = ledger
            await shop.own("theme")
            await shop.own("levels")
            shop.manager.verifier = TestVerifier(recorder: shop.recorder)
            var revoked: [String] = []
            shop.manager.defaultHandlers?.onRevoke = { revoked.append($0.productIdentifier) }
            try shop.store.refundTransaction(identifier: shop.sold("theme")[0])
            await shop.settle()
            #expect(revoked == ["theme"] && shop.lines == [])
            #expect(try await ledger.purchasedProductIdentifiers == ["levels"])
            #expect(try await ledger.transactions(for: "theme").map(\.isStanding) == [false])
            await shop.relaunch(with: ledger)
            shop.manager.defaultHandlers = shop.handlers("default")
            await shop.settle()
            #expect(shop.lines == [])
        }

        @Test(
            "A01 U04 of two purchases of one product the one that is refunded is taken back", arguments: StoreWorld.all)
        func refundedOne(world: StoreWorld) async throws {
            let shop = try await ContractShop.open(in: world, needing: .refundedTransactions)
            let ledger = MemoryPersistence()
            shop.manager.persistence = ledger
            await shop.own("coins")
            await shop.own("coins")
            try shop.store.refundTransaction(identifier: "1")
            await shop.settle()
            #expect(shop.lines == ["default revoke 1"])
            #expect(try await ledger.count(of: "coins") == 1)
        }

        @Test("A01 U04 a refund that is taken back counts again", arguments: StoreWorld.all)
        func reversed(world: StoreWorld) async throws {
            let shop = try await ContractShop.open(in: world, needing: .refundedTransactions)
            let ledger = MemoryPersistence()
            shop.manager.persistence = ledger
            await shop.own("theme")
            await shop.pass(1)
            try shop.store.refundTransaction(identifier: "1")
            await shop.pass(1)
            try shop.store.reverseRefund(identifier: "1")
            await shop.settle()
            #expect(shop.lines == ["default revoke 1", "default success 1"])
            #expect(try await ledger.isPurchased("theme"))
        }

        @Test("A01 U05 a purchase or a restore may be the very first call", arguments: StoreWorld.all)
        func first(world: StoreWorld) async throws {
            let buying = ContractShop(in: world)
            let task = Task { try await buying.manager.purchase(productIdentifier: "coins") }
            await buying.settle()
            guard case .purchased = try await task.value else { throw SampleError() }
            let restoring = ContractShop(in: world)
            restoring.restore(as: "r")
            await restoring.settle()
            #expect(restoring.lines == ["r restored [] invalid [] undecided []"])
        }
    }
}
