import Foundation
import StoreManagerCore
import TestSupport
import Testing

/// What an app gives along with a purchase, and gets back with its transaction.
@MainActor
struct PurchaseContextTests {
    private let persistence = MemoryPersistence()
    private let account = UUID()

    /// A manager over the same ledger: after a relaunch, or on the first launch.
    private func launch(_ carriage: StoreBackendCapabilities.TokenCarriage = .unlessDeferred) -> ManagerFixture {
        let fixture = ManagerFixture(capabilities: StoreBackendCapabilities(tokenCarriage: carriage))
        fixture.backend.answer = { $0.finishedAtOnce }
        fixture.manager.persistence = persistence
        fixture.manager.defaultHandlers = handlers("default", fixture)
        return fixture
    }

    private func handlers(_ name: String, _ fixture: ManagerFixture) -> PurchaseHandlers {
        PurchaseHandlers(onSuccess: { transaction in
            let place = transaction.context.flatMap { try? $0.decode(String.self) }
            fixture.recorder.record("\(name) \(transaction.id) \(place ?? "-")")
        })
    }

    private func options(_ place: String, account: UUID?) throws -> PurchaseOptions {
        PurchaseOptions(appAccountToken: account, context: try PurchaseContext(encoding: place))
    }

    /// Starts a purchase that is deferred, and ends the run.
    private func defer_(_ place: String, account: UUID?) async throws {
        let fixture = launch()
        let options = try options(place, account: account)
        let token = fixture.manager.purchase(
            .sample(), options: options, handlers: handlers("a", fixture))
        await fixture.manager.settle()
        await fixture.report(.purchaseDeferred(for: token))
    }

    private func approval(_ id: String, account: UUID?) -> StoreTransaction {
        StoreTransaction.sample(id, at: .start + 60).with(\.appAccountToken, account)
    }

    private func pendingPlaces() async throws -> [String] {
        try await persistence.withLedger { try $0.pendingPurchases.map { try $0.context.decode(String.self) } }
    }

    @Test("D03 approved after a relaunch, it is delivered once to the default receiver, with its context")
    func relaunch() async throws {
        try await defer_("shop", account: account)
        #expect(try await pendingPlaces() == ["shop"])
        let fixture = launch()
        for _ in 1...2 { await fixture.answer(nil, with: approval("1", account: account)) }
        #expect(fixture.recorder.lines(of: "default") == ["default 1 shop"])
        #expect(try await pendingPlaces() == [])
        // The next one has none.
        await fixture.answer(nil, with: approval("2", account: account))
        #expect(fixture.recorder.lines(of: "default").last == "default 2 -")
    }

    @Test("D03 a context that product and account do not identify is not given")
    func unidentified() async throws {
        try await defer_("shop", account: account)
        try await defer_("map", account: nil)
        let fixture = launch()
        await fixture.answer(nil, with: approval("1", account: UUID()))
        await fixture.answer(nil, with: approval("2", account: account).with(\.productIdentifier, "gems"))
        await fixture.answer(nil, with: approval("3", account: nil))
        await fixture.answer(nil, with: approval("4", account: account))
        #expect(
            fixture.recorder.lines(of: "default") == ["default 1 -", "default 2 -", "default 3 map", "default 4 shop"])
    }

    @Test("D03 of two contexts that would fit neither is given; the same one twice is")
    func ambiguous() async throws {
        try await defer_("shop", account: nil)
        try await defer_("map", account: nil)
        let fixture = launch()
        await fixture.answer(nil, with: approval("1", account: nil))
        try await persistence.removeAll()
        try await defer_("shop", account: nil)
        try await defer_("shop", account: nil)
        let next = launch()
        await next.answer(nil, with: approval("2", account: nil))
        await next.answer(nil, with: approval("3", account: nil))
        #expect(fixture.recorder.lines(of: "default") == ["default 1 -"])
        #expect(next.recorder.lines(of: "default") == ["default 2 shop", "default 3 shop"])
    }

    @Test("D03 the context waits with a transaction that waits, and is struck out only when that is finished")
    func waiting() async throws {
        try await defer_("shop", account: account)
        let fixture = launch()
        fixture.manager.defaultHandlers = nil
        await fixture.answer(nil, with: approval("1", account: account))
        #expect(try await pendingPlaces() == ["shop"])
        fixture.manager.defaultHandlers = handlers("default", fixture)
        await fixture.manager.settle()
        #expect(fixture.recorder.lines(of: "default") == ["default 1 shop"])
        #expect(try await pendingPlaces() == [])
    }

    @Test(
        "D03 the context comes back in the same run, to the request and after its cancellation, with a ledger and without",
        arguments: [true, false], [true, false])
    func sameRun(isCancelled: Bool, hasLedger: Bool) async throws {
        let fixture = launch(.always)
        if !hasLedger { fixture.manager.persistence = nil }
        let token = fixture.manager.purchase(
            .sample(), options: try options("shop", account: nil), handlers: handlers("a", fixture))
        await fixture.manager.settle()
        if isCancelled { fixture.manager.cancel(token) }
        await fixture.answer(token, with: approval("1", account: nil))
        #expect(fixture.recorder.lines.filter { $0.hasSuffix("shop") } == [isCancelled ? "default 1 shop" : "a 1 shop"])
        #expect(try await pendingPlaces() == [])
    }

    @Test("D03 a purchase on another device neither gets nor takes the context of one that is under way")
    func otherDevice() async throws {
        let fixture = launch(.always)
        let token = fixture.manager.purchase(
            .sample(), options: try options("shop", account: nil), handlers: handlers("a", fixture))
        await fixture.manager.settle()
        await fixture.answer(nil, with: approval("1", account: nil))
        #expect(fixture.recorder.lines(of: "default") == ["default 1 -"])
        #expect(try await pendingPlaces() == ["shop"])
        await fixture.answer(token, with: approval("2", account: nil))
        #expect(fixture.recorder.lines(of: "a") == ["a 2 shop"])
    }

    @Test("D03 the payment is made only when its context is written down; where that fails the purchase does")
    func writtenFirst() async throws {
        let fixture = launch(.always)
        let broken = TestPersistence()
        fixture.manager.persistence = broken
        broken.isBroken = true
        fixture.manager.purchase(
            .sample(), options: try options("shop", account: nil), handlers: fixture.recorder.purchaseHandlers("a"))
        #expect(fixture.backend.payments.isEmpty)
        await fixture.manager.settle()
        #expect(fixture.recorder.lines(of: "a") == ["a failure - persistenceFailed"])
        #expect(fixture.backend.payments.isEmpty)
    }

    @Test(
        "D03 a purchase cancelled before its context is written down never reaches the store, and leaves nothing behind"
    )
    func cancelledWhileWriting() async throws {
        let fixture = launch(.always)
        let token = fixture.manager.purchase(
            .sample(), options: try options("shop", account: nil), handlers: fixture.recorder.purchaseHandlers("a"))
        fixture.manager.cancel(token)
        await fixture.manager.settle()
        #expect(fixture.backend.payments.isEmpty)
        #expect(try await pendingPlaces() == [])
        #expect(fixture.recorder.lines(of: "a") == [])
    }

    @Test(
        "D03 a purchase that was cancelled or refused takes its context along",
        arguments: [StoreError.cancelled(), .productUnavailable(), .paymentNotAllowed()])
    func failed(error: StoreError) async throws {
        let fixture = launch(.always)
        let token = fixture.manager.purchase(
            .sample(), options: try options("shop", account: nil), handlers: handlers("a", fixture))
        await fixture.manager.settle()
        #expect(try await pendingPlaces() == ["shop"])
        await fixture.report(.purchaseEnded(error, for: token))
        #expect(try await pendingPlaces() == [])
    }

    /// When the purchase that was interrupted is paid for.
    enum Resolution: CaseIterable, Sendable { case sameRun, nextRun, withoutLedger }

    @Test(
        "P16 D03 an interrupted purchase keeps its context for the transaction that still comes, once",
        arguments: Resolution.allCases, [StoreError.unknown(), .network()])
    func interrupted(resolution: Resolution, error: StoreError) async throws {
        let fixture = launch(.always)
        if resolution == .withoutLedger { fixture.manager.persistence = nil }
        let token = fixture.manager.purchase(
            .sample(), options: try options("shop", account: account), handlers: handlers("a", fixture))
        await fixture.manager.settle()
        let failed = StoreTransaction.sample("1", state: .failed).with(\.appAccountToken, account)
        await fixture.report(.transactionsUpdated([StoreTransactionUpdate(failed, token: token, error: error)]))
        #expect(try await pendingPlaces() == (resolution == .withoutLedger ? [] : ["shop"]))

        let next = resolution == .nextRun ? launch(.always) : fixture
        // What somebody else bought meanwhile neither gets nor takes it.
        await next.answer(nil, with: approval("2", account: nil))
        await next.answer(token, with: approval("3", account: account))
        await next.answer(nil, with: approval("4", account: account))
        #expect(next.recorder.lines(of: "default") == ["default 2 -", "default 3 shop", "default 4 -"])
        #expect(try await pendingPlaces() == [])
    }

    @Test("P16 D03 the next purchase of the product has its own context, not that of the interrupted one")
    func afterInterruption() async throws {
        let fixture = launch(.always)
        for (place, id) in [("shop", "1"), ("map", "2")] {
            let token = fixture.manager.purchase(
                .sample(), options: try options(place, account: nil), handlers: handlers("a", fixture))
            await fixture.manager.settle()
            if id == "1" {
                await fixture.report(.purchaseEnded(.unknown(), for: token))
            } else {
                await fixture.answer(token, with: approval(id, account: nil))
            }
        }
        #expect(fixture.recorder.lines(of: "a") == ["a 2 map"])
        #expect(try await pendingPlaces() == ["shop"])
    }
}
