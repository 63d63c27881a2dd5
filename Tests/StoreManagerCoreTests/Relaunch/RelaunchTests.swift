import Foundation
import StoreManagerCore
import StoreSimulator
import TestSupport
import Testing

/// What goes on from one process to the next, over a store and a ledger's file that outlive them.
@MainActor
final class RelaunchTests {
    private let store = SimulatedStore(
        configuration: StoreConfiguration(products: [
            .init(id: "coins", type: .consumable, price: 1), .init(id: "theme", type: .nonConsumable, price: 5),
        ]))
    private let recorder = Recorder()
    private let folder: TemporaryFolder
    private var manager: StoreManager?

    init() throws { folder = try TemporaryFolder(inMemory: true) }

    private var ledgerURL: URL { folder.url.appending(path: "ledger") }
    private var ledger: FilePersistence { FilePersistence(url: ledgerURL) }
    private var defaultLines: [String] { recorder.lines(of: "default") }

    /// Ends the process that runs, and starts the next, by default with default handlers.
    private func launch(hasReceiver: Bool = true, verifier: (any TransactionVerifier)? = nil) -> StoreManager {
        store.relaunch()
        recorder.clear()
        let manager = StoreManager(backend: store, clock: store.clock)
        manager.persistence = ledger
        manager.verifier = verifier
        if hasReceiver { manager.defaultHandlers = recorder.purchaseHandlers("default") }
        self.manager = manager
        return manager
    }

    /// Returns when nothing happens any more as long as the clock stands.
    private func settle() async {
        var before = 0
        repeat {
            before = store.log.count
            await store.settle()
            await manager?.settle()
        } while store.log.count != before
    }

    private func pass(_ seconds: TimeInterval) async {
        await settle()
        store.clock.advance(by: seconds)
        await settle()
    }

    private func pendingContexts() async throws -> [String] {
        try await ledger.withLedger { try $0.pendingPurchases.map { try $0.context.decode(String.self) } }
    }

    // MARK: Waiting for somebody

    @Test("U01 what nobody receives waits from run to run, unverified, until somebody does; it is delivered once")
    func waits() async throws {
        try store.buyProduct(identifier: "coins")
        for _ in 1...3 {
            _ = launch(hasReceiver: false, verifier: TestVerifier(recorder: recorder))
            await pass(3_600)
            #expect(recorder.lines == [])
            #expect(store.unfinishedTransactions.count == 1)
        }
        manager?.defaultHandlers = recorder.purchaseHandlers("default")
        await settle()
        #expect(recorder.lines == ["verifier 1", "default success 1"])
        _ = launch()
        await settle()
        #expect(recorder.lines == [])
        #expect(try await ledger.count(of: "coins") == 1)
    }

    @Test(
        "V04 what nobody could decide on is asked about again at each launch, and when valid delivered and counted once"
    )
    func undecided() async throws {
        let offline = TestVerifier { _ in .unableToComplete(StoreError.network()) }
        let first = launch(verifier: offline)
        first.purchase(.sample(), handlers: recorder.purchaseHandlers("a"))
        await settle()
        #expect(recorder.lines == ["a failure 1 unableToCompleteVerification"])
        _ = launch(verifier: offline)
        await settle()
        #expect(recorder.lines == ["default failure 1 unableToCompleteVerification"])
        #expect(store.unfinishedTransactions.map(\.id) == ["1"])
        #expect(try await ledger.count(of: "coins") == 0)
        _ = launch(verifier: TestVerifier())
        await pass(400)
        #expect(recorder.lines == ["default success 1"])
        #expect(store.unfinishedTransactions == [])
        #expect(try await ledger.count(of: "coins") == 1)
    }

    @Test(
        "V07 a question that one process left open is asked again by the next, and answered there", arguments: [10, 70])
    func unanswered(seconds: TimeInterval) async throws {
        let first = launch()
        first.purchase(.sample(), handlers: recorder.purchaseHandlers("a", verifies: true))
        await pass(seconds)
        #expect(recorder.lines.first == "a verify 1")
        #expect(recorder.lines.contains("a failure 1 unableToCompleteVerification") == (seconds > 60))
        let next = launch(hasReceiver: false)
        next.defaultHandlers = recorder.purchaseHandlers("default", verifies: true)
        await settle()
        #expect(recorder.lines == ["default verify 1"])
        #expect(next.transaction(store.unfinishedTransactions[0], didVerify: true))
        await settle()
        #expect(recorder.lines == ["default verify 1", "default success 1"])
        #expect(store.unfinishedTransactions == [])
        #expect(try await ledger.count(of: "coins") == 1)
    }

    // MARK: Contexts

    /// Asks for a coin, which somebody has to approve.
    private func ask(_ context: String, account: UUID) async throws {
        store.buyer.nextAnswers = [.ask]
        launch().purchase(
            .sample(), options: PurchaseOptions(appAccountToken: account, context: try .init(encoding: context)),
            handlers: recorder.purchaseHandlers("a"))
        await settle()
        #expect(recorder.lines == ["a defer"], "\(store.log.map(\.description).joined(separator: "\n"))")
    }

    private func approveAll() throws {
        for waiting in store.allTransactions where waiting.pendingAskToBuyConfirmation {
            try store.approveAskToBuyTransaction(identifier: waiting.id)
        }
    }

    /// Default handlers that record the context.
    private var contextHandlers: PurchaseHandlers {
        PurchaseHandlers(onSuccess: { [recorder] transaction in
            let context = transaction.context.flatMap { try? $0.decode(String.self) }
            recorder.record("default \(transaction.id) \(context ?? "-")")
        })
    }

    @Test(
        "D03 approved after a relaunch, or between two, it is delivered once, with the context of its account",
        arguments: [true, false])
    func approved(isRunning: Bool) async throws {
        let accounts = [UUID(), UUID()]
        try await ask("shelf", account: accounts[0])
        store.clock.advance(by: 60)
        try await ask("cart", account: accounts[1])
        store.clock.advance(by: 3_600)
        if isRunning {
            launch(hasReceiver: false).defaultHandlers = contextHandlers
            await settle()
            try approveAll()
        } else {
            store.relaunch()
            try approveAll()
            launch(hasReceiver: false).defaultHandlers = contextHandlers
        }
        await settle()
        #expect(defaultLines.sorted() == ["default 1 shelf", "default 2 cart"])
        #expect(try await pendingContexts() == [])
        launch(hasReceiver: false).defaultHandlers = contextHandlers
        await settle()
        #expect(defaultLines == [])
    }

    @Test(
        "D03 a context that nobody claimed is struck out at the first launch more than 30 days later",
        arguments: [30, 31])
    func stale(days: Double) async throws {
        try await ask("shelf", account: UUID())
        store.clock.advance(by: days * 86_400)
        _ = launch()
        await settle()
        #expect(try await pendingContexts() == (days > 30 ? [] : ["shelf"]))
    }

    @Test("D03 a purchase without a context does not get the one of an earlier run's that nobody went on with")
    func laterPurchase() async throws {
        let account = UUID()
        try await ask("shelf", account: account)
        store.clock.advance(by: 60)
        let next = launch(hasReceiver: false)
        next.purchase(.sample(), options: PurchaseOptions(appAccountToken: account), handlers: contextHandlers)
        await settle()
        #expect(defaultLines == ["default 2 -"])
        #expect(try await pendingContexts() == ["shelf"])
    }

    // MARK: Content

    @Test("L01 content that could not be fetched is fetched at the next launch; delivered and counted once")
    func ownContent() async throws {
        let first = launch()
        first.contentDownloader = TestDownloader(failure: { _ in SampleError() })
        first.purchase(.sample(), handlers: recorder.purchaseHandlers("a"))
        await settle()
        #expect(recorder.lines == ["a failure 1 downloadFailed"])
        #expect(store.unfinishedTransactions.map(\.id) == ["1"])
        #expect(try await ledger.count(of: "coins") == 1)
        launch().contentDownloader = TestDownloader(recorder: recorder)
        await settle()
        #expect(recorder.lines == ["download 1", "default success 1"])
        #expect(store.unfinishedTransactions == [])
        #expect(try await ledger.count(of: "coins") == 1)
    }

    @Test("L02 hosted content goes on in the next process where it was; paused it waits, and all of it is one success")
    func hostedContent() async throws {
        store.hostedContent["theme"] = [HostedContent(id: "x"), HostedContent(id: "y", bytesPerSecond: 500_000)]
        launch().purchase(.sample("theme", .nonConsumable), handlers: recorder.purchaseHandlers("a"))
        await pass(5)
        #expect(recorder.lines == [])

        let next = launch()
        var downloads: [StoreDownload] = []
        next.queueHandlers.onDownloadsUpdated = { downloads += $0 }
        await pass(6)
        #expect(downloads.last { $0.id == "x" }?.state == .finished)
        let running = try #require(downloads.last { $0.id == "y" })
        #expect(running.state == .active && running.progress >= 0.5)
        next.perform(.pause, on: [running])
        await pass(100_000)
        #expect(downloads.last?.state == .paused)
        #expect(recorder.lines == [])
        next.perform(.resume, on: [running])
        await pass(20)
        #expect(recorder.lines == ["default success 1"])
        #expect(store.unfinishedTransactions == [])
        #expect(try await ledger.isPurchased("theme"))
    }

    @Test("L02 hosted content that fails is the purchase's failure; the next process fetches it")
    func hostedContentFails() async throws {
        store.hostedContent["theme"] = [HostedContent(id: "x")]
        store.faults[.downloads].isOffline = true
        launch().purchase(.sample("theme", .nonConsumable), handlers: recorder.purchaseHandlers("a"))
        await pass(10)
        store.faults[.downloads].isOffline = false
        await settle()
        #expect(recorder.lines == ["a failure 1 downloadFailed"])
        _ = launch()
        await pass(20)
        #expect(recorder.lines == ["default success 1"])
    }

    // MARK: Entitlements

    @Test(
        "T05 an app that is installed anew knows what is owned at its first launch; nobody is asked, nothing delivered")
    func installedAnew() async throws {
        launch().purchase(.sample("theme", .nonConsumable), handlers: recorder.purchaseHandlers("a"))
        await settle()
        try FileManager.default.removeItem(at: ledgerURL)
        let log = store.log.count
        _ = launch()
        await settle()
        #expect(try await ledger.isPurchased("theme"))
        #expect(recorder.lines == [])
        #expect(!store.log.dropFirst(log).contains { [.restore, .payment, .finish].contains($0.event) })
    }
}
