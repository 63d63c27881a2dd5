import Foundation
import StoreSimulator
import TestSupport
import Testing

@testable import StoreManagerCore

/// The cache of products: as a value, and as a manager keeps it.
@MainActor
@Suite(.timeLimit(.minutes(20)))
struct ProductCacheTests {
    let shop = ManagerFixture()

    private func fetch(_ products: [StoreProduct], cacheResult: Bool = true) async {
        let number = shop.backend.fetches.count
        _ = await shop.fetch(.closures, "a", products.map(\.id), cacheResult: cacheResult)
        await shop.answerFetch(number, with: products)
    }

    @Test("K01 products are cached unless the fetch says otherwise", arguments: FetchStyle.allCases)
    func cachingIsOptional(style: FetchStyle) async {
        await fetch([.sample("coins", price: 1)])
        let uncached = await shop.fetch(style, "a", ["coins", "gems"], cacheResult: false)
        await shop.answerFetch(1, with: [.sample("coins", price: 2), .sample("gems")])
        await uncached.end()
        #expect(shop.lines.last == "a products [coins, gems] invalid []")
        #expect(shop.manager.cachedProducts == [.sample("coins", price: 1)])
        let cached = await shop.fetch(style, "a", ["gems"])
        await shop.answerFetch(2, with: "gems")
        await cached.end()
        #expect(shop.manager.cachedProducts.map(\.id) == ["coins", "gems"])
    }

    @Test("K01 one answer for two callers is cached if one of them wants it")
    func cachingIsTheCallersChoice() async {
        _ = await shop.fetch(.closures, "a", ["coins", "gems"], cacheResult: false)
        _ = await shop.fetch(.closures, "b", ["gems"])
        await shop.answerFetch(with: "coins", "gems")
        #expect(shop.manager.cachedProducts.map(\.id) == ["gems"])
    }

    @Test("K02 the cache merges by identifier: a newer product takes the place of the older one")
    func merging() async {
        await fetch([.sample("coins", price: 1), .sample("gems", price: 1)])
        await fetch([.sample("hat", price: 3), .sample("coins", price: 2)])
        #expect(
            shop.manager.cachedProducts
                == [.sample("coins", price: 2), .sample("gems", price: 1), .sample("hat", price: 3)])
    }

    @Test("K03 the cache can be read and emptied at any time")
    func removing() async {
        await fetch([.sample("coins"), .sample("gems"), .sample("hat")])
        #expect(shop.manager.cachedProduct(withIdentifier: "gems") == .sample("gems"))
        #expect(shop.manager.cachedProduct(withIdentifier: "nonsense") == nil)
        // By identifier: the price is another.
        shop.manager.removeProductsFromCache([.sample("gems", price: 99), .sample("nonsense")])
        #expect(shop.manager.cachedProducts.map(\.id) == ["coins", "hat"])
        #expect(shop.manager.cachedProduct(withIdentifier: "gems") == nil)
        shop.manager.removeAllProductsFromCache()
        #expect(shop.manager.cachedProducts == [])
    }

    @Test("K03 what is removed while requests are open disturbs none of them")
    func removingWhileRequestsAreOpen() async {
        await fetch([.sample("coins")])
        let purchase = shop.manager.purchaseProduct(
            withIdentifier: "coins", handlers: shop.recorder.purchaseHandlers("p"))
        _ = await shop.fetch(.closures, "b", ["coins", "gems"])
        shop.manager.removeProductsFromCache([.sample("coins")])
        shop.manager.removeAllProductsFromCache()
        shop.manager.fetchProducts(
            withIdentifiers: ["hat"], onSuccess: { _, _ in shop.manager.removeAllProductsFromCache() })
        shop.recorder.clear()
        await shop.answer(purchase, with: .sample())
        await shop.answerFetch(2, with: "hat")
        #expect(shop.manager.cachedProducts == [])
        await shop.answerFetch(1, with: "coins", "gems")
        #expect(shop.manager.cachedProducts.map(\.id) == ["coins", "gems"])
        #expect(
            shop.lines == ["p success 1", "store finish 1", "b products [coins, gems] invalid []"])
        #expect(shop.manager.purchaseProduct(withIdentifier: "hat", onSuccess: nil) == nil)
    }

    @Test(
        "K05 K03 however often products come and go, the cache keeps the order of arrival and no more room than it needs"
    )
    func comingAndGoing() {
        var cache = ProductCache()
        var expected: [String] = []
        var generator = SplitMix64(seed: 1)
        for _ in 0..<3_000 {
            let id = "\(Int.random(in: 0..<60, using: &generator))"
            if Bool.random(using: &generator) {
                cache.merge([.sample(id)])
                if !expected.contains(id) { expected.append(id) }
            } else {
                cache.remove([id])
                expected.removeAll { $0 == id }
            }
            #expect(cache.products.map(\.id) == expected)
            #expect(cache[id]?.id == expected.first { $0 == id })
            let slots = Mirror(reflecting: cache).descendant("slots") as? [StoreProduct?]
            #expect((slots?.count ?? .max) <= 2 * expected.count + 1)
        }
    }

    // MARK: The storefront

    @Test("K04 when the storefront changes the cache is emptied, and the next fetch brings the new prices")
    func storefrontChange() async {
        await fetch([.sample("coins", price: 1)])
        await shop.report(.storefrontChanged(StoreStorefront(id: "143443", countryCode: "DEU")))
        #expect(shop.manager.cachedProducts == [])
        #expect(shop.manager.purchaseProduct(withIdentifier: "coins", onSuccess: nil) == nil)
        await fetch([.sample("coins", price: 2)])
        #expect(shop.manager.cachedProducts == [.sample("coins", price: 2)])
    }

    @Test("K04 an answer to a request sent before the change is asked for again", arguments: FetchStyle.allCases)
    func changeDuringAFetch(style: FetchStyle) async {
        let fetch = await shop.fetch(style, "a", ["coins", "nonsense"])
        await shop.report(.storefrontChanged(nil))
        // Who comes after the change joins what will be asked again.
        let second = await shop.fetch(style, "b", ["coins"])
        await shop.answerFetch(0, with: [.sample("coins", price: 1)])
        #expect(shop.lines == Array(repeating: "store fetch [coins, nonsense]", count: 2))
        #expect(shop.backend.fetches[0].token == shop.backend.fetches[1].token)
        #expect(shop.manager.cachedProducts == [])
        await shop.answerFetch(1, with: [.sample("coins", price: 2)])
        await fetch.end()
        await second.end()
        #expect(
            Set(shop.lines.dropFirst(2)) == ["a products [coins] invalid [nonsense]", "b products [coins] invalid []"])
        #expect(shop.manager.cachedProducts == [.sample("coins", price: 2)])
    }

    @Test("K04 what a fetch had of the old storefront is asked for again too")
    func changeAfterHalfAnAnswer() async {
        _ = await shop.fetch(.closures, "a", ["A"])
        _ = await shop.fetch(.closures, "b", ["A", "B"])
        await shop.answerFetch(0, with: [.sample("A", price: 1)])
        await shop.report(.storefrontChanged(nil))
        #expect(shop.backend.fetches.map(\.identifiers) == [["A"], ["B"], ["A"]])
        // It is not sold in the new one.
        await shop.answerFetch(2, with: [])
        await shop.answerFetch(1, with: [.sample("B", price: 1)])
        #expect(shop.backend.fetches.map(\.identifiers) == [["A"], ["B"], ["A"], ["B"]])
        await shop.answerFetch(3, with: [.sample("B", price: 2)])
        #expect(shop.lines.last == "b products [B] invalid [A]")
        #expect(shop.manager.cachedProducts == [.sample("B", price: 2)])
    }

    @Test("K04 a second change while the store is asked again has it asked once more")
    func twoChanges() async {
        _ = await shop.fetch(.closures, "a", ["coins"])
        await shop.report(.storefrontChanged(nil))
        await shop.answerFetch(0, with: "coins")
        await shop.report(.storefrontChanged(nil))
        await shop.answerFetch(1, with: "coins")
        #expect(shop.recorder.lines(of: "a") == [])
        await shop.answerFetch(2, with: "coins")
        #expect(shop.recorder.lines(of: "a") == ["a products [coins] invalid []"])
        #expect(shop.backend.fetches.count == 3)
    }
}
