import Foundation
import StoreManagerCore
import TestSupport
import Testing

/// What a fetch brings, and to whom.
@MainActor
@Suite(.timeLimit(.minutes(20)))
struct FetchTests {
    let shop = ManagerFixture()

    @Test("F01 a fetch gives the found products and the invalid identifiers, once", arguments: FetchStyle.allCases)
    func answer(style: FetchStyle) async {
        let fetch = await shop.fetch(style, "a", ["coins", "nonsense", "gems"])
        await shop.answerFetch(with: "gems", "coins")
        await fetch.end()
        await shop.answerFetch(with: "coins")
        await shop.advance(by: 100)
        #expect(shop.lines == ["store fetch [coins, nonsense, gems]", "a products [coins, gems] invalid [nonsense]"])
    }

    @Test("F01 the answer is the caller's own: delegates and closures hear of their tokens alone")
    func ownAnswer() async {
        let (first, second) = (
            RecordingDelegate("d1", recorder: shop.recorder), MinimalDelegate("d2", recorder: shop.recorder)
        )
        let tokens = [
            shop.manager.fetchProducts(withIdentifiers: ["coins"], delegate: first),
            shop.manager.fetchProducts(withIdentifiers: ["gems"], delegate: second),
            shop.manager.fetchProducts(withIdentifiers: ["pass"], delegate: first),
        ]
        shop.manager.fetchProducts(
            withIdentifiers: ["hat"],
            onSuccess: { products, invalid in shop.recorder.record("c \(products.count) \(invalid)") })
        #expect(tokens.map(\.description) == ["fetch-1", "fetch-2", "fetch-3"])
        shop.recorder.clear()
        await shop.answerFetch(1, with: "gems")
        await shop.failFetch(0)
        await shop.answerFetch(2, with: "pass")
        await shop.answerFetch(3, with: [])
        #expect(
            shop.lines == [
                "d2 products [gems] invalid [] fetch-2", "d1 failure network fetch-1",
                "d1 products [pass] invalid [] fetch-3", "c 0 [\"hat\"]",
            ])
        #expect(!tokens.contains { shop.manager.isPending($0) })
    }

    @Test("F02 F08 fetches that overlap are each answered in full, and nothing is asked for twice at a time")
    func overlap() async {
        var fetches: [BegunFetch] = []
        fetches.append(await shop.fetch(.closures, "a", ["A", "B"]))
        fetches.append(await shop.fetch(.delegate, "b", ["B", "C"]))
        fetches.append(await shop.fetch(.async, "c", ["C", "A"]))
        fetches.append(await shop.fetch(.closures, "d", ["D"]))
        #expect(shop.recorder.clear() == ["store fetch [A, B]", "store fetch [C]", "store fetch [D]"])
        await shop.answerFetch(2, with: "D")
        await shop.answerFetch(1, with: "C")
        #expect(shop.recorder.clear() == ["d products [D] invalid []"])
        await shop.answerFetch(0, with: "A")
        for fetch in fetches { await fetch.end() }
        #expect(
            Set(shop.lines) == [
                "a products [A] invalid [B]", "b products [C] invalid [B]", "c products [C, A] invalid []",
            ])
        #expect(shop.lines.count == 3)
    }

    @Test("F03 an invalid identifier fails nothing, and empties no cache", arguments: FetchStyle.allCases)
    func invalidIdentifiers(style: FetchStyle) async {
        let some = await shop.fetch(style, "some", ["coins", "nonsense"])
        await shop.answerFetch(0, with: "coins")
        await some.end()
        let none = await shop.fetch(style, "none", ["nonsense", "rubbish"])
        await shop.answerFetch(1, with: [])
        await none.end()
        #expect(
            shop.recorder.lines(of: "some") + shop.recorder.lines(of: "none") == [
                "some products [coins] invalid [nonsense]", "none products [] invalid [nonsense, rubbish]",
            ])
        #expect(shop.manager.cachedProducts.map(\.id) == ["coins"])
    }

    @Test("F04 nothing to ask for is an empty success, without asking the store", arguments: FetchStyle.allCases)
    func emptySet(style: FetchStyle) async {
        let fetch = await shop.fetch(style, "a", [String]())
        await shop.manager.settle()
        await fetch.end()
        #expect(shop.lines == ["a products [] invalid []"])
        #expect(shop.clock.sleeperCount == 0)
    }

    @Test("F04 duplicates are asked for once, and blanks are part of an identifier", arguments: FetchStyle.allCases)
    func duplicatesAndBlanks(style: FetchStyle) async {
        let fetch = await shop.fetch(style, "a", ["coins", " coins", "coins", "", "gems\n"])
        await shop.answerFetch(with: "coins")
        await fetch.end()
        #expect(
            shop.lines == ["store fetch [coins,  coins, , gems\n]", "a products [coins] invalid [ coins, , gems\n]"])
    }

    @Test("F05 results come in the order of the identifiers as given", arguments: FetchStyle.allCases)
    func order(style: FetchStyle) async {
        let fetch = await shop.fetch(style, "a", ["z", "y", "b", "x", "a"])
        await shop.answerFetch(with: "a", "x", "z")
        await fetch.end()
        #expect(shop.lines.last == "a products [z, x, a] invalid [y, b]")
    }

    @Test("F05 a Set is taken by identifier", arguments: FetchStyle.allCases)
    func orderOfASet(style: FetchStyle) async {
        let fetch = await shop.fetch(style, "a", Set(["z", "y", "b", "x", "a", "aa"]))
        await shop.answerFetch(with: "z", "aa", "a", "y")
        await fetch.end()
        #expect(shop.lines == ["store fetch [a, aa, b, x, y, z]", "a products [a, aa, y, z] invalid [b, x]"])
    }

    @Test("F05 a fetch asks the store also for what is cached", arguments: FetchStyle.allCases)
    func cacheIsNoAnswer(style: FetchStyle) async {
        for price in 1...2 {
            let fetch = await shop.fetch(style, "a", ["coins"])
            await shop.answerFetch(price - 1, with: [.sample(price: Decimal(price))])
            await fetch.end()
        }
        #expect(shop.backend.fetches.count == 2)
        #expect(shop.manager.cachedProduct(withIdentifier: "coins")?.price == 2)
    }

    @Test("F12 of a product that the store lists twice the first one wins", arguments: FetchStyle.allCases)
    func listedTwice(style: FetchStyle) async {
        let fetch = await shop.fetch(style, "a", ["coins"])
        await shop.answerFetch(0, with: [.sample(price: 1), .sample(price: 2)])
        await fetch.end()
        #expect(shop.lines.last == "a products [coins] invalid []")
        #expect(shop.manager.cachedProducts.map(\.price) == [1])
    }

    @Test("F13 250 identifiers in one fetch are one answer", arguments: FetchStyle.allCases)
    func many(style: FetchStyle) async {
        let identifiers = (0..<250).map { "product\($0)" }
        let fetch = await shop.fetch(style, "a", identifiers)
        await shop.answerFetch(0, with: identifiers.filter { $0 != "product7" }.map { .sample($0) })
        await fetch.end()
        let found = identifiers.filter { $0 != "product7" }
        #expect(shop.lines == ["store fetch \(identifiers.line)", "a products \(found.line) invalid [product7]"])
        #expect(shop.manager.cachedProducts.count == 249)
    }
}
