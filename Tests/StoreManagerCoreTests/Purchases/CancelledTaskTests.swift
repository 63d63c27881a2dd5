import StoreManagerCore
import TestSupport
import Testing

/// The async forms, and tasks that are cancelled at any time: nothing that was paid for is lost.
@MainActor
struct CancelledTaskTests {
    private let fixture = ManagerFixture()
    private let gate = Gate()

    init() {
        fixture.backend.answer = { $0.finishedAtOnce }
        fixture.manager.defaultHandlers = fixture.recorder.purchaseHandlers("default")
    }

    private var manager: StoreManager { fixture.manager }

    /// Runs something that may throw, and records how it ended: `a CancellationError`.
    private func start<Value: Sendable>(_ work: @escaping @MainActor (StoreManager) async throws -> Value) -> Task<
        String, Never
    > {
        Task { [manager] in
            do {
                return "\(try await work(manager))"
            } catch {
                return "\(type(of: error))"
            }
        }
    }

    /// Where a purchase is when its task is cancelled.
    enum Point: String, CaseIterable, Sendable { case submitted, verifying, writing, downloading }

    @Test(
        "P21 a purchase whose task is cancelled throws at once, and its transaction goes to the default receiver",
        arguments: Point.allCases)
    func purchase(point: Point) async {
        // What a launch does with a ledger is over before the gate stands in the way.
        await manager.settle()
        switch point {
        case .submitted: break
        case .verifying: manager.verifier = TestVerifier(gate: gate)
        case .writing: manager.persistence = TestPersistence(gate: gate)
        case .downloading: manager.contentDownloader = TestDownloader(gate: gate)
        }
        // The first visit to the ledger asks whether the transaction is known, the second writes.
        let visits = point == .writing ? 2 : 1
        let task = start { try await $0.purchase(.sample()) }
        await fixture.backend.firstPayment()
        let transaction = StoreTransaction.sample("1")
        let answer = StoreBackendEvent.transactionsUpdated([
            StoreTransactionUpdate(transaction, token: fixture.backend.payments[0].token)
        ])
        if point != .submitted {
            fixture.backend.report(answer)
            for visit in 1...visits {
                await gate.arrival(visit)
                if visit < visits { gate.open(); gate.close() }
            }
        }
        task.cancel()
        #expect(await task.value == "CancellationError")
        #expect(fixture.recorder.lines(of: "default") == [])
        if point == .submitted { fixture.backend.report(answer) }
        gate.open()
        await manager.settle()
        #expect(fixture.recorder.lines(of: "default") == ["default success 1"])
        #expect(fixture.backend.finished == ["1"])
    }

    @Test(
        "P21 a success that races with the cancellation is returned or goes to the default receiver, never both nor neither",
        arguments: 0...6)
    func race(step: Int) async {
        let task = start { try await $0.purchase(.sample()) }
        await manager.settle()
        fixture.backend.report(
            .transactionsUpdated([StoreTransactionUpdate(.sample("1"), token: fixture.backend.payments[0].token)]))
        // Cancelled after so many turns of the main actor; at some of them the answer is there already.
        for _ in 0..<step { await Task { @MainActor in }.value }
        task.cancel()
        let result = await task.value
        await manager.settle()
        let isReturned = result.hasPrefix("purchased")
        #expect(isReturned || result == "CancellationError")
        #expect(fixture.recorder.lines(of: "default") == (isReturned ? [] : ["default success 1"]))
        #expect(fixture.backend.finished == ["1"])
        if step == 0 { #expect(!isReturned) }
        if step == 6 { #expect(isReturned) }
    }

    @Test("P21 F10 a task that is cancelled before it begins asks the store for nothing")
    func before() async {
        let calls: [@MainActor (StoreManager) async throws -> Void] = [
            { _ = try await $0.purchase(.sample()) },
            { _ = try await $0.purchase(productIdentifier: "coins") },
            { _ = try await $0.products(withIdentifiers: ["coins"]) },
            { _ = try await $0.restorePurchases() },
            { _ = try await $0.refreshEntitlements() },
            { try await $0.refreshReceipt() },
        ]
        for call in calls {
            let task = start(call)
            task.cancel()
            #expect(await task.value == "CancellationError")
        }
        await manager.settle()
        #expect(fixture.backend.commands.isEmpty)
    }

    @Test("P18 P21 cancelled while the product is fetched, nothing is queued, and others still get the product")
    func whileFetching() async {
        let task = start { try await $0.purchase(productIdentifier: "coins") }
        await manager.settle()
        manager.fetchProducts(withIdentifiers: ["coins"], handlers: fixture.recorder.fetchHandlers("other"))
        task.cancel()
        #expect(await task.value == "CancellationError")
        await fixture.report(.productsFetched([.sample()], for: fixture.backend.fetches[0].token))
        #expect(fixture.backend.payments.isEmpty)
        #expect(fixture.recorder.lines(of: "other") == ["other products [coins] invalid []"])
    }

    @Test("D04 cancelled after it was deferred, the task has its token, and the approval goes to the default receiver")
    func deferred() async {
        fixture.backend.answer = { command in
            if case .purchase(let payment) = command { return [.purchaseDeferred(for: payment.token)] }
            return command.finishedAtOnce
        }
        let task = start { try await $0.purchase(.sample()) }
        let result = await task.value
        task.cancel()
        #expect(result == "deferred(purchase-1)")
        let token = fixture.backend.payments[0].token
        #expect(manager.isPending(token))
        await fixture.answer(token, with: .sample("1"))
        #expect(fixture.recorder.lines(of: "default") == ["default success 1"])
        #expect(!manager.isPending(token))
    }

    @Test(
        "R01 a restore whose task is cancelled throws at once, and what it restores goes to the default receiver",
        arguments: ["listing", "verifying", "failing"])
    func restore(point: String) async {
        if point == "verifying" { manager.verifier = TestVerifier(gate: gate) }
        let task = start { try await $0.restorePurchases() }
        await manager.settle()
        let token = fixture.backend.restores[0].token
        let list: [StoreBackendEvent] = [
            .transactionsUpdated([StoreTransactionUpdate(.sample("1", state: .restored), token: token)]),
            point == "failing" ? .restoreFailed(.network(), for: token) : .restoreFinished(for: token),
        ]
        if point == "verifying" {
            for event in list { fixture.backend.report(event) }
            await gate.arrival()
        }
        task.cancel()
        #expect(await task.value == "CancellationError")
        #expect(!manager.isPending(token))
        if point != "verifying" { for event in list { fixture.backend.report(event) } }
        gate.open()
        await manager.settle()
        #expect(fixture.recorder.lines(of: "default") == ["default restore 1"])
        #expect(fixture.backend.finished == ["1"])
    }

    @Test("T05 X05 a cancelled refresh leaves the others who wait for it alone", arguments: [true, false])
    func refresh(isReceipt: Bool) async {
        let call: @MainActor (StoreManager) async throws -> String = { manager in
            if isReceipt {
                try await manager.refreshReceipt()
                return "refreshed"
            }
            return "\(try await manager.refreshEntitlements().map(\.id))"
        }
        let cancelled = start(call)
        let other = start(call)
        await manager.settle()
        cancelled.cancel()
        #expect(await cancelled.value == "CancellationError")
        for command in fixture.backend.commands {
            switch command {
            case .refreshReceipt(let token): fixture.backend.report(.receiptRefreshed(nil, for: token))
            case .entitlements(let token):
                fixture.backend.report(.entitlementsRead(.success([.sample("1")]), for: token))
            default: break
            }
        }
        #expect(await other.value == (isReceipt ? "refreshed" : #"["1"]"#))
    }
}
