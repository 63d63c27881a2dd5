import Foundation
import StoreManagerCore
import TestSupport
import Testing

/// Transactions that nobody asked for.
@MainActor
struct UnaskedTransactionTests {
    private let fixture = ManagerFixture()

    init() { fixture.backend.answer = { $0.finishedAtOnce } }

    private func events(_ count: Int, of stream: AsyncStream<StoreEvent>) async -> [StoreEvent] {
        var events: [StoreEvent] = []
        for await event in stream {
            events.append(event)
            if events.count == count { break }
        }
        return events
    }

    @Test("U01 what was left unfinished waits, before verification, until there is a default receiver, however late")
    func waiting() async {
        fixture.manager.verifier = TestVerifier(recorder: fixture.recorder)
        let old = ["1", "2", "3"].map { StoreTransaction.sample($0) }
        for _ in 1...2 {
            await fixture.report(.transactionsUpdated(old.map { StoreTransactionUpdate($0) }))
        }
        await fixture.advance(by: 1_000_000)
        #expect(fixture.lines == [])

        fixture.manager.defaultHandlers = fixture.recorder.purchaseHandlers("default")
        #expect(fixture.lines == [])
        await fixture.manager.settle()
        #expect(fixture.recorder.lines(of: "verifier").sorted() == ["verifier 1", "verifier 2", "verifier 3"])
        #expect(
            fixture.recorder.lines(of: "default").sorted()
                == ["default success 1", "default success 2", "default success 3"])
        #expect(fixture.backend.finished.sorted() == ["1", "2", "3"])

        // Another one changes nothing.
        fixture.recorder.clear()
        fixture.manager.defaultHandlers = fixture.recorder.purchaseHandlers("another")
        await fixture.manager.settle()
        #expect(fixture.lines == [])
    }

    @Test("U01 that something waits with nobody to receive it is reported once, as an event")
    func reported() async {
        let stream = fixture.manager.events
        for _ in 1...3 { await fixture.answer(nil, with: .sample("1")) }
        fixture.manager.retryPendingVerifications()
        // A receiver that cannot receive a success is none.
        fixture.manager.defaultHandlers = PurchaseHandlers(onFailure: { _, _ in })
        await fixture.manager.settle()
        fixture.manager.defaultHandlers = fixture.recorder.purchaseHandlers("default")
        await fixture.manager.settle()
        let names = await events(6, of: stream).map { event in
            switch event {
            case .transactionsUpdated: "updated"
            case .transactionWaiting(let transaction, let token): "waiting \(transaction.id) \(token)"
            case .transactionFinished: "finished"
            case .purchased(let transaction, let token): "purchased \(transaction.id) \(token)"
            default: "\(event)"
            }
        }
        #expect(
            names == ["updated", "waiting 1 update-1", "updated", "updated", "finished", "purchased 1 update-1"])
    }

    /// How a transaction comes that nobody asked for.
    enum Arrival: CaseIterable, Sendable {
        case renewal, offerCode, otherDevice, promoted, endedRequest, unknownToken

        @MainActor func transaction(_ fixture: ManagerFixture) -> (StoreTransaction, RequestToken?) {
            let transaction = StoreTransaction.sample("1", of: "pro", .autoRenewable)
            return switch self {
            case .renewal: (transaction.with(\.reason, .renewal).with(\.originalID, "0"), nil)
            case .offerCode: (transaction.with(\.offer, StoreRedeemedOffer(id: "spring", type: .code)), nil)
            case .otherDevice, .promoted: (transaction, nil)
            case .endedRequest: (transaction, endedRequest(fixture))
            case .unknownToken: (transaction, RequestToken(kind: .purchase, number: 77))
            }
        }

        @MainActor private func endedRequest(_ fixture: ManagerFixture) -> RequestToken {
            let token = fixture.manager.purchase(.sample("pro", .autoRenewable), onSuccess: nil)
            fixture.backend.report(.purchaseEnded(.cancelled(), for: token))
            return token
        }
    }

    @Test("U02 each goes to the default receiver, once, under a token of its own", arguments: Arrival.allCases)
    func arrivals(arrival: Arrival) async {
        let delegate = RecordingDelegate("d", recorder: fixture.recorder)
        let (transaction, token) = arrival.transaction(fixture)
        await fixture.manager.settle()
        delegate.onVerify = { manager, transactions in manager.transaction(transactions[0], didVerify: true) }
        fixture.manager.defaultDelegate = delegate
        // A purchase of the same product that is under way has nothing to do with it.
        fixture.manager.purchase(
            .sample("pro", .autoRenewable), handlers: fixture.recorder.purchaseHandlers("a"))
        for _ in 1...2 { await fixture.answer(token, with: transaction) }
        await fixture.answer(nil, with: transaction.with(\.id, "2"))

        let lines = fixture.recorder.lines(of: "d")
        let tokens = lines.compactMap { $0.split(separator: " ").last }
        #expect(
            lines.map { $0.split(separator: " ").prefix(3).joined(separator: " ") }
                == ["d verify 1", "d success 1", "d verify 2", "d success 2"])
        #expect(tokens.allSatisfy { $0.hasPrefix("update-") })
        #expect(tokens.count == 4 && tokens[0] == tokens[1] && tokens[2] == tokens[3] && tokens[1] != tokens[2])
        #expect(fixture.recorder.lines(of: "a") == [])
        withExtendedLifetime(delegate) {}
    }

    @Test("U02 the default delegate goes before the default handlers, who receive when it is gone")
    func precedence() async {
        fixture.manager.defaultHandlers = fixture.recorder.purchaseHandlers("handlers")
        var delegate: RecordingDelegate? = RecordingDelegate("d", recorder: fixture.recorder)
        delegate?.onVerify = { manager, transactions in manager.transaction(transactions[0], didVerify: true) }
        fixture.manager.defaultDelegate = delegate
        await fixture.answer(nil, with: .sample("1"))
        delegate = nil
        await fixture.answer(nil, with: .sample("2"))
        #expect(fixture.recorder.lines(of: "handlers") == ["handlers success 2"])
        #expect(fixture.recorder.lines(of: "d").count == 2)
    }

    @Test("U02 a default delegate that is released before the delivery leaves the transaction to the next")
    func released() async {
        var delegate: RecordingDelegate? = RecordingDelegate("d", recorder: fixture.recorder)
        fixture.manager.defaultDelegate = delegate
        await fixture.answer(nil, with: .sample("1"))
        delegate = nil
        #expect(fixture.manager.transaction(.sample("1"), didVerify: true))
        await fixture.manager.settle()
        #expect(fixture.backend.finished == [])
        fixture.manager.defaultHandlers = fixture.recorder.purchaseHandlers("handlers", verifies: true)
        await fixture.manager.settle()
        #expect(fixture.recorder.lines(of: "handlers") == ["handlers success 1"])
        #expect(fixture.backend.finished == ["1"])
    }

    @Test(
        "U02 what comes with a failed payment that nobody asked for is told to the default receiver, once, and finished"
    )
    func failed() async {
        fixture.manager.defaultHandlers = fixture.recorder.purchaseHandlers("default")
        let failed = StoreTransaction.sample("1", state: .failed)
        for _ in 1...2 {
            await fixture.report(.transactionsUpdated([StoreTransactionUpdate(failed, error: .productUnavailable())]))
        }
        #expect(fixture.recorder.lines(of: "default") == ["default failure 1 productUnavailable"])
        #expect(fixture.backend.finished == ["1"])
    }

    /// What may be the very first call on a manager.
    enum FirstCall: CaseIterable, Sendable { case purchase, restore }

    @Test(
        "U05 a purchase or a restore may be the first call, and what the store answers at once is not missed",
        arguments: FirstCall.allCases)
    func firstCall(call: FirstCall) async {
        fixture.backend.answer = { command in
            switch command {
            case .purchase(let payment):
                [.transactionsUpdated([StoreTransactionUpdate(.sample("1"), token: payment.token)])]
            case .restore(_, let token):
                [
                    .transactionsUpdated([StoreTransactionUpdate(.sample("1", state: .restored), token: token)]),
                    .restoreFinished(for: token),
                ]
            default: command.finishedAtOnce
            }
        }
        switch call {
        case .purchase: fixture.manager.purchase(.sample(), handlers: fixture.recorder.purchaseHandlers("a"))
        case .restore: fixture.manager.restorePurchases(handlers: fixture.recorder.restoreHandlers("a"))
        }
        #expect(fixture.recorder.lines(of: "a") == [])
        await fixture.manager.settle()
        let expected: [FirstCall: String] = [
            .purchase: "a success 1", .restore: "a restored [1] invalid [] undecided []",
        ]
        #expect(fixture.recorder.lines(of: "a") == [expected[call]])
        #expect(fixture.backend.finished == ["1"])
    }
}
