import Foundation
import StoreManagerCore
import TestSupport
import Testing

/// S01, S04, S05: in which order things are done, and who finishes.
@MainActor
struct FinishingTests {
    private let fixture = ManagerFixture()

    /// Has the events of purchases recorded, as an observer and as a notification; to be kept alive.
    private func observe(_ fixture: ManagerFixture) -> PurchaseObserver {
        let observer = PurchaseObserver(fixture.recorder)
        fixture.manager.addObserver(observer)
        let center = NotificationCenter()
        _ = center.addObserver(forName: nil, object: nil, queue: nil) { [recorder = fixture.recorder] notification in
            if let line = notification.storeEvent?.purchaseLine { recorder.record("notification \(line)") }
        }
        fixture.manager.notificationCenter = center
        return observer
    }

    // MARK: The order

    @Test(
        "S01 verify, write, download, deliver, finish, event", arguments: [true, false],
        [StoreTransactionState.purchased, .restored])
    func order(isAsked: Bool, state: StoreTransactionState) async {
        let recorder = fixture.recorder
        fixture.manager.verifier = TestVerifier(recorder: recorder)
        fixture.manager.persistence = TestPersistence(recorder: recorder)
        fixture.manager.contentDownloader = RecordingDownloader(recorder: recorder)
        fixture.manager.defaultHandlers = recorder.purchaseHandlers("default")
        let observer = observe(fixture)
        defer { withExtendedLifetime(observer) {} }
        let token = fixture.manager.purchase(.sample(), handlers: recorder.purchaseHandlers("a"))
        await fixture.answer(isAsked ? token : nil, with: .sample(state: state))
        await fixture.report(.transactionFinished("1"))

        let kind = state == .restored ? "restore" : "success"
        #expect(
            fixture.lines.filter { !$0.hasPrefix("store purchase") && $0 != "store entitlements" } == [
                "verifier 1", "ledger write 1", "download 1", (isAsked ? "a " : "default ") + "\(kind) 1",
                "store finish 1", "event \(kind) 1", "notification \(kind) 1",
            ])
    }

    @Test("S01 the async form returns after the ledger wrote it")
    func awaitedOrder() async throws {
        let gate = Gate()
        let ledger = TestPersistence(recorder: fixture.recorder, gate: gate)
        fixture.manager.persistence = ledger
        fixture.backend.answer = { command in
            if case .purchase(let payment) = command { [StoreAnswer.purchased.event(for: payment)] } else { [] }
        }
        let task = Task {
            _ = try await fixture.manager.purchase(.sample())
            fixture.recorder.record("returned")
        }
        await gate.arrival()
        #expect(!fixture.lines.contains("returned"))
        gate.open()
        try await task.value
        await fixture.manager.settle()
        #expect(fixture.handlerLines == ["ledger write 1", "returned"])
    }

    // MARK: What failed

    @Test(
        "S05 a failed transaction is finished once, with a request, without one, and however often the store says so",
        arguments: [true, false], StoreManager.FinishingPolicy.allCases)
    func failed(isAsked: Bool, finishing: StoreManager.FinishingPolicy) async {
        let fixture = ManagerFixture(finishing: finishing)
        let token = fixture.manager.purchase(.sample(), handlers: fixture.recorder.purchaseHandlers("a"))
        for _ in 1...3 { await fixture.answer(isAsked ? token : nil, with: .sample(state: .failed)) }
        #expect(fixture.backend.finished == ["1"])
        #expect(fixture.handlerLines == (isAsked ? ["a failure 1 unknown"] : []))
        #expect(fixture.manager.isPending(token) == !isAsked)
    }

    @Test("S05 a failed transaction of a cancelled request is finished too")
    func failedAfterCancel() async {
        let token = fixture.manager.purchase(.sample(), handlers: fixture.recorder.purchaseHandlers("a"))
        fixture.manager.cancel(token)
        for _ in 1...2 { await fixture.answer(token, with: .sample(state: .failed)) }
        #expect(fixture.lines == ["store purchase coins", "store finish 1"])
    }

    // MARK: Finishing by the app

    @Test(
        "S04 where finishing is manual the manager finishes nothing that was bought; the app does, once",
        arguments: [StoreTransactionState.purchased, .restored], [true, false])
    func manual(state: StoreTransactionState, isAsked: Bool) async throws {
        let fixture = ManagerFixture(finishing: .manual)
        let observer = observe(fixture)
        defer { withExtendedLifetime(observer) {} }
        fixture.manager.defaultHandlers = fixture.recorder.purchaseHandlers("default")
        let token = fixture.manager.purchase(.sample(), handlers: fixture.recorder.purchaseHandlers("a"))
        let transaction = StoreTransaction.sample(state: state)
        for _ in 1...2 { await fixture.answer(isAsked ? token : nil, with: transaction) }
        await fixture.advance(by: 1000)
        let kind = state == .restored ? "restore" : "success"
        let delivered = [
            "store purchase coins", (isAsked ? "a" : "default") + " \(kind) 1", "event \(kind) 1",
            "notification \(kind) 1",
        ]
        #expect(fixture.lines == delivered)

        try fixture.manager.finish(transaction)
        await fixture.report(.transactionFinished("1"))
        #expect(fixture.lines == delivered + ["store finish 1"])
    }

    /// What the store says anew of a transaction that the app has and has not finished yet.
    enum Repetition: CaseIterable, Sendable { case verified, unverified, signedLater, entitlement }

    @Test(
        "S04 what the app is to finish is not finished by the manager because the store repeats it",
        arguments: Repetition.allCases, [true, false])
    func repeatedBeforeFinishing(repetition: Repetition, hasLedger: Bool) async throws {
        let fixture = ManagerFixture(finishing: .manual)
        fixture.backend.answer = { $0.finishedAtOnce }
        if hasLedger { fixture.manager.persistence = TestPersistence() }
        fixture.manager.defaultHandlers = fixture.recorder.purchaseHandlers("default")
        await fixture.answer(nil, with: .sample())
        var word = StoreTransaction.sample()
        switch repetition {
        case .verified: word.storeVerification = .verified
        case .unverified: word.storeVerification = .unverified(reason: "a test")
        case .signedLater: (word.signedDate, word.storeVerification) = (.start + 9, .verified)
        case .entitlement: word.state = .restored
        }
        for _ in 1...2 { await fixture.answer(nil, with: word) }
        await fixture.advance(by: 1_000)
        #expect(fixture.handlerLines == ["default success 1"])
        #expect(fixture.backend.finished == [])
        try fixture.manager.finish(word)
        await fixture.manager.settle()
        #expect(fixture.backend.finished == ["1"])
        // Once the app has finished it, the manager sees to it that the store stops repeating it.
        await fixture.answer(nil, with: word.with(\.storeVerification, .notChecked))
        #expect(fixture.backend.finished == ["1", "1"])
    }

    @Test(
        "S04 finishing what is not paid is an error and reaches no store",
        arguments: [StoreTransactionState.purchasing, .deferred, .scheduled], StoreManager.FinishingPolicy.allCases)
    func notFinishable(state: StoreTransactionState, finishing: StoreManager.FinishingPolicy) async {
        let fixture = ManagerFixture(finishing: finishing)
        let error = #expect(throws: StoreError.self) { try fixture.manager.finish(.sample(state: state)) }
        guard case .notFinishable(state) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        await fixture.manager.settle()
        #expect(fixture.lines == [])
    }

    @Test(
        "S04 what is not handed over yet is not finished, in either way",
        arguments: StoreManager.FinishingPolicy.allCases)
    func finishedTooEarly(finishing: StoreManager.FinishingPolicy) async throws {
        let fixture = ManagerFixture(finishing: finishing)
        let token = fixture.manager.purchase(
            .sample(), handlers: fixture.recorder.purchaseHandlers("a", verifies: true))
        await fixture.answer(token, with: .sample())
        try fixture.manager.finish(.sample())
        await fixture.manager.settle()
        #expect(fixture.backend.finished == [])
    }

    /// What may hold a transaction back, before it has a way of its own.
    enum Holder: CaseIterable, Sendable { case restore, purchase }

    @Test(
        "S03 S04 what is held back is not finished before it was verified, written down and handed over, whoever asks",
        arguments: Holder.allCases, StoreManager.FinishingPolicy.allCases)
    func finishedWhileHeldBack(holder: Holder, finishing: StoreManager.FinishingPolicy) async throws {
        let fixture = ManagerFixture(
            capabilities: StoreBackendCapabilities(tokenCarriage: .unlessDeferred), finishing: finishing)
        fixture.backend.answer = { $0.finishedAtOnce }
        fixture.manager.verifier = TestVerifier(recorder: fixture.recorder)
        fixture.manager.persistence = TestPersistence(recorder: fixture.recorder)
        fixture.manager.defaultHandlers = fixture.recorder.purchaseHandlers("default")
        var restore: RequestToken?
        switch holder {
        case .restore: restore = fixture.manager.restorePurchases(handlers: RestoreHandlers())
        case .purchase: fixture.manager.purchase(.sample(), handlers: PurchaseHandlers())
        }
        await fixture.answer(nil, with: .sample("9"))
        for _ in 1...2 { try fixture.manager.finish(.sample("9")) }
        await fixture.manager.settle()
        #expect(fixture.handlerLines == [])
        #expect(fixture.backend.finished == [])

        if let restore { await fixture.report(.restoreFinished(for: restore)) }
        await fixture.advance(by: 10)
        let isManual = finishing == .manual
        #expect(fixture.handlerLines == ["verifier 9", "ledger write 9", "default success 9"])
        #expect(fixture.backend.finished == (isManual ? [] : ["9"]))
        try fixture.manager.finish(.sample("9"))
        await fixture.manager.settle()
        #expect(fixture.backend.finished == (isManual ? ["9"] : ["9", "9"]))
    }

    @Test("S04 what an earlier run handed over can be finished by the app before the store reports it")
    func finishedFromAnEarlierRun() async throws {
        let fixture = ManagerFixture(finishing: .manual)
        fixture.manager.defaultHandlers = fixture.recorder.purchaseHandlers("default")
        try fixture.manager.finish(.sample())
        await fixture.answer(nil, with: .sample())
        #expect(fixture.lines == ["store finish 1", "store finish 1"])
    }

    @Test(
        "V03 S04 where finishing is manual a refused transaction is left to the app, which is told once",
        arguments: [true, false])
    func refused(finishes: Bool) async throws {
        let fixture = ManagerFixture(finishing: .manual)
        fixture.manager.verifier = TestVerifier { _ in .invalid(reason: "sample") }
        let token = fixture.manager.purchase(
            .sample("it", .nonConsumable), handlers: fixture.recorder.purchaseHandlers("a"))
        let transaction = StoreTransaction.sample("1", of: "it", .nonConsumable)
        await fixture.answer(token, with: transaction)
        await fixture.answer(nil, with: transaction)
        #expect(fixture.lines == ["store purchase it", "a failure 1 verificationFailed"])
        if finishes { try fixture.manager.finish(transaction) }
        await fixture.manager.settle()
        #expect(fixture.backend.finished == (finishes ? ["1"] : []))

        // It stays refused.
        let again = fixture.manager.purchase(
            .sample("it", .nonConsumable), handlers: fixture.recorder.purchaseHandlers("b"))
        await fixture.answer(again, with: transaction)
        #expect(fixture.handlerLines.last == "b failure 1 verificationFailed")
    }

    @Test("S04 a finish that hangs holds up nobody: neither other purchases nor the event, which comes after 10 s")
    func hangingFinish() async {
        let observer = observe(fixture)
        defer { withExtendedLifetime(observer) {} }
        for name in ["a", "b"] {
            let token = fixture.manager.purchase(.sample(name), handlers: fixture.recorder.purchaseHandlers(name))
            await fixture.answer(token, with: .sample(name, of: name))
        }
        #expect(fixture.handlerLines == ["a success a", "b success b"])
        await fixture.advance(by: 10)
        #expect(
            fixture.handlerLines.suffix(4) == [
                "event success a", "notification success a", "event success b", "notification success b",
            ])

        // The store's answer comes at last, and changes nothing.
        await fixture.report(.transactionFinished("a"))
        await fixture.answer(nil, with: .sample("a", of: "a"))
        #expect(fixture.handlerLines.count == 6)
    }
}

/// Records the events of purchases: `event success 1`.
@MainActor
private final class PurchaseObserver: StoreObserver {
    private let recorder: Recorder

    init(_ recorder: Recorder) { self.recorder = recorder }

    func storeManager(_ manager: StoreManager, didPublish event: StoreEvent) {
        if let line = event.purchaseLine { recorder.record("event \(line)") }
    }
}

extension StoreEvent {
    /// What a purchase's success says, as closures record it.
    fileprivate var purchaseLine: String? {
        switch self {
        case .purchased(let transaction, _): "success \(transaction.id)"
        case .restored(let transaction, _): "restore \(transaction.id)"
        default: nil
        }
    }
}

/// Content that is there at once.
private struct RecordingDownloader: ContentDownloader {
    var recorder: Recorder

    func download(for transaction: StoreTransaction, progress: @escaping @Sendable (Double) -> Void) async throws {
        recorder.record("download \(transaction.id)")
    }
}
