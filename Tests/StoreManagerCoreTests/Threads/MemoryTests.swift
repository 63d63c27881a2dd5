import StoreManagerCore
import TestSupport
import Testing

/// What becomes of a manager that nobody holds any more.
@MainActor
@Suite(.timeLimit(.minutes(20)))
struct MemoryTests {
    private let backend = ScriptedBackend()
    private let clock = TestClock()
    private let recorder = Recorder()

    @Test("M03 a released manager stops observing, calls nobody and leaks nothing, whatever was under way")
    func release() async throws {
        final class Caller: Sendable {}
        weak var released: StoreManager?
        weak var caller: Caller?
        let gate = Gate()
        let lines = ["p defer", "p failure 3 unableToCompleteVerification", "p success 4", "asked"]
        var events: AsyncStream<StoreEvent>?
        do {
            let manager = StoreManager(backend: backend, clock: clock)
            released = manager
            events = manager.events
            try await begin(manager)
            let object = Caller()
            caller = object
            manager.fetchProducts(withIdentifiers: ["hat"], onSuccess: { _, _ in _ = object })
            manager.purchase(
                .sample("gems"), onSuccess: { _ in _ = object }, onVerify: { [recorder] _ in recorder.record("asked") })
            answer(5, with: .sample("5", of: "gems"))
            await manager.settle()
            #expect(recorder.lines == lines)
            // From here on somebody is at work for the manager, and stays so.
            manager.verifier = TestVerifier(gate: gate)
            manager.purchase(.sample("held"), onSuccess: { _ in _ = object })
            answer(6, with: .sample("6", of: "held"))
            await gate.arrival()
        }
        #expect(released == nil)
        #expect(caller == nil)
        #expect(clock.sleeperCount == 0)
        await backend.stop()
        #expect(!backend.isObserved)
        gate.open()
        clock.advance(by: 1_000)
        var last: StoreEvent?
        if let events { for await event in events { last = event } }
        #expect(last != nil)
        #expect(recorder.lines == lines)
    }

    /// Has a purchase of every kind of wait: for the store, for approval, for a receiver, for another try, for a finish.
    private func begin(_ manager: StoreManager) async throws {
        for product in ["unanswered", "deferred", "waiting", "undecided", "finishing"] {
            manager.purchase(
                .sample(product), handlers: product == "waiting" ? PurchaseHandlers() : recorder.purchaseHandlers("p"))
        }
        backend.report(.purchaseDeferred(for: backend.payments[1].token))
        answer(2, with: .sample("2", of: "waiting"))
        await manager.settle()
        manager.verifier = TestVerifier {
            $0.productIdentifier == "undecided" ? .unableToComplete(SampleError()) : .valid
        }
        answer(3, with: .sample("3", of: "undecided"))
        answer(4, with: .sample("4", of: "finishing"))
        manager.restorePurchases(onSuccess: { _ in })
        await manager.settle()
        #expect(backend.finished == ["4"])
    }

    private func answer(_ number: Int, with transaction: StoreTransaction) {
        let token = backend.payments[number].token
        backend.report(.transactionsUpdated([StoreTransactionUpdate(transaction, token: token)]))
    }

    @Test("M03 a manager that was never used lets go of its store, too")
    func unused() async {
        weak var released: StoreManager?
        do {
            let manager = StoreManager(backend: backend, clock: clock)
            released = manager
            await manager.settle()
            #expect(backend.isObserved)
        }
        #expect(released == nil)
        await backend.stop()
        #expect(!backend.isObserved)
    }

    @Test("M03 a manager that takes another's place at a store is not cut off when the other ends")
    func successor() async {
        var manager: StoreManager? = StoreManager(backend: backend, clock: clock)
        await manager?.settle()
        manager = StoreManager(backend: backend, clock: clock)
        manager?.fetchProducts(withIdentifiers: ["coins"], handlers: recorder.fetchHandlers("a"))
        await backend.stop()
        #expect(backend.isObserved)
        backend.report(.productsFetched([.sample()], for: backend.fetches[0].token))
        await manager?.settle()
        #expect(recorder.lines == ["a products [coins] invalid []"])
    }

    enum FirstCall: String, CaseIterable, Sendable {
        case purchase, asyncPurchase, restore, asyncRestore, fetch, refreshReceipt, refreshEntitlements
    }

    @Test("U05 the very first call on a fresh manager works, whatever it is", arguments: FirstCall.allCases)
    func firstCall(_ call: FirstCall) async throws {
        backend.answerByItself()
        let answer = backend.answer
        backend.answer = { [backend] command in
            #expect(backend.isObserved, "What the store answers at once would be missed.")
            return answer(command)
        }
        let manager = StoreManager(backend: backend, clock: clock)
        switch call {
        case .purchase: manager.purchase(.sample("sold"), handlers: recorder.purchaseHandlers("a"))
        case .asyncPurchase: recorder.record("a \(try await manager.purchase(.sample("sold")).name)")
        case .restore: manager.restorePurchases(handlers: recorder.restoreHandlers("a"))
        case .asyncRestore: recorder.record("a \(try await manager.restorePurchases().line)")
        case .fetch: manager.fetchProducts(withIdentifiers: ["coins"], handlers: recorder.fetchHandlers("a"))
        case .refreshReceipt:
            try await manager.refreshReceipt()
            recorder.record("a receipt")
        case .refreshEntitlements: recorder.record("a \(try await manager.refreshEntitlements().count)")
        }
        await manager.settle()
        let line =
            switch call {
            case .purchase: "a success 1"
            case .asyncPurchase: "a purchased"
            case .restore, .asyncRestore: "a restored [old0, old1, old2] invalid [] undecided []"
            case .fetch: "a products [coins] invalid []"
            case .refreshReceipt: "a receipt"
            case .refreshEntitlements: "a 0"
            }
        #expect(recorder.lines == [line])
    }
}
