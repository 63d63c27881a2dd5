import Foundation
import StoreManagerCore
import StoreSimulator
import TestSupport
import Testing

extension StoreKitManagerTests {
    /// The contract on fetching products.
    @MainActor
    struct FetchContractTests {
        /// What a fetch is told that brings these products.
        private func found(_ products: String..., invalid: [String] = []) -> String {
            "products \(products.line) invalid \(invalid.line)"
        }

        @Test("A01 F01 F02 fetches at once are each answered with what they asked for", arguments: StoreWorld.all)
        func each(world: StoreWorld) async {
            let shop = ContractShop(in: world)
            let delegate = MinimalDelegate("d", recorder: shop.recorder)
            shop.manager.fetchProducts(
                withIdentifiers: ["gems", "nonsense", "coins"], handlers: shop.recorder.fetchHandlers("a"))
            shop.manager.fetchProducts(
                withIdentifiers: ["coins", "theme"], handlers: shop.recorder.fetchHandlers("b"))
            let token = shop.manager.fetchProducts(withIdentifiers: ["theme", "gone"], delegate: delegate)
            await shop.settle()
            #expect(shop.lines(of: "a") == ["a \(found("gems", "coins", invalid: ["nonsense"]))"])
            #expect(shop.lines(of: "b") == ["b \(found("coins", "theme"))"])
            #expect(shop.lines(of: "d") == ["d \(found("theme", invalid: ["gone"])) \(token)"])
        }

        @Test(
            "A01 F03 only invalid identifiers are a success with no products, and the cache stays",
            arguments: StoreWorld.all)
        func allInvalid(world: StoreWorld) async throws {
            let shop = try await ContractShop.open(in: world)
            shop.manager.fetchProducts(withIdentifiers: ["x", "y"], handlers: shop.recorder.fetchHandlers("a"))
            await shop.settle()
            #expect(shop.lines == ["a \(found(invalid: ["x", "y"]))"])
            #expect(shop.manager.cachedProducts.count == 7)
        }

        @Test(
            "A01 F04 nothing is answered without the store, duplicates and blanks as they stand",
            arguments: StoreWorld.all)
        func identifiers(world: StoreWorld) async {
            let shop = ContractShop(in: world)
            shop.manager.fetchProducts(withIdentifiers: [], handlers: shop.recorder.fetchHandlers("a"))
            await shop.settle()
            #expect(shop.lines == ["a \(found())"])
            #expect(shop.requests(.fetch).isEmpty)
            shop.recorder.clear()
            shop.manager.fetchProducts(
                withIdentifiers: ["coins", " coins", "coins"], handlers: shop.recorder.fetchHandlers("a"))
            await shop.settle()
            #expect(shop.lines == ["a \(found("coins", invalid: [" coins"]))"])
            #expect(
                shop.requests(.fetch).map { $0["products"]?.split(separator: ",").sorted() } == [[" coins", "coins"]])
        }

        @Test(
            "A01 F05 a fetch always asks the store, and answers in the order of the identifiers",
            arguments: StoreWorld.all)
        func order(world: StoreWorld) async throws {
            let shop = try await ContractShop.open(in: world)
            shop.manager.fetchProducts(
                withIdentifiers: ["theme", "coins", "gems"], handlers: shop.recorder.fetchHandlers("a"))
            await shop.settle()
            let unordered: Set = ["theme", "coins", "gems"]
            shop.manager.fetchProducts(withIdentifiers: unordered, handlers: shop.recorder.fetchHandlers("b"))
            await shop.settle()
            #expect(shop.lines == ["a \(found("theme", "coins", "gems"))", "b \(found("coins", "gems", "theme"))"])
            #expect(shop.requests(.fetch).count == 3)
        }

        @Test(
            "A01 F06 offline a fetch fails once with a network error, and the next one asks again",
            arguments: StoreWorld.all)
        func offline(world: StoreWorld) async {
            let shop = ContractShop(in: world)
            shop.store.faults[.products].isOffline = true
            shop.manager.fetchProducts(withIdentifiers: ["coins"], handlers: shop.recorder.fetchHandlers("a"))
            await shop.settle()
            shop.store.faults[.products].isOffline = false
            shop.manager.fetchProducts(withIdentifiers: ["coins"], handlers: shop.recorder.fetchHandlers("b"))
            await shop.settle()
            #expect(shop.recorder.lines == ["a failure network", "b \(found("coins"))"])
        }

        @Test(
            "A01 F07 a store that does not answer is timed out; its late answer calls nobody", arguments: StoreWorld.all
        )
        func timeout(world: StoreWorld) async {
            let shop = ContractShop(in: world)
            shop.store.hold(.products)
            shop.manager.fetchProducts(withIdentifiers: ["coins"], handlers: shop.recorder.fetchHandlers("a"))
            await shop.pass(29)
            #expect(shop.lines == [])
            await shop.pass(1)
            #expect(shop.recorder.lines == ["a failure timedOut"])
            shop.manager.fetchProducts(withIdentifiers: ["coins"], handlers: shop.recorder.fetchHandlers("b"))
            await shop.settle()
            #expect(shop.requests(.fetch).count == 2)
            shop.store.release(.products)
            await shop.settle()
            #expect(shop.recorder.lines == ["a failure timedOut", "b \(found("coins"))"])
        }

        @Test("A01 F08 identifiers in flight are not asked for again", arguments: StoreWorld.all)
        func inFlight(world: StoreWorld) async {
            let shop = ContractShop(in: world)
            shop.store.hold(.products)
            shop.manager.fetchProducts(withIdentifiers: ["coins", "gems"], handlers: shop.recorder.fetchHandlers("a"))
            shop.manager.fetchProducts(withIdentifiers: ["gems", "theme"], handlers: shop.recorder.fetchHandlers("b"))
            await shop.settle()
            shop.store.release(.products)
            await shop.settle()
            #expect(
                shop.requests(.fetch).map { $0["products"]?.split(separator: ",").sorted() } == [
                    ["coins", "gems"], ["theme"],
                ])
            #expect(shop.lines(of: "a") == ["a \(found("coins", "gems"))"])
            #expect(shop.lines(of: "b") == ["b \(found("gems", "theme"))"])
        }

        @Test("A01 F09 a dropped token changes nothing, and nothing of the request remains", arguments: StoreWorld.all)
        func dropped(world: StoreWorld) async {
            let shop = ContractShop(in: world)
            weak var listener: Recorder?
            do {
                let recorder = Recorder()
                listener = recorder
                shop.manager.fetchProducts(
                    withIdentifiers: ["coins"],
                    onSuccess: { [recorder = shop.recorder] products, _ in
                        withExtendedLifetime(listener) { recorder.record("a \(products.map(\.id).line)") }
                    })
                shop.manager.fetchProducts(withIdentifiers: ["gems"], onFailure: { _ in recorder.record("never") })
            }
            #expect(listener != nil)
            await shop.settle()
            #expect(shop.lines == ["a [coins]"])
            #expect(listener == nil)
        }

        @Test("A01 F10 a cancelled fetch calls nobody; who shares its request is answered", arguments: StoreWorld.all)
        func cancelled(world: StoreWorld) async {
            let shop = ContractShop(in: world)
            shop.store.hold(.products)
            let token = shop.manager.fetchProducts(
                withIdentifiers: ["coins"], handlers: shop.recorder.fetchHandlers("a"))
            shop.manager.fetchProducts(withIdentifiers: ["coins"], handlers: shop.recorder.fetchHandlers("b"))
            let task = Task { try await shop.manager.products(withIdentifiers: ["coins"]) }
            await shop.settle()
            shop.manager.cancel(token)
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            shop.store.release(.products)
            await shop.settle()
            #expect(shop.lines == ["b \(found("coins"))"])
        }

        @Test(
            "A01 F11 nobody is called before the call that registered the handlers has returned",
            arguments: StoreWorld.all)
        func notEarly(world: StoreWorld) async throws {
            let shop = try await ContractShop.open(in: world)
            shop.manager.fetchProducts(withIdentifiers: ["coins"], handlers: shop.recorder.fetchHandlers("a"))
            shop.manager.fetchProducts(withIdentifiers: [], handlers: shop.recorder.fetchHandlers("a"))
            shop.buy(as: "a")
            shop.buy(as: "a", PurchaseOptions(quantity: 0))
            shop.restore(as: "a")
            #expect(shop.lines == [])
            await shop.settle()
            #expect(shop.lines(of: "a").count == 5)
        }

        @Test("A01 F12 of two products of one identifier the first one wins", arguments: StoreWorld.all)
        func twice(world: StoreWorld) async {
            let twins = StoreConfiguration(products: [
                .init(id: "coins", type: .consumable, price: 1), .init(id: "coins", type: .consumable, price: 2),
            ])
            let shop = ContractShop(in: world, selling: twins)
            shop.manager.fetchProducts(withIdentifiers: ["coins"], handlers: shop.recorder.fetchHandlers("a"))
            await shop.settle()
            #expect(shop.lines == ["a \(found("coins"))"])
            #expect(shop.manager.cachedProduct(withIdentifier: "coins")?.price == 1)
        }

        @Test("A01 F13 250 identifiers are one answer", arguments: StoreWorld.all)
        func many(world: StoreWorld) async throws {
            let shop = ContractShop(in: world, selling: .consumables(250))
            let identifiers = (0..<250).map { "p\($0)" }
            let task = Task { try await shop.manager.products(withIdentifiers: identifiers) }
            await shop.settle()
            #expect(try await task.value.products.map(\.id) == identifiers)
        }

        @Test(
            "A01 F14 without closures, and for a released delegate, the cache is filled all the same",
            arguments: StoreWorld.all)
        func nobody(world: StoreWorld) async {
            let shop = ContractShop(in: world)
            var delegate: MinimalDelegate? = MinimalDelegate("d", recorder: shop.recorder)
            if let delegate { shop.manager.fetchProducts(withIdentifiers: ["gems"], delegate: delegate) }
            delegate = nil
            shop.manager.fetchProducts(withIdentifiers: ["coins"])
            await shop.settle()
            #expect(shop.lines == [])
            #expect(shop.manager.cachedProducts.map(\.id).sorted() == ["coins", "gems"])
        }
    }
}
