import Foundation
import StoreManagerCore
import StoreSimulator
import TestSupport
import Testing

extension StoreKitManagerTests {
    /// The contract on transactions that come twice, late, from earlier, or not as a purchase expects them.
    @MainActor
    struct PurchaseOrderContractTests {
        @Test(
            "A01 P13 a transaction that comes again and again is delivered once", arguments: StoreWorld.all,
            [false, true])
        func duplicated(world: StoreWorld, isReordered: Bool) async throws {
            if isReordered { try StoreGap.anyOrder.skip(in: world) }
            let shop = try await ContractShop.open(in: world)
            shop.store.habits.repeatsSubscriptionPurchases = true
            for interface in [StoreInterface.purchase, .updates] {
                shop.store.faults[interface].duplication = 1
                shop.store.faults[interface].isReordered = isReordered
            }
            shop.buy(as: "a")
            shop.buy("gold", as: "b")
            await shop.settle()
            #expect(shop.lines.sorted() == ["a success 1", "b success \(shop.sold("gold")[0])"])
            #expect(shop.unfinished == [])
            #expect(shop.store.isSettled)
        }

        @Test(
            "A01 P13 what the ledger knows is finished again after a relaunch, and not delivered",
            arguments: StoreWorld.all)
        func known(world: StoreWorld) async throws {
            let shop = try await ContractShop.open(in: world)
            let ledger = MemoryPersistence()
            shop.manager.persistence = ledger
            shop.store.faults[.finish].isOffline = true
            shop.buy(as: "a")
            await shop.settle()
            #expect(shop.lines == ["a success 1"])
            #expect(shop.unfinished == ["coins"])
            shop.store.faults[.finish].isOffline = false
            if shop.unfinished.isEmpty { try Test.cancel("The store has heard of the finish after all.") }
            await shop.relaunch(with: ledger)
            shop.manager.defaultHandlers = shop.handlers("default")
            await shop.settle()
            #expect(shop.lines == [])
            #expect(shop.unfinished == [])
            #expect(try await ledger.count(of: "coins") == 1)
        }

        @Test(
            "A01 P14 an old transaction goes to the default receiver, a new purchase waits for its own",
            arguments: StoreWorld.all)
        func old(world: StoreWorld) async throws {
            let shop = try await ContractShop.open(in: world)
            shop.manager.defaultHandlers = nil
            shop.manager.purchaseProduct(withIdentifier: "coins", onSuccess: nil)
            await shop.settle()
            #expect(shop.unfinished == ["coins"])
            await shop.relaunch()
            await shop.stock()
            shop.buy(as: "a")
            await shop.settle()
            #expect(shop.lines == ["a success 2"])
            shop.manager.defaultHandlers = shop.handlers("default")
            await shop.settle()
            #expect(shop.lines == ["a success 2", "default success 1"])
            #expect(shop.unfinished == [])
        }

        @Test(
            "A01 P14 a store that answers with the old transaction gives it to the purchase, once",
            arguments: StoreWorld.all)
        func repeatsOld(world: StoreWorld) async throws {
            let shop = try await ContractShop.open(in: world)
            shop.store.habits.repeatsUnfinishedConsumables = true
            shop.manager.defaultHandlers = nil
            try shop.store.buyProduct(identifier: "coins")
            await shop.settle()
            #expect(shop.lines == [] && shop.unfinished == ["coins"])
            shop.buy(as: "a")
            await shop.settle()
            shop.manager.defaultHandlers = shop.handlers("default")
            await shop.settle()
            #expect(shop.lines == ["a success 1"])
            #expect(shop.unfinished == [] && shop.sold().count == 1)
        }

        @Test(
            "A01 P14 where it was delivered but not finished, a purchase of it fails and says so",
            arguments: StoreWorld.all)
        func repeatsDelivered(world: StoreWorld) async throws {
            let shop = try await ContractShop.open(in: world, finishing: .manual)
            shop.store.habits.repeatsUnfinishedConsumables = true
            shop.buy(as: "a")
            await shop.settle()
            shop.buy(as: "b")
            await shop.pass(11)
            #expect(shop.lines == ["a success 1", "b failure unfinishedTransaction"])
            #expect(shop.unfinished == ["coins"])
        }

        @Test(
            "A01 P15 what another component removes before it was paid ends its request with an error",
            arguments: StoreWorld.all)
        func removed(world: StoreWorld) async throws {
            let shop = try await ContractShop.open(in: world)
            shop.store.buyer.nextAnswers = [.hesitate]
            let token = try #require(shop.buy(as: "a"))
            await shop.settle()
            try shop.store.removeTransactionFromQueue(identifier: shop.waiting()[0])
            await shop.settle()
            let error = StoreGap.newsOfRemovals.isMissing(in: world) ? "unknown" : "transactionRemoved"
            #expect(shop.lines == ["a failure \(error)"])
            #expect(!shop.manager.isPending(token))
        }

        @Test(
            "A01 P15 what is removed after it was paid is delivered, and finishing is skipped",
            arguments: StoreWorld.all)
        func removedLater(world: StoreWorld) async throws {
            let shop = try await ContractShop.open(in: world, needing: .newsOfRemovals)
            shop.buy(as: "a", verifies: true)
            await shop.settle()
            #expect(shop.lines == ["a verify 1"])
            try shop.store.removeTransactionFromQueue(identifier: "1")
            await shop.settle()
            shop.manager.transaction(.sample("1"), didVerify: true)
            await shop.settle()
            #expect(shop.lines == ["a verify 1", "a success 1"])
            #expect(shop.requests(.finish) == [])
        }

        @Test(
            "A01 P16 an interrupted purchase fails once, and what is bought then is the default receiver's",
            arguments: StoreWorld.all)
        func interrupted(world: StoreWorld) async throws {
            let shop = try await ContractShop.open(in: world, needing: .newsOfInterruptions)
            shop.store.buyer.nextAnswers = [.interrupt]
            shop.buy(as: "a")
            await shop.settle()
            let id = try #require(shop.store.allTransactions.first { $0.hasPurchaseIssue }?.id)
            #expect(shop.lines.count == 1 && shop.lines[0].hasPrefix("a failure "))
            try shop.store.resolveIssueForTransaction(identifier: id)
            await shop.settle()
            #expect(shop.lines.dropFirst() == ["default success \(shop.sold()[0])"])
            #expect(shop.unfinished == [])
        }

        @Test("A01 P16 where an interrupted purchase is pending it is made after all, under its token")
        func interruptedPending() async throws {
            let shop = try await ContractShop.open(in: .storeKit2)
            shop.store.buyer.nextAnswers = [.interrupt]
            let token = try #require(shop.buy(as: "a"))
            await shop.settle()
            #expect(shop.lines == ["a defer"] && shop.manager.isPending(token))
            let id = try #require(shop.store.allTransactions.first { $0.hasPurchaseIssue }?.id)
            try shop.store.resolveIssueForTransaction(identifier: id)
            await shop.settle()
            #expect(shop.lines == ["a defer", "a success \(shop.sold()[0])"])
            #expect(shop.unfinished == [])
        }

        @Test("A01 P20 what a released delegate leaves behind is the default receiver's", arguments: StoreWorld.all)
        func released(world: StoreWorld) async throws {
            let shop = try await ContractShop.open(in: world)
            shop.manager.defaultHandlers = nil
            shop.store.buyer.nextAnswers = [.hesitate]
            var delegate: MinimalDelegate? = MinimalDelegate("d", recorder: shop.recorder)
            if let delegate { shop.manager.purchaseProduct(withIdentifier: "coins", delegate: delegate) }
            await shop.settle()
            delegate = nil
            try shop.store.answerOpenPayment(identifier: shop.waiting()[0], with: .buy)
            await shop.settle()
            #expect(shop.lines == [] && shop.unfinished == ["coins"])
            shop.manager.defaultHandlers = shop.handlers("default")
            await shop.settle()
            #expect(shop.lines == ["default success 1"] && shop.unfinished == [])
        }

        @Test(
            "A01 P22 a plan that changes at the renewal ends its request as scheduled, and nothing is granted",
            arguments: StoreWorld.all)
        func planChange(world: StoreWorld) async throws {
            let shop = try await ContractShop.open(in: world)
            await shop.own("gold")
            let ledger = MemoryPersistence()
            shop.manager.persistence = ledger
            let finishes = shop.requests(.finish).count
            var scheduled: [StoreTransaction] = []
            var handlers = shop.handlers("a", verifies: true)
            handlers.onRestore = { scheduled.append($0) }
            shop.manager.purchaseProduct(withIdentifier: "silver", handlers: handlers)
            await shop.settle()
            #expect(scheduled.map(\.state) == [.scheduled])
            #expect(shop.lines == [])
            // StoreKit 1's queue has shown what is held once more, and that has to be taken from it.
            if world != .storeKit1 { #expect(shop.requests(.finish).count == finishes) }
            #expect(try await ledger.purchasedProductIdentifiers == [])
            shop.store.clock.advance(by: StoreSubscriptionPeriod(value: 1, unit: .month))
            await shop.settle()
            #expect(shop.lines == ["default success \(shop.sold("silver")[0])"])
        }

        @Test(
            "A01 P24 a purchase from inside a success handler waits until the first one is finished",
            arguments: StoreWorld.all)
        func again(world: StoreWorld) async throws {
            let shop = try await ContractShop.open(in: world)
            shop.store.habits.repeatsUnfinishedConsumables = true
            shop.store.hold(.finish)
            shop.manager.purchaseProduct(withIdentifier: "coins", onSuccess: { _ in shop.buy(as: "b") })
            await shop.settle()
            #expect(shop.requests(.payment).count == 1)
            shop.store.release(.finish)
            await shop.settle()
            #expect(shop.lines == ["b success 2"])
            #expect(shop.sold().count == 2 && shop.unfinished == [])
        }

        @Test("A01 P24 a finish that hangs holds a purchase up for ten seconds", arguments: StoreWorld.all)
        func hangingFinish(world: StoreWorld) async throws {
            let shop = try await ContractShop.open(in: world)
            shop.store.hold(.finish)
            await shop.own("coins")
            shop.buy(as: "a")
            await shop.pass(9)
            #expect(shop.requests(.payment).count == 1)
            await shop.pass(1)
            #expect(shop.lines == ["a success 2"])
        }
    }
}
