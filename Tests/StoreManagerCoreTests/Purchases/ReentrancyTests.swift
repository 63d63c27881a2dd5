import StoreManagerCore
import TestSupport
import Testing

/// Handlers may do whatever they like from inside their call.
@MainActor
struct ReentrancyTests {
    private let fixture: ManagerFixture

    init() { self.init(fixture: ManagerFixture()) }

    private init(fixture: ManagerFixture) { self.fixture = fixture }

    /// The calls of a purchase from inside which something is done.
    enum Handler: String, CaseIterable {
        case success, restore, failure, cancel, `defer`, verify, revoke
    }

    /// Closures of which one does something; the others do nothing.
    private func handlers(
        _ handler: Handler, _ work: @escaping @MainActor (StoreTransaction?) -> Void
    ) -> PurchaseHandlers {
        var handlers = PurchaseHandlers(onSuccess: { _ in })
        switch handler {
        case .success: handlers.onSuccess = work
        case .restore: handlers.onRestore = work
        case .failure: handlers.onFailure = { transaction, _ in work(transaction) }
        case .cancel: handlers.onCancel = { work(nil) }
        case .defer: handlers.onDefer = { work(nil) }
        case .verify: handlers.onVerify = work
        case .revoke: handlers.onRevoke = work
        }
        return handlers
    }

    /// Has the store say what leads to the handler.
    private func provoke(_ handler: Handler, for token: RequestToken) async {
        let transaction = StoreTransaction.sample("1", of: "it")
        switch handler {
        case .success, .verify: await fixture.answer(token, with: transaction)
        case .restore: await fixture.answer(token, with: transaction.with(\.state, .restored))
        case .failure: await fixture.answer(token, with: transaction.with(\.state, .failed))
        case .cancel: await fixture.report(.purchaseEnded(.cancelled(), for: token))
        case .defer: await fixture.report(.purchaseDeferred(for: token))
        case .revoke: await fixture.answer(nil, with: transaction.with(\.revocationDate, .start))
        }
    }

    /// Buys something, or takes the default receiver, with a handler that does something.
    private func begin(
        _ handler: Handler, _ work: @escaping @MainActor (StoreTransaction?) -> Void
    ) -> RequestToken {
        let handlers = handlers(handler, work)
        if handler == .revoke { fixture.manager.defaultHandlers = handlers }
        return fixture.manager.purchase(.sample("it"), handlers: handlers)
    }

    @Test(
        "P12 a purchase started inside any handler is accepted and ends by itself, cancelled ones included",
        arguments: Handler.allCases)
    func purchase(handler: Handler) async {
        let token = begin(handler) { [manager = fixture.manager, recorder = fixture.recorder] _ in
            for name in ["a", "b"] { manager.purchase(.sample(name), handlers: recorder.purchaseHandlers(name)) }
            #expect(recorder.lines.filter { !$0.hasPrefix("store") } == [])
        }
        await provoke(handler, for: token)
        let tokens = fixture.backend.payments.map(\.token)
        #expect(tokens.count == 3)
        await fixture.answer(tokens[1], with: .sample("2", of: "a"))
        await fixture.report(.purchaseEnded(.cancelled(), for: tokens[2]))
        #expect(fixture.handlerLines == ["a success 2", "b cancel"])
    }

    @Test(
        "P12 a purchase that the store answers at once, inside the call that starts it inside a handler, still ends later",
        arguments: Handler.allCases)
    func purchaseAnsweredAtOnce(handler: Handler) async {
        let token = begin(handler) { [fixture] _ in
            fixture.backend.answer = { command in
                guard case .purchase(let payment) = command else { return [] }
                return [StoreAnswer.failedWithoutTransaction.event(for: payment)]
            }
            fixture.manager.purchase(.sample("a"), handlers: fixture.recorder.purchaseHandlers("a"))
            fixture.recorder.record("returned")
        }
        await provoke(handler, for: token)
        #expect(fixture.handlerLines == ["returned", "a failure - productUnavailable"])
    }

    @Test(
        "P21 any handler may cancel its own request, another one, and one that it has just started",
        arguments: Handler.allCases)
    func cancel(handler: Handler) async {
        let other = fixture.manager.purchase(.sample("other"), handlers: fixture.recorder.purchaseHandlers("other"))
        let own = Locked<RequestToken?>(nil)
        let token = begin(handler) { [manager = fixture.manager, recorder = fixture.recorder] _ in
            recorder.record("called")
            let started = manager.purchase(.sample("started"), handlers: recorder.purchaseHandlers("started"))
            for token in [own.withLock { $0 }, other, started] { token.map(manager.cancel) }
        }
        own.withLock { $0 = token }
        await provoke(handler, for: token)
        for payment in fixture.backend.payments { await fixture.report(StoreAnswer.nothing.event(for: payment)) }
        #expect(fixture.handlerLines == ["called"])
        #expect(fixture.backend.payments.map(\.token).filter(fixture.manager.isPending) == [])
    }

    @Test(
        "V05 V06 an answer from inside any handler counts where somebody asked, and does nothing elsewhere",
        arguments: Handler.allCases)
    func answer(handler: Handler) async {
        let token = begin(handler) { [manager = fixture.manager, recorder = fixture.recorder] transaction in
            let counts = [true, true, false].map { verdict in
                manager.transaction(transaction ?? .sample(), didVerify: verdict)
            }
            recorder.record("\(counts)")
        }
        await provoke(handler, for: token)
        #expect(fixture.handlerLines == ["[\(handler == .verify), false, false]"])
        #expect(fixture.backend.finished.count <= 1)
    }

    @Test(
        "S04 finish from inside any handler: what is not handed over yet is not finished, and nothing is finished twice",
        arguments: Handler.allCases, StoreManager.FinishingPolicy.allCases)
    func finish(handler: Handler, finishing: StoreManager.FinishingPolicy) async {
        let fixture = ManagerFixture(finishing: finishing)
        let test = ReentrancyTests(fixture: fixture)
        let token = test.begin(handler) { transaction in
            if let transaction { try? fixture.manager.finish(transaction) }
        }
        await test.provoke(handler, for: token)
        let expected =
            switch handler {
            case .success, .restore, .failure: ["1"]
            case .revoke: ["1"]
            case .cancel, .defer, .verify: [String]()
            }
        #expect(fixture.backend.finished == expected)
    }

    @Test(
        "a handler that replaces the default receiver, or retries, from inside its call loses nothing",
        arguments: Handler.allCases)
    func replacement(handler: Handler) async {
        await fixture.answer(nil, with: .sample("waiting"))
        let token = begin(handler) { [manager = fixture.manager, recorder = fixture.recorder] _ in
            manager.defaultHandlers = recorder.purchaseHandlers("default")
            manager.retryPendingVerifications()
            recorder.record("called")
        }
        await provoke(handler, for: token)
        #expect(fixture.handlerLines == ["called", "default success waiting"])
        #expect(fixture.backend.finished.contains("waiting"))
    }
}
