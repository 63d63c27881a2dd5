import StoreManagerCore
import TestSupport
import Testing

/// Fetches that fail, wait too long, are cancelled, or of which nobody hears any more.
@MainActor
@Suite(.timeLimit(.minutes(20)))
struct FetchFailureTests {
    let shop = ManagerFixture()

    @Test("F06 offline, the failure is told once, and the next fetch asks again", arguments: FetchStyle.allCases)
    func offline(style: FetchStyle) async {
        let first = await shop.fetch(style, "a", ["coins"])
        await shop.failFetch(0, with: .network(underlying: SampleError()))
        await first.end()
        let second = await shop.fetch(style, "b", ["coins"])
        await shop.answerFetch(1, with: "coins")
        await second.end()
        #expect(
            shop.lines == [
                "store fetch [coins]", "a failure network", "store fetch [coins]", "b products [coins] invalid []",
            ])
    }

    @Test("F08 a part that fails fails the callers who need it, and no others")
    func failingPart() async {
        _ = await shop.fetch(.closures, "a", ["A", "B"])
        _ = await shop.fetch(.closures, "b", ["B", "C"])
        _ = await shop.fetch(.closures, "c", ["C"])
        await shop.failFetch(0)
        #expect(shop.recorder.clear().suffix(2) == ["a failure network", "b failure network"])
        // C is still in flight, although the one who asked for it is gone.
        _ = await shop.fetch(.closures, "d", ["C", "D"])
        await shop.answerFetch(1, with: "C")
        await shop.answerFetch(2, with: "D")
        #expect(shop.lines == ["store fetch [D]", "c products [C] invalid []", "d products [C, D] invalid []"])
    }

    @Test("F07 a store that never answers is timed out for each caller", arguments: FetchStyle.allCases)
    func timeout(style: FetchStyle) async {
        let first = await shop.fetch(style, "a", ["coins"])
        await shop.advance(by: 10)
        let second = await shop.fetch(style, "b", ["coins"])
        await shop.advance(by: 19)
        #expect(shop.recorder.clear() == ["store fetch [coins]"])
        await shop.advance(by: 1)
        await first.end()
        #expect(shop.recorder.clear() == ["a failure timedOut"])
        await shop.advance(by: 10)
        await second.end()
        #expect(shop.recorder.clear() == ["b failure timedOut"])
        await shop.answerFetch(with: "coins")
        await shop.advance(by: 100)
        #expect(shop.lines == [])
        #expect(shop.manager.cachedProducts == [])
    }

    @Test("F07 nobody joins a fetch that was timed out, and those who had joined it before still wait")
    func joiningAfterTimeout() async {
        _ = await shop.fetch(.closures, "a", ["coins"])
        await shop.advance(by: 20)
        _ = await shop.fetch(.closures, "b", ["coins"])
        await shop.advance(by: 10)
        _ = await shop.fetch(.closures, "c", ["coins"])
        #expect(shop.recorder.clear() == ["store fetch [coins]", "a failure timedOut", "store fetch [coins]"])
        await shop.answerFetch(0, with: "coins")
        #expect(shop.recorder.clear() == ["b products [coins] invalid []"])
        await shop.answerFetch(1, with: "coins")
        #expect(shop.lines == ["c products [coins] invalid []"])
    }

    @Test("F07 how long a fetch may take can be set; an answer in time ends the wait")
    func timeoutIsConfigurable() async {
        shop.manager.productFetchTimeout = 5
        _ = await shop.fetch(.closures, "a", ["coins"])
        shop.manager.productFetchTimeout = 2
        _ = await shop.fetch(.closures, "b", ["gems"])
        await shop.advance(by: 2)
        #expect(shop.lines.last == "b failure timedOut")
        await shop.answerFetch(0, with: "coins")
        await shop.advance(by: 100)
        #expect(shop.lines.last == "a products [coins] invalid []")
    }

    @Test("F10 a cancelled fetch calls no handler", arguments: [FetchStyle.closures, .delegate], [false, true])
    func cancelling(style: FetchStyle, isEmpty: Bool) async throws {
        let fetch = await shop.fetch(style, "a", isEmpty ? [] : ["coins"])
        let token = try #require(fetch.token)
        #expect(shop.manager.isPending(token))
        fetch.cancel(in: shop.manager)
        #expect(!shop.manager.isPending(token))
        if !isEmpty { await shop.answerFetch(with: "coins") }
        await shop.advance(by: 100)
        #expect(shop.recorder.lines(of: "a") == [])
    }

    @Test("F10 what nobody waits for any more is asked for anew")
    func askingAnew() async throws {
        let fetch = await shop.fetch(.closures, "a", ["coins"])
        fetch.cancel(in: shop.manager)
        _ = await shop.fetch(.closures, "b", ["coins"])
        await shop.answerFetch(0, with: "coins")
        await shop.answerFetch(1, with: [])
        #expect(
            shop.lines == ["store fetch [coins]", "store fetch [coins]", "b products [] invalid [coins]"])
    }

    @Test("F10 whose task is cancelled throws CancellationError at once, before or after the store was asked")
    func cancellingATask() async {
        let fetch = await shop.fetch(.async, "a", ["coins"])
        fetch.cancel(in: shop.manager)
        await fetch.end()
        #expect(shop.lines == ["store fetch [coins]", "a failure CancellationError"])
        await shop.answerFetch(with: "coins")
        await shop.advance(by: 100)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            await #expect(throws: CancellationError.self) {
                try await shop.manager.products(withIdentifiers: ["coins"])
            }
        }
        await task.value
        #expect(shop.lines.count == 2)
    }

    @Test("F10 those who share a cancelled fetch are unaffected, and more may join", arguments: FetchStyle.allCases)
    func sharing(style: FetchStyle) async {
        let first = await shop.fetch(style, "a", ["coins"])
        _ = await shop.fetch(.closures, "b", ["coins"])
        first.cancel(in: shop.manager)
        await first.end()
        await shop.manager.settle()
        _ = await shop.fetch(.closures, "c", ["coins"])
        await shop.answerFetch(with: "coins")
        #expect(shop.recorder.lines(of: "store") == ["store fetch [coins]"])
        #expect(shop.lines.suffix(2) == ["b products [coins] invalid []", "c products [coins] invalid []"])
    }

    @Test("F10 a handler may cancel another fetch that the same answer completes")
    func cancellingFromAHandler() async {
        let second = RequestToken(kind: .fetch, number: 2)
        shop.manager.fetchProducts(withIdentifiers: ["coins"], onSuccess: { _, _ in shop.manager.cancel(second) })
        #expect(await shop.fetch(.closures, "b", ["coins"]).token == second)
        await shop.answerFetch(with: "coins")
        #expect(shop.recorder.lines(of: "b") == [])
    }

    @Test("F11 no handler is called before the call that registered it has returned", arguments: [false, true])
    func notSynchronously(succeeds: Bool) async {
        shop.backend.answer = { command in
            guard case .fetch(let identifiers, let token) = command else { return [] }
            return succeeds
                ? [.productsFetched(identifiers.map { .sample($0) }, for: token)]
                : [.productFetchFailed(.network(), for: token)]
        }
        shop.manager.fetchProducts(withIdentifiers: ["coins"], handlers: shop.recorder.fetchHandlers("a"))
        shop.manager.fetchProducts(withIdentifiers: [], handlers: shop.recorder.fetchHandlers("b"))
        #expect(shop.recorder.clear() == ["store fetch [coins]"])
        await shop.manager.settle()
        let answer = succeeds ? "a products [coins] invalid []" : "a failure network"
        #expect(shop.lines == [answer, "b products [] invalid []"])
    }

    @Test("F09 who drops the token gets the answer, and then nothing of the request remains", arguments: [true, false])
    func nothingRemains(succeeds: Bool) async {
        final class Caller { var calls = 0 }
        weak var caller: Caller?
        do {
            let object = Caller()
            caller = object
            _ = shop.manager.fetchProducts(
                withIdentifiers: ["coins"], onSuccess: { _, _ in object.calls += 1 },
                onFailure: { _ in object.calls += 1 })
        }
        #expect(caller != nil)
        if succeeds { await shop.answerFetch(with: "coins") } else { await shop.advance(by: 30) }
        #expect(caller == nil)
    }

    @Test("F14 without closures, or with a delegate released meanwhile, the cache is filled all the same")
    func nobodyListens() async {
        shop.manager.fetchProducts(withIdentifiers: ["coins"])
        weak var released: RecordingDelegate?
        do {
            let delegate = RecordingDelegate("d", recorder: shop.recorder)
            released = delegate
            shop.manager.fetchProducts(withIdentifiers: ["gems"], delegate: delegate)
        }
        #expect(released == nil)
        await shop.answerFetch(0, with: "coins")
        await shop.answerFetch(1, with: "gems")
        #expect(shop.recorder.lines(of: "d") == [])
        #expect(shop.manager.cachedProducts.map(\.id) == ["coins", "gems"])
        shop.manager.fetchProducts(withIdentifiers: ["hat"])
        await shop.failFetch(2)
    }
}
