import Foundation
import StoreManagerCore
import TestSupport
import Testing

/// The one stream of events, and that all who listen hear the same.
@MainActor
@Suite(.timeLimit(.minutes(20)))
struct EventStreamTests {
    let shop = ManagerFixture()

    /// All events up to a mark that is made now.
    private func events(of stream: AsyncStream<StoreEvent>) async -> [StoreEvent] {
        await shop.report(.transactionsRemoved(["mark"]))
        return await Self.read(stream)
    }

    /// Reads on no particular thread.
    nonisolated private static func read(_ stream: AsyncStream<StoreEvent>) async -> [StoreEvent] {
        var events: [StoreEvent] = []
        for await event in stream {
            if case .transactionsRemoved(["mark"]) = event { break }
            events.append(event)
        }
        return events
    }

    /// A little of everything.
    private func runTheShop() async {
        let manager = shop.manager
        manager.fetchProducts(withIdentifiers: ["coins"])
        await shop.answerFetch(0, with: "coins")
        manager.fetchProducts(withIdentifiers: ["gems"])
        await shop.failFetch(1)
        let handlers = shop.recorder.purchaseHandlers("p")
        let tokens = (0..<5).map { manager.purchase(.sample("product\($0)"), handlers: handlers) }
        await shop.answer(tokens[0], with: .sample("1", of: "product0"))
        await shop.report(.transactionFinished("1"))
        await shop.report(.purchaseEnded(.network(), for: tokens[1]))
        await shop.report(.purchaseEnded(.cancelled(), for: tokens[2]))
        await shop.report(.purchaseDeferred(for: tokens[3]))
        await shop.answer(tokens[4], with: .sample("4", of: "product4", state: .scheduled))
        await shop.answer(nil, with: .sample("5"))
        manager.defaultHandlers = shop.recorder.purchaseHandlers("default")
        await manager.settle()
        await shop.report(.transactionFinished("5"))
        await shop.answer(nil, with: .sample("1", of: "product0").with(\.revocationDate, .start))
        await shop.report(.transactionFinished("1"))
        let restore = manager.restorePurchases(handlers: shop.recorder.restoreHandlers("r"))
        await shop.report(.restoreFinished(for: restore))
        let failing = manager.restorePurchases(handlers: shop.recorder.restoreHandlers("r"))
        await shop.report(.restoreFailed(.cancelled(), for: failing))
        await shop.report(.storefrontChanged(nil), .transactionsRemoved(["9"]))
        await shop.report(.purchaseIntent(StorePurchaseIntent(id: "i", product: .sample("hat"))))
    }

    private static let expected = [
        "productsFetched fetch-1", "productFetchFailed fetch-2",
        "transactionsUpdated", "transactionFinished", "purchased 1 purchase-3",
        "purchaseFailed purchase-4", "purchaseCancelled purchase-5", "purchaseDeferred purchase-6",
        "transactionsUpdated", "scheduled 4 purchase-7",
        "transactionsUpdated", "transactionWaiting 5 update-8", "transactionFinished", "purchased 5 update-8",
        "transactionsUpdated", "transactionFinished", "revoked 1 update-9",
        "restoreFinished restore-10", "restoreFailed restore-11",
        "storefrontChanged", "transactionsRemoved", "purchaseIntentReceived",
    ]

    @Test("N01 the stream carries everything, in the order in which it happened")
    func everything() async {
        let stream = shop.manager.events
        await runTheShop()
        #expect(await events(of: stream).map(\.line) == Self.expected)
    }

    @Test("N01 any number of readers hear the same, each from when it began, on any thread")
    func readers() async {
        let early = shop.manager.events
        await shop.report(.storefrontChanged(nil))
        let late = await Task.detached { [manager = shop.manager] in (0..<3).map { _ in manager.events } }.value
        await runTheShop()
        await shop.report(.transactionsRemoved(["mark"]))
        let all = await withTaskGroup(of: [String].self) { group in
            for stream in late { group.addTask { await Self.read(stream).map(\.line) } }
            var all: [[String]] = []
            for await lines in group { all.append(lines) }
            return all
        }
        #expect(all == Array(repeating: Self.expected, count: 3))
        #expect(await Self.read(early).map(\.line) == ["storefrontChanged"] + Self.expected)
    }

    @Test("N01 N04 observers and notifications say the same as the stream, in the same order, once each")
    func othersSayTheSame() async {
        let observer = EventObserver()
        shop.manager.addObserver(observer)
        shop.manager.notificationCenter = NotificationCenter()
        let posted = Recorder()
        let watched = shop.manager.notificationCenter.addObserver(forName: nil, object: shop.manager, queue: nil) {
            posted.record($0.storeEvent?.line ?? "nothing")
        }
        let stream = shop.manager.events
        await runTheShop()
        shop.manager.notificationCenter.removeObserver(watched)
        let lines = await events(of: stream).map(\.line)
        #expect(observer.lines.dropLast() == lines[...])
        // Not every event has a notification; those that have one come in the order of the events.
        let withoutNotification = ["scheduled", "transactionWaiting", "transactionFinished", "purchaseIntentReceived"]
        #expect(posted.lines == lines.filter { line in !withoutNotification.contains { line.hasPrefix($0) } })
    }

    @Test("N01 reading takes nothing and finishes nothing: a transaction that waits is still there for its receiver")
    func readingIsLooking() async {
        let stream = shop.manager.events
        await shop.answer(nil, with: .sample("1"))
        #expect(await events(of: stream).map(\.line) == ["transactionsUpdated", "transactionWaiting 1 update-1"])
        #expect(shop.backend.finished == [])
        shop.manager.defaultHandlers = shop.recorder.purchaseHandlers("default")
        await shop.manager.settle()
        #expect(shop.lines == ["default success 1", "store finish 1"])
    }

    @Test("N01 N04 an event is published after the handlers of its request have been called")
    func afterTheHandlers() async {
        let recorder = shop.recorder
        let observer = EventObserver { recorder.record("event \($0)") }
        shop.manager.addObserver(observer)
        shop.manager.fetchProducts(withIdentifiers: ["coins"], handlers: recorder.fetchHandlers("f"))
        await shop.answerFetch(0, with: "coins")
        let token = shop.manager.purchase(.sample(), handlers: recorder.purchaseHandlers("p"))
        await shop.answer(token, with: .sample("1"))
        await shop.report(.transactionFinished("1"))
        #expect(
            shop.lines == [
                "store fetch [coins]", "f products [coins] invalid []", "event productsFetched fetch-1",
                "store purchase coins", "event transactionsUpdated", "p success 1", "store finish 1",
                "event transactionFinished", "event purchased 1 purchase-2",
            ])
    }

    @Test("N01 a reader that stops reading is forgotten, and the others go on")
    func leavingReaders() async {
        let stream = shop.manager.events
        do {
            let dropped = shop.manager.events
            _ = dropped
        }
        let task = Task { await Self.read(shop.manager.events) }
        task.cancel()
        _ = await task.value
        await shop.report(.storefrontChanged(nil))
        #expect(await events(of: stream).map(\.line) == ["storefrontChanged"])
    }
}

/// Keeps the lines of all events.
@MainActor
private final class EventObserver: StoreObserver {
    private(set) var lines: [String] = []
    private let onEvent: (String) -> Void

    init(onEvent: @escaping (String) -> Void = { _ in }) { self.onEvent = onEvent }

    func storeManager(_ manager: StoreManager, didPublish event: StoreEvent) {
        lines.append(event.line)
        onEvent(event.line)
    }
}
