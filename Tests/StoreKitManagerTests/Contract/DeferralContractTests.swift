import Foundation
import StoreManagerCore
import StoreSimulator
import TestSupport
import Testing

extension StoreKitManagerTests {
    /// The contract on purchases that somebody has to approve.
    @MainActor
    struct DeferralContractTests {
        @Test("A01 D01 D02 an approved purchase succeeds once, under its token", arguments: StoreWorld.all)
        func approved(world: StoreWorld) async throws {
            let shop = try await ContractShop.open(in: world)
            shop.store.buyer.nextAnswers = [.ask]
            let token = try #require(shop.buy(as: "a"))
            await shop.settle()
            #expect(shop.lines == ["a defer"] && shop.manager.isPending(token))
            #expect(shop.requests(.finish) == [])
            await shop.pass(3_600)
            try shop.store.approveAskToBuyTransaction(identifier: shop.waiting(.deferred)[0])
            await shop.settle()
            #expect(shop.lines == ["a defer", "a success 1"])
            #expect(!shop.manager.isPending(token) && shop.unfinished == [])
        }

        @Test("A01 D02 a declined purchase fails once", arguments: StoreWorld.all)
        func declined(world: StoreWorld) async throws {
            let shop = try await ContractShop.open(in: world, needing: .newsOfDeclinedApprovals)
            shop.store.buyer.nextAnswers = [.ask]
            shop.buy(as: "a")
            await shop.settle()
            try shop.store.declineAskToBuyTransaction(identifier: shop.waiting(.deferred)[0])
            await shop.settle()
            #expect(shop.lines == ["a defer", "a cancel"] && shop.unfinished == [])
        }

        @Test("A01 D02 where the store does not tell that it was declined, the token is pending until it is cancelled")
        func declinedUntold() async throws {
            let shop = try await ContractShop.open(in: .storeKit2)
            shop.store.buyer.nextAnswers = [.ask]
            let token = try #require(shop.buy(as: "a"))
            await shop.settle()
            try shop.store.declineAskToBuyTransaction(identifier: shop.waiting(.deferred)[0])
            await shop.pass(3_600)
            #expect(shop.lines == ["a defer"] && shop.manager.isPending(token))
            shop.manager.cancel(token)
            #expect(!shop.manager.isPending(token))
            shop.buy(as: "b")
            await shop.settle()
            #expect(shop.lines == ["a defer", "b success \(shop.sold()[0])"])
        }

        @Test(
            "A01 D03 what is approved after a relaunch is the default receiver's, with its context",
            arguments: StoreWorld.all)
        func approvedLater(world: StoreWorld) async throws {
            let shop = try await ContractShop.open(in: world)
            let ledger = MemoryPersistence()
            shop.manager.persistence = ledger
            shop.store.buyer.nextAnswers = [.ask]
            shop.buy(
                as: "a", PurchaseOptions(appAccountToken: UUID(), context: try PurchaseContext(encoding: "level 3")))
            await shop.settle()
            #expect(shop.lines == ["a defer"])
            await shop.relaunch(with: ledger)
            var contexts: [String?] = []
            shop.manager.defaultHandlers = PurchaseHandlers(onSuccess: {
                contexts.append(try? $0.context?.decode(String.self))
            })
            try shop.store.approveAskToBuyTransaction(identifier: shop.waiting(.deferred)[0])
            await shop.settle()
            #expect(contexts == ["level 3"])
            #expect(shop.lines == [] && shop.unfinished == [])
        }

        @Test(
            "A01 D04 approvals in another order each go to a purchase that waits for one, the oldest first",
            arguments: StoreWorld.all)
        func paired(world: StoreWorld) async throws {
            let shop = try await ContractShop.open(in: world)
            shop.store.buyer.nextAnswers = [.ask, .ask, .ask]
            let other = PurchaseOptions(appAccountToken: UUID())
            for (name, options) in [("a", PurchaseOptions()), ("b", PurchaseOptions()), ("c", other)] {
                shop.buy(as: name, options)
                await shop.pass(1)
            }
            let waiting = shop.waiting(.deferred)
            for number in [2, 1, 0] {
                try shop.store.approveAskToBuyTransaction(identifier: waiting[number])
                await shop.settle()
            }
            let told = shop.lines.filter { !$0.hasSuffix("defer") }
            #expect(told.first == "c success \(waiting[2])")
            // Which of two equal purchases an approval is for, StoreKit 2 does not say.
            let order = world == .storeKit2 ? ["a", "b"] : ["b", "a"]
            #expect(told.dropFirst() == ["\(order[0]) success \(waiting[1])", "\(order[1]) success \(waiting[0])"])
            #expect(shop.unfinished == [])
        }

        @Test(
            "A01 D04 an awaited purchase that has to be approved returns at once; the approval is the default receiver's",
            arguments: StoreWorld.all)
        func awaited(world: StoreWorld) async throws {
            let shop = try await ContractShop.open(in: world)
            shop.store.buyer.nextAnswers = [.ask]
            let task = Task { try await shop.manager.purchase(productIdentifier: "coins") }
            await shop.settle()
            guard case .deferred(let token) = try await task.value else { throw SampleError() }
            #expect(shop.manager.isPending(token))
            let events = shop.manager.events
            try shop.store.approveAskToBuyTransaction(identifier: shop.waiting(.deferred)[0])
            await shop.settle()
            #expect(shop.lines == ["default success 1"] && shop.unfinished == [])
            for await event in events {
                guard case .purchased(_, let purchased) = event else { continue }
                #expect(purchased == token)
                break
            }
        }
    }
}
