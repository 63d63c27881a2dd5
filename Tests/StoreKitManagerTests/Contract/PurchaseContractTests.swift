import Foundation
import StoreManagerCore
import StoreSimulator
import TestSupport
import Testing

extension StoreKitManagerTests {
    /// The contract on how a purchase begins and ends.
    @MainActor
    struct PurchaseContractTests {
        @Test(
            "A01 P01 a product that is not cached is not bought by its identifier, and nobody is called",
            arguments: StoreWorld.all)
        func unknown(world: StoreWorld) async {
            let shop = ContractShop(in: world)
            #expect(shop.buy(as: "a") == nil)
            await shop.stock()
            #expect(shop.buy(as: "b") != nil)
            await shop.settle()
            #expect(shop.lines == ["b success 1"])
            #expect(shop.requests(.payment).count == 1)
        }

        @Test("A01 P02 a product that the caller keeps is bought, cached or not", arguments: StoreWorld.all)
        func kept(world: StoreWorld) async throws {
            let shop = try await ContractShop.open(in: world)
            let coins = try #require(shop.manager.cachedProduct(withIdentifier: "coins"))
            shop.manager.removeAllProductsFromCache()
            shop.manager.purchase(coins, handlers: shop.handlers("a"))
            await shop.settle()
            #expect(shop.lines == ["a success 1"])
            #expect(shop.unfinished == [])
        }

        @Test(
            "A01 P03 two purchases of one product each get their own outcome, in whatever order it comes",
            arguments: StoreWorld.all, [true, false])
        func twins(world: StoreWorld, firstSucceeds: Bool) async throws {
            for firstIsAnsweredFirst in [true, false] {
                let shop = try await ContractShop.open(in: world)
                shop.store.buyer.standingAnswer = .hesitate
                shop.buy(as: "a")
                shop.buy(as: "b")
                await shop.settle()
                let open = shop.waiting()
                let answers: [StoreBuyer.Answer] = firstSucceeds ? [.buy, .cancel] : [.cancel, .buy]
                for number in firstIsAnsweredFirst ? [0, 1] : [1, 0] {
                    try shop.store.answerOpenPayment(identifier: open[number], with: answers[number])
                    await shop.settle()
                }
                let expected =
                    firstSucceeds ? ["a success \(open[0])", "b cancel"] : ["a cancel", "b success \(open[1])"]
                #expect(shop.lines.sorted() == expected)
                #expect(shop.unfinished == [])
            }
        }

        @Test("A01 P04 100 purchases of 10 products, answered in any order, end once each", arguments: StoreWorld.all)
        func hundred(world: StoreWorld) async throws {
            let shop = try await ContractShop.open(in: world, selling: .consumables(10))
            shop.store.buyer.standingAnswer = .hesitate
            for number in 0..<100 { shop.buy("p\(number % 10)", as: "\(number)") }
            await shop.settle()
            var random = SplitMix64(seed: 4)
            let open = shop.waiting()
            #expect(open.count == 100)
            for id in open.shuffled(using: &random) { try shop.store.answerOpenPayment(identifier: id, with: .buy) }
            await shop.settle()
            #expect(shop.lines.count == 100)
            #expect((0..<100).allSatisfy { shop.lines(of: "\($0)") == ["\($0) success \(open[$0])"] })
            #expect(shop.unfinished == [])
            #expect(Set(shop.requests(.finish).map { $0["transaction"] }) == Set(open))
            #expect(shop.requests(.finish).count == 100)
        }

        @Test("A01 P03 purchases reach the store in the order in which they were begun", arguments: StoreWorld.all)
        func inOrder(world: StoreWorld) async throws {
            let shop = try await ContractShop.open(in: world)
            let products = ["theme", "coins", "gold", "levels", "gems"]
            for product in products { shop.buy(product, as: product) }
            await shop.settle()
            #expect(shop.requests(.payment).map { $0["product"] } == products)
            #expect(shop.lines.count == 5)
        }

        @Test(
            "A01 P05 the quantity is passed on; less than one is an error that no store hears of",
            arguments: StoreWorld.all)
        func quantity(world: StoreWorld) async throws {
            let shop = try await ContractShop.open(in: world)
            let outcome = Task {
                try await shop.manager.purchase(productIdentifier: "coins", options: PurchaseOptions(quantity: 2))
            }
            await shop.settle()
            guard case .purchased(let transaction) = try await outcome.value else { throw SampleError() }
            #expect(transaction.quantity == 2)
            #expect(shop.buy(as: "a", PurchaseOptions(quantity: 0)) != nil)
            #expect(shop.lines == [])
            await shop.settle()
            #expect(shop.lines == ["a failure invalidQuantity"])
            #expect(shop.requests(.payment).map { $0["quantity"] } == ["2"])
        }

        @Test("A01 P06 an account token comes back on the transaction", arguments: StoreWorld.all)
        func account(world: StoreWorld) async throws {
            let shop = try await ContractShop.open(in: world)
            let account = UUID()
            let byToken = Task {
                try await shop.manager.purchase(
                    productIdentifier: "coins", options: PurchaseOptions(appAccountToken: account))
            }
            await shop.settle()
            guard case .purchased(let transaction) = try await byToken.value else { throw SampleError() }
            #expect(transaction.appAccountToken == account)
        }

        @Test("A01 P06 a user name comes back on the transaction", arguments: StoreWorld.all)
        func username(world: StoreWorld) async throws {
            let shop = try await ContractShop.open(in: world, needing: .opaqueUsernames)
            let byName = Task {
                try await shop.manager.purchase(
                    productIdentifier: "coins", options: PurchaseOptions(applicationUsername: "reader 7"))
            }
            await shop.settle()
            guard case .purchased(let transaction) = try await byName.value else { throw SampleError() }
            #expect(transaction.applicationUsername == "reader 7")
        }

        @Test("A01 P06 on StoreKit 2 a user name that is a UUID is the account token, any other an error")
        func usernameIsToken() async throws {
            let shop = try await ContractShop.open(in: .storeKit2)
            let account = UUID()
            shop.buy(as: "a", PurchaseOptions(applicationUsername: account.uuidString))
            shop.buy(as: "b", PurchaseOptions(applicationUsername: "reader 7"))
            await shop.settle()
            #expect(shop.lines.sorted() == ["a success 1", "b failure invalidUsername"])
            #expect(shop.store.allTransactions.map(\.appAccountToken) == [account])
        }

        /// How a purchase ends, and what it is told then.
        nonisolated static let endings: [(answer: StoreBuyer.Answer, line: String)] = [
            (.buy, "a success 1"), (.cancel, "a cancel"), (.neither, "a failure unknown"),
            (.decline(.purchase(.productUnavailable)), "a failure productUnavailable"),
            (.decline(.purchase(.purchaseNotAllowed)), "a failure paymentNotAllowed"),
            (.decline(.generic(.networkError)), "a failure network"),
            (.decline(.generic(.userCancelled)), "a cancel"),
        ]

        @Test(
            "A01 P07 P23 a purchase ends once, whatever the store answers", arguments: StoreWorld.all, endings.indices)
        func ends(world: StoreWorld, ending: Int) async throws {
            let shop = try await ContractShop.open(in: world)
            shop.store.buyer.nextAnswers = [Self.endings[ending].answer]
            let token = try #require(shop.buy(as: "a"))
            #expect(shop.manager.isPending(token))
            await shop.settle()
            #expect(shop.lines == [Self.endings[ending].line])
            #expect(!shop.manager.isPending(token))
            #expect(shop.unfinished == [])
            await shop.relaunch()
            shop.manager.defaultHandlers = shop.handlers("default")
            await shop.settle()
            #expect(shop.lines == [], "something was left behind")
        }

        @Test("A01 P07 P11 what is owned already is restored, to its own request alone", arguments: StoreWorld.all)
        func owned(world: StoreWorld) async throws {
            let shop = try await ContractShop.open(in: world)
            await shop.own("theme")
            await shop.relaunch()
            shop.manager.defaultHandlers = shop.handlers("default")
            await shop.stock()
            shop.buy("theme", as: "a")
            shop.restore(as: "r")
            await shop.settle()
            #expect(shop.lines(of: "a") == ["a restore 1"])
            #expect(shop.lines(of: "r") == ["r restored [theme] invalid [] undecided []"])
            #expect(shop.lines.count == 2)
            #expect(shop.unfinished == [])
            #expect(shop.sold("theme").count == 1)
        }

        @Test("A01 P08 without its own handler an outcome goes to the next best one", arguments: StoreWorld.all)
        func fallbacks(world: StoreWorld) async throws {
            let shop = try await ContractShop.open(in: world)
            await shop.own("theme")
            var handlers = shop.handlers("a")
            handlers.onRestore = nil
            handlers.onCancel = nil
            shop.manager.purchaseProduct(withIdentifier: "theme", handlers: handlers)
            await shop.settle()
            shop.store.buyer.nextAnswers = [.cancel]
            shop.manager.purchaseProduct(withIdentifier: "coins", handlers: handlers)
            await shop.settle()
            handlers.onSuccess = nil
            shop.manager.purchaseProduct(withIdentifier: "coins", handlers: handlers)
            await shop.settle()
            let coins = shop.sold("coins")
            #expect(shop.lines == ["a success 1", "a failure cancelled", "default success \(coins[0])"])
        }

        @Test(
            "A01 P09 P10 delegates hear only of what they started, by the methods that they have",
            arguments: StoreWorld.all)
        func delegates(world: StoreWorld) async throws {
            let shop = try await ContractShop.open(in: world)
            let (full, minimal) = (
                RecordingDelegate("full", recorder: shop.recorder), MinimalDelegate("minimal", recorder: shop.recorder)
            )
            full.onVerify = { manager, transactions in
                for transaction in transactions { manager.transaction(transaction, didVerify: true) }
            }
            await shop.own("theme")
            var tokens: [RequestToken?] = []
            for (product, answer) in [("theme", StoreBuyer.Answer.buy), ("coins", .cancel)] {
                shop.store.buyer.standingAnswer = answer
                for delegate in [full, minimal] as [any PurchaseDelegate] {
                    tokens.append(shop.manager.purchaseProduct(withIdentifier: product, delegate: delegate))
                }
                await shop.settle()
            }
            let told = tokens.map { $0?.description ?? "-" }
            #expect(shop.lines(of: "full") == ["full restore 1 \(told[0])", "full cancel \(told[2])"])
            #expect(
                shop.lines(of: "minimal")
                    == ["minimal success 1 \(told[1])", "minimal failure cancelled \(told[3])"])
            #expect(shop.lines.count == 4)
        }

        @Test("A01 P12 a purchase that is begun inside a handler has its own outcome", arguments: StoreWorld.all)
        func inside(world: StoreWorld) async throws {
            let shop = try await ContractShop.open(in: world)
            shop.store.buyer.nextAnswers = [.cancel, .decline(.generic(.unknown)), .buy, .buy]
            shop.manager.purchaseProduct(
                withIdentifier: "coins", onSuccess: { _ in },
                onCancel: {
                    shop.manager.purchaseProduct(
                        withIdentifier: "coins", onSuccess: { _ in },
                        onFailure: { _, _ in
                            shop.manager.purchaseProduct(
                                withIdentifier: "coins", onSuccess: { _ in shop.buy(as: "last") })
                        })
                })
            await shop.settle()
            #expect(shop.lines == ["last success \(shop.sold()[1])"])
            #expect(shop.sold().count == 2 && shop.unfinished == [])
        }

        @Test(
            "A01 P17 where payments are not allowed fetching works, and a purchase ends with that error",
            arguments: StoreWorld.all)
        func notAllowed(world: StoreWorld) async throws {
            let shop = ContractShop(in: world)
            shop.store.controls.canMakePayments = false
            await shop.stock()
            #expect(!shop.manager.canMakePayments)
            shop.buy(as: "a")
            await shop.settle()
            #expect(shop.lines == ["a failure paymentNotAllowed"])
        }

        @Test("A01 P18 an awaited purchase of an unknown product is one fetch and an error", arguments: StoreWorld.all)
        func unknownAwaited(world: StoreWorld) async throws {
            let shop = ContractShop(in: world)
            let outcome = Task { try await shop.manager.purchase(productIdentifier: "nonsense") }
            await shop.settle()
            let error = await #expect(throws: StoreError.self) { try await outcome.value }
            #expect(error?.name == "unknownProduct")
            #expect(shop.requests(.fetch).count == 1 && shop.requests(.payment).isEmpty)
        }

        @Test(
            "A01 P21 a cancelled purchase goes on, and its transaction to the default receiver",
            arguments: StoreWorld.all)
        func detached(world: StoreWorld) async throws {
            let shop = try await ContractShop.open(in: world)
            shop.store.buyer.standingAnswer = .hesitate
            let token = try #require(shop.buy(as: "a"))
            let task = Task { try await shop.manager.purchase(productIdentifier: "gems") }
            await shop.settle()
            shop.manager.cancel(token)
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            for id in shop.waiting() { try shop.store.answerOpenPayment(identifier: id, with: .buy) }
            await shop.settle()
            #expect(shop.lines == ["default success 1", "default success 2"])
            #expect(shop.unfinished == [])
        }
    }
}
