import Foundation
import StoreManagerCore
import TestSupport
import Testing

/// V10: to whom a success goes, and that it goes there once.
@MainActor
struct ReceiverTests {
    /// Who could receive a success.
    enum Receiver: String, CaseIterable, Sendable {
        case ownClosures, ownDelegate, awaited, defaultClosures, defaultDelegate
    }

    @Test(
        "V10 after a valid verdict, ledger and download there is exactly one receiver, called once",
        arguments: Receiver.allCases, [StoreTransactionState.purchased, .restored])
    func oneReceiver(receiver: Receiver, state: StoreTransactionState) async throws {
        let fixture = ManagerFixture()
        let (manager, recorder) = (fixture.manager, fixture.recorder)
        fixture.backend.answer = { $0.finishedAtOnce }
        manager.persistence = TestPersistence(recorder: recorder)
        manager.contentDownloader = TestDownloader(recorder: recorder)
        // All that could receive is there; the default delegate goes before the default closures.
        manager.verifier = TestVerifier(recorder: recorder)
        manager.defaultHandlers = recorder.purchaseHandlers("defaultClosures")
        let defaultDelegate = NamedDelegate("defaultDelegate", recorder)
        let ownDelegate = NamedDelegate("ownDelegate", recorder)
        if receiver != .defaultClosures { manager.defaultDelegate = defaultDelegate }
        var task: Task<Void, any Error>?
        switch receiver {
        case .ownClosures: manager.purchase(.sample(), handlers: recorder.purchaseHandlers("ownClosures"))
        case .ownDelegate: manager.purchase(.sample(), delegate: ownDelegate)
        case .awaited:
            task = Task {
                _ = try await manager.purchase(.sample())
                recorder.record("awaited success 1")
            }
            await fixture.backend.firstPayment()
        case .defaultClosures, .defaultDelegate: break
        }
        await manager.settle()
        recorder.clear()
        fixture.backend.answer = { $0.finishedAtOnce }
        let token = fixture.backend.payments.first?.token
        for _ in 1...2 { await fixture.answer(token, with: .sample(state: state)) }
        await fixture.answer(nil, with: .sample(state: state))
        try await task?.value
        let kind = state == .restored && receiver != .awaited ? "restore" : "success"
        let received = recorder.lines.filter { $0.hasSuffix(" success 1") || $0.hasSuffix(" restore 1") }
        #expect(received == ["\(receiver) \(kind) 1"])
        let before = recorder.lines.prefix { $0 != received.first && !$0.hasPrefix("store") }
        #expect(Array(before.prefix(3)) == ["verifier 1", "ledger write 1", "download 1"])
        withExtendedLifetime((defaultDelegate, ownDelegate)) {}
    }
}

/// A delegate that records under a name.
@MainActor
private final class NamedDelegate: PurchaseDelegate {
    private let name: String
    private let recorder: Recorder

    init(_ name: String, _ recorder: Recorder) {
        self.name = name
        self.recorder = recorder
    }

    func storeManager(_ manager: StoreManager, didSucceed transaction: StoreTransaction, for token: RequestToken) {
        recorder.record("\(name) success \(transaction.id)")
    }

    func storeManager(_ manager: StoreManager, didRestore transaction: StoreTransaction, for token: RequestToken) {
        recorder.record("\(name) restore \(transaction.id)")
    }

    func storeManager(
        _ manager: StoreManager, didFail transaction: StoreTransaction?, with error: StoreError, for token: RequestToken
    ) {
        recorder.record("\(name) failure \(error.name)")
    }
}
