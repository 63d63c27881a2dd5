import Foundation
import StoreManagerCore
import TestSupport
import Testing

/// U04, L01, L02, M03: downloads that do not go on to their end.
@MainActor
@Suite(.timeLimit(.minutes(20)))
struct EndedDownloadTests {
    private let fixture = ManagerFixture()
    private let persistence = MemoryPersistence()

    init() {
        fixture.backend.answer = { $0.finishedAtOnce }
        fixture.manager.persistence = persistence
        fixture.manager.defaultHandlers = fixture.recorder.purchaseHandlers("default")
    }

    private var manager: StoreManager { fixture.manager }
    private var recorder: Recorder { fixture.recorder }

    /// Where the content comes from, and what it waits for.
    enum Content: CaseIterable, Sendable { case own, hosted }

    /// How the transaction came.
    enum Origin: CaseIterable, Sendable { case purchase, unasked, restore }

    private func bought(_ id: String = "1", content: Content = .hosted) -> StoreTransaction {
        var transaction = StoreTransaction.sample(id, of: "p\(id)", .nonConsumable).with(\.signedDate, .start)
        if content == .hosted {
            transaction.downloads = ["x", "y"].map { StoreDownload(id: $0, transactionID: id) }
        }
        return transaction
    }

    private func takenBack(_ transaction: StoreTransaction) -> StoreTransaction {
        transaction.with(\.revocationDate, .start + 1).with(\.signedDate, .start + 1)
    }

    private func report(_ transactions: StoreTransaction..., for token: RequestToken? = nil) {
        fixture.backend.report(
            .transactionsUpdated(transactions.map { StoreTransactionUpdate($0, token: token) }))
    }

    private func report(_ states: [String: StoreDownload.State], of id: String = "1") {
        fixture.backend.report(
            .downloadsUpdated(
                states.sorted { $0.key < $1.key }.map {
                    StoreDownload(id: $0.key, transactionID: id, state: $0.value)
                }))
    }

    /// Takes a transaction as far as its content, which does not come.
    private func begin(_ content: Content, _ origin: Origin) async -> Gate {
        let gate = Gate()
        if content == .own { manager.contentDownloader = SlowDownloader(recorder: recorder, gate: gate) }
        switch origin {
        case .purchase:
            let token = manager.purchase(.sample("p1", .nonConsumable), handlers: recorder.purchaseHandlers("a"))
            await manager.settle()
            report(bought(content: content), for: token)
        case .unasked:
            report(bought(content: content))
        case .restore:
            let token = manager.restorePurchases(handlers: recorder.restoreHandlers("r"))
            report(bought(content: content), for: token)
            fixture.backend.report(.restoreFinished(for: token))
        }
        switch content {
        case .own:
            await recorder.wait(for: "download 1")
        case .hosted:
            await manager.settle()
            report(["x": .finished, "y": .paused])
            await manager.settle()
        }
        return gate
    }

    @Test(
        "U04 a refund is written and told at once though the content never comes, and that is not fetched any more",
        arguments: Content.allCases, Origin.allCases)
    func refund(content: Content, origin: Origin) async throws {
        let gate = await begin(content, origin)
        #expect(try await persistence.isPurchased("p1"))
        report(takenBack(bought(content: content)))
        await recorder.wait(for: "default revoke 1")
        await recorder.wait(for: content == .own ? "cancelled 1" : "store cancel [y]")
        gate.open()
        report(["y": .cancelled])
        await manager.settle()

        #expect(try await persistence.isPurchased("p1") == false)
        #expect(recorder.lines(of: "default") == ["default revoke 1"])
        #expect(recorder.lines(of: "a") == (origin == .purchase ? ["a failure 1 verificationFailed"] : []))
        #expect(recorder.lines(of: "r") == (origin == .restore ? ["r restored [] invalid [] undecided []"] : []))
        #expect(fixture.backend.finished == ["1"])
        #expect(recorder.lines.filter { $0.contains("cancel") }.count == 1)
    }

    @Test(
        "U04 L01 L02 when the refund is reversed while nobody is there, what is still missing is fetched, once",
        arguments: Content.allCases)
    func reversed(content: Content) async throws {
        let gate = await begin(content, .unasked)
        manager.defaultHandlers = nil
        let stream = manager.events
        if content == .own { recorder.clear() }
        report(takenBack(bought(content: content)))
        for await event in stream { if case .transactionWaiting = event { break } }
        report(bought(content: content).with(\.signedDate, .start + 2))
        manager.defaultHandlers = recorder.purchaseHandlers("default")
        switch content {
        case .own:
            await recorder.wait(for: "download 1")
        case .hosted:
            await manager.settle()
            #expect(
                recorder.lines(of: "store").filter { $0.hasPrefix("store start") } == [
                    "store start [x, y]", "store start [y]",
                ])
            report(["y": .finished])
        }
        #expect(recorder.lines(of: "default") == [])
        gate.open()
        await manager.settle()
        #expect(recorder.lines(of: "default") == ["default success 1"])
        #expect(fixture.backend.finished == ["1"])
    }

    @Test("U04 R01 a refund of what waits for the content of others is told at once, and not restored after that")
    func refundOfGathered() async throws {
        let token = manager.restorePurchases(handlers: recorder.restoreHandlers("r"))
        report(bought("1", content: .own), bought("2"), for: token)
        await fixture.report(.restoreFinished(for: token))
        report(takenBack(bought("1", content: .own)))
        await manager.settle()
        #expect(recorder.lines(of: "default") == ["default revoke 1"])
        #expect(recorder.lines(of: "r") == [])
        #expect(try await persistence.isPurchased("p1") == false)
        report(["x": .finished, "y": .finished], of: "2")
        await manager.settle()
        #expect(recorder.lines(of: "r") == ["r restored [2] invalid [] undecided []"])
        #expect(fixture.backend.finished == ["1", "2"])
    }

    @Test("U04 a refund that came before its content began to be fetched is told as soon as that begins")
    func refundWhileVerifying() async throws {
        let handlers = recorder.purchaseHandlers("a", verifies: true)
        let token = manager.purchase(.sample("p1", .nonConsumable), handlers: handlers)
        await manager.settle()
        report(bought(), for: token)
        await manager.settle()
        report(takenBack(bought()))
        await manager.settle()
        #expect(fixture.handlerLines == ["a verify 1"])
        manager.transaction(bought(), didVerify: true)
        await manager.settle()
        #expect(fixture.handlerLines == ["a verify 1", "a failure 1 verificationFailed", "default revoke 1"])
        #expect(recorder.lines.contains("store cancel [x, y]"))
        #expect(try await persistence.isPurchased("p1") == false)
    }

    @Test("U04 V08 what the store's own library does not trust takes nothing away from a download")
    func untrustedRefund() async throws {
        _ = await begin(.hosted, .purchase)
        report(takenBack(bought()).with(\.storeVerification, .unverified(reason: "a test")))
        await manager.settle()
        #expect(fixture.handlerLines == [])
        report(["y": .finished])
        await manager.settle()
        #expect(fixture.handlerLines.first == "a success 1")
    }

    @Test("L01 the app can cancel its content downloader: the failure is told once, and it is tried again")
    func cancelledByTheApp() async {
        let gate = await begin(.own, .purchase)
        manager.cancelContentDownload(of: bought("2"))
        manager.cancelContentDownload(of: bought())
        await recorder.wait(for: "a failure 1 downloadCancelled")
        await manager.settle()
        manager.cancelContentDownload(of: bought())
        await manager.settle()
        #expect(fixture.backend.finished == [])
        gate.open()
        manager.retryPendingVerifications()
        await manager.settle()
        #expect(
            fixture.handlerLines == [
                "download 1", "cancelled 1", "a failure 1 downloadCancelled", "download 1", "default success 1",
            ])
        #expect(fixture.backend.finished == ["1"])
    }

    @Test(
        "P21 L01 cancelling the purchase cancels no download: the default receiver gets it", arguments: Content.allCases
    )
    func cancelledPurchase(content: Content) async {
        let gate = await begin(content, .purchase)
        manager.cancel(fixture.backend.payments[0].token)
        gate.open()
        report(["y": .finished])
        await manager.settle()
        #expect(fixture.handlerLines.last == "default success 1")
        #expect(recorder.lines.filter { $0.contains("cancel") } == [])
    }

    @Test("M03 a released manager cancels its content downloader")
    func released() async {
        let gate = Gate()
        let backend = ScriptedBackend()
        do {
            let manager = StoreManager(backend: backend, clock: fixture.clock)
            manager.contentDownloader = SlowDownloader(recorder: recorder, gate: gate)
            manager.defaultHandlers = recorder.purchaseHandlers("other")
            manager.startObserving()
            backend.report(.transactionsUpdated([StoreTransactionUpdate(bought(content: .own))]))
            await recorder.wait(for: "download 1")
        }
        await recorder.wait(for: "cancelled 1")
        gate.open()
        #expect(recorder.lines(of: "other") == [])
    }
}

/// Content that comes when a gate is opened, or fails with an error of its own when its task is cancelled.
private struct SlowDownloader: ContentDownloader {
    var recorder: Recorder
    var gate: Gate

    func download(
        for transaction: StoreTransaction, progress: @escaping @Sendable (Double) -> Void
    ) async throws {
        recorder.record("download \(transaction.id)")
        let (stream, end) = AsyncStream<Void>.makeStream()
        let opening = Task {
            await gate.pass()
            end.finish()
        }
        // A stream ends for whoever waits for it, too, when that task is cancelled.
        await withTaskCancellationHandler {
            for await _ in stream {}
        } onCancel: {
            recorder.record("cancelled \(transaction.id)")
        }
        if Task.isCancelled { throw SampleError() }
        await opening.value
    }
}
