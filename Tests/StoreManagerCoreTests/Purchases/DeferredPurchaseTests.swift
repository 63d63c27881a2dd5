import Foundation
import StoreManagerCore
import TestSupport
import Testing

/// Purchases that somebody has to approve first.
@MainActor
struct DeferredPurchaseTests {
    private func fixture(_ carriage: StoreBackendCapabilities.TokenCarriage = .unlessDeferred) -> ManagerFixture {
        let fixture = ManagerFixture(capabilities: StoreBackendCapabilities(tokenCarriage: carriage))
        fixture.backend.answer = { $0.finishedAtOnce }
        fixture.manager.defaultHandlers = fixture.recorder.purchaseHandlers("default")
        return fixture
    }

    /// How a store says that a purchase is deferred.
    enum Notice: CaseIterable, Sendable {
        case event, transaction

        func event(for payment: StorePayment) -> StoreBackendEvent {
            switch self {
            case .event: .purchaseDeferred(for: payment.token)
            case .transaction:
                .transactionsUpdated([
                    StoreTransactionUpdate(.sample("1", for: payment, state: .deferred), token: payment.token)
                ])
            }
        }
    }

    @Test("D01 a deferred purchase is told once, finishes nothing and stays pending", arguments: Notice.allCases)
    func notice(notice: Notice) async {
        let fixture = fixture(.always)
        let token = fixture.manager.purchase(.sample(), handlers: fixture.recorder.purchaseHandlers("a"))
        for _ in 1...2 { await fixture.report(notice.event(for: fixture.backend.payments[0])) }
        await fixture.advance(by: 1_000_000)
        #expect(fixture.lines == ["store purchase coins", "a defer"])
        #expect(fixture.manager.isPending(token))
    }

    @Test("D01 without a closure for it nothing is called, and a delegate's default does nothing")
    func noClosure() async {
        let fixture = fixture(.always)
        var handlers = fixture.recorder.purchaseHandlers("a")
        handlers.onDefer = nil
        let quiet = QuietDelegate(recorder: fixture.recorder)
        let tokens = [
            fixture.manager.purchase(.sample(), handlers: handlers),
            fixture.manager.purchase(.sample(), delegate: quiet),
        ]
        for token in tokens { await fixture.report(.purchaseDeferred(for: token)) }
        #expect(fixture.lines == ["store purchase coins", "store purchase coins"])
        #expect(tokens.allSatisfy(fixture.manager.isPending))
        withExtendedLifetime(quiet) {}
    }

    @Test("D02 approved in the same run it succeeds once, on the same token", arguments: [true, false])
    func approved(carriesToken: Bool) async {
        let fixture = fixture(carriesToken ? .always : .unlessDeferred)
        let delegate = RecordingDelegate("d", recorder: fixture.recorder)
        delegate.onVerify = { manager, transactions in manager.transaction(transactions[0], didVerify: true) }
        let token = fixture.manager.purchase(.sample(), delegate: delegate)
        await fixture.report(.purchaseDeferred(for: token))
        let approval = StoreTransaction.sample("1", for: fixture.backend.payments[0], at: .start + 3600)
        for _ in 1...2 { await fixture.answer(carriesToken ? token : nil, with: approval) }
        #expect(
            fixture.lines == [
                "store purchase coins", "d defer \(token)", "d verify 1 \(token)", "d success 1 \(token)",
                "store finish 1", "store finish 1",
            ])
        #expect(!fixture.manager.isPending(token))
        withExtendedLifetime(delegate) {}
    }

    @Test("D02 declined it fails once where the store tells, and a later purchase is not taken for its approval")
    func declined() async {
        let fixture = fixture()
        let first = fixture.manager.purchase(.sample(), handlers: fixture.recorder.purchaseHandlers("a"))
        let second = fixture.manager.purchase(.sample(), handlers: fixture.recorder.purchaseHandlers("b"))
        await fixture.report(.purchaseDeferred(for: first), .purchaseDeferred(for: second))
        for _ in 1...2 { await fixture.report(.purchaseEnded(.productUnavailable(), for: first)) }
        #expect(fixture.recorder.lines(of: "a") == ["a defer", "a failure - productUnavailable"])
        #expect(!fixture.manager.isPending(first))

        await fixture.answer(nil, with: .sample("1", at: .start + 60))
        #expect(fixture.recorder.lines(of: "b") == ["b defer", "b success 1"])
        #expect(fixture.recorder.lines(of: "default") == [])
    }

    @Test("D02 where the store never tells of a decline the token stays pending until it is cancelled")
    func cancelled() async {
        let fixture = fixture()
        let token = fixture.manager.purchase(.sample(), handlers: fixture.recorder.purchaseHandlers("a"))
        await fixture.report(.purchaseDeferred(for: token))
        fixture.manager.cancel(token)
        #expect(!fixture.manager.isPending(token))
        // Approved all the same.
        await fixture.answer(nil, with: .sample("1", at: .start + 60))
        #expect(
            fixture.lines == ["store purchase coins", "a defer", "default success 1", "store finish 1"])
    }

    @Test("D02 once a deferred purchase is cancelled the approval goes to the next one of the product")
    func cancelledBefore() async {
        let fixture = fixture()
        let first = fixture.manager.purchase(.sample(), handlers: fixture.recorder.purchaseHandlers("a"))
        let second = fixture.manager.purchase(.sample(), handlers: fixture.recorder.purchaseHandlers("b"))
        await fixture.report(.purchaseDeferred(for: first), .purchaseDeferred(for: second))
        fixture.manager.cancel(first)
        await fixture.answer(nil, with: .sample("1", at: .start + 60))
        #expect(fixture.recorder.lines(of: "b") == ["b defer", "b success 1"])
        #expect(fixture.recorder.lines(of: "a") == ["a defer"])
    }

    @Test(
        "D04 what came before the purchase was deferred is not its approval, though it waits for a restore, or has a new word"
    )
    func before() async {
        let fixture = fixture()
        let token = fixture.manager.purchase(.sample(), handlers: fixture.recorder.purchaseHandlers("a"))
        let restore = fixture.manager.restorePurchases(onSuccess: nil)
        for _ in 1...2 { await fixture.answer(nil, with: .sample("1")) }
        await fixture.report(.purchaseDeferred(for: token))
        await fixture.answer(nil, with: .sample("1"))
        await fixture.report(.restoreFinished(for: restore))
        let refund = StoreTransaction.sample("1").with(\.signedDate, .start + 1).with(\.revocationDate, .start)
        await fixture.answer(nil, with: refund)
        await fixture.answer(nil, with: .sample("1").with(\.signedDate, .start + 2))
        #expect(fixture.recorder.lines(of: "a") == ["a defer"])
        #expect(
            fixture.recorder.lines(of: "default") == ["default success 1", "default revoke 1", "default success 1"])
    }

    @Test("D04 an approval goes to the oldest pending purchase of its product and account token")
    func oldest() async {
        let fixture = fixture()
        let account = UUID()
        let names = ["a", "b", "c", "d"]
        let options = [PurchaseOptions(), .init(), .init(appAccountToken: account), .init()]
        let products = ["coins", "coins", "coins", "gems"]
        let tokens = zip(names, zip(products, options)).map { name, purchase in
            fixture.manager.purchase(
                .sample(purchase.0), options: purchase.1, handlers: fixture.recorder.purchaseHandlers(name))
        }
        // The order in which they are deferred does not matter.
        for token in tokens.reversed() { await fixture.report(.purchaseDeferred(for: token)) }
        fixture.recorder.clear()

        let approvals = [
            StoreTransaction.sample("1", of: "gems"), .sample("2"), .sample("3").with(\.appAccountToken, account),
            .sample("4"), .sample("5"),
        ]
        // Each is repeated, which answers nobody else.
        for approval in approvals {
            for _ in 1...2 { await fixture.answer(nil, with: approval.with(\.purchaseDate, .start + 60)) }
        }
        let successes = fixture.lines.filter { $0.contains("success") }
        #expect(successes == ["d success 1", "a success 2", "c success 3", "b success 4", "default success 5"])
    }

    /// What approves nothing.
    enum Stranger: CaseIterable, Sendable {
        case before, renewal, revoked, family, otherAccount, otherProduct, restored

        var transaction: StoreTransaction {
            let approval = StoreTransaction.sample("1", at: .start + 60)
            return switch self {
            case .before: approval.with(\.purchaseDate, .start - 301)
            case .renewal: approval.with(\.reason, .renewal)
            case .revoked: approval.with(\.revocationDate, .start + 61)
            case .family: approval.with(\.ownership, .familyShared)
            case .otherAccount: approval.with(\.appAccountToken, UUID())
            case .otherProduct: approval.with(\.productIdentifier, "gems")
            case .restored: approval.with(\.state, .restored)
            }
        }
    }

    @Test("D04 what was not bought after the request, by this account, approves nothing", arguments: Stranger.allCases)
    func strangers(stranger: Stranger) async {
        let fixture = fixture()
        let token = fixture.manager.purchase(.sample(), handlers: fixture.recorder.purchaseHandlers("a"))
        await fixture.report(.purchaseDeferred(for: token))
        await fixture.answer(nil, with: stranger.transaction)
        #expect(fixture.recorder.lines(of: "a") == ["a defer"])
        #expect(fixture.recorder.lines(of: "default").count == 1)
        #expect(fixture.manager.isPending(token))
    }

    @Test("D04 the async form returns deferred at once, and the approval goes to the default receiver under its token")
    func awaited() async throws {
        let fixture = fixture()
        let delegate = RecordingDelegate("d", recorder: fixture.recorder)
        delegate.onVerify = { manager, transactions in manager.transaction(transactions[0], didVerify: true) }
        fixture.manager.defaultDelegate = delegate
        fixture.backend.answer = { command in
            if case .purchase(let payment) = command { return [.purchaseDeferred(for: payment.token)] }
            return command.finishedAtOnce
        }
        guard case .deferred(let token) = try await fixture.manager.purchase(.sample()) else {
            Issue.record("not deferred")
            return
        }
        #expect(fixture.manager.isPending(token))
        await fixture.answer(nil, with: .sample("1", at: .start + 60))
        #expect(fixture.recorder.lines(of: "d") == ["d verify 1 \(token)", "d success 1 \(token)"])
        #expect(!fixture.manager.isPending(token))
        withExtendedLifetime(delegate) {}
    }
}

/// A delegate with the required methods only.
@MainActor
private final class QuietDelegate: PurchaseDelegate {
    private let recorder: Recorder

    init(recorder: Recorder) { self.recorder = recorder }

    func storeManager(_ manager: StoreManager, didSucceed transaction: StoreTransaction, for token: RequestToken) {
        recorder.record("quiet success \(transaction.id)")
    }

    func storeManager(
        _ manager: StoreManager, didFail transaction: StoreTransaction?, with error: StoreError, for token: RequestToken
    ) {
        recorder.record("quiet failure \(error.name)")
    }
}
