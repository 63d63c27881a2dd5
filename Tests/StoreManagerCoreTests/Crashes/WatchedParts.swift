import Foundation
import StoreManagerCore
import StoreSimulator

/// A simulated store, watched: each command, and each report.
@MainActor
final class WatchedStore: StoreBackend, StoreBackendObserver {
    private let store: SimulatedStore
    private let watch: DiskWatch
    private weak var observer: (any StoreBackendObserver)?

    init(_ store: SimulatedStore, watch: DiskWatch) {
        self.store = store
        self.watch = watch
    }

    var capabilities: StoreBackendCapabilities { store.capabilities }
    var canMakePayments: Bool { store.canMakePayments }
    var storefront: StoreStorefront? { store.storefront }

    func startObserving(_ observer: any StoreBackendObserver) {
        self.observer = observer
        command("startObserving") { store.startObserving(self) }
    }

    func stopObserving(_ observer: any StoreBackendObserver) {
        command("stopObserving") { store.stopObserving(self) }
    }

    func fetchProducts(withIdentifiers identifiers: [String], for token: RequestToken) {
        command("fetchProducts") { store.fetchProducts(withIdentifiers: identifiers, for: token) }
    }

    func add(_ payment: StorePayment) { command("add") { store.add(payment) } }

    func restorePurchases(applicationUsername: String?, for token: RequestToken) {
        command("restorePurchases") { store.restorePurchases(applicationUsername: applicationUsername, for: token) }
    }

    func finish(_ transaction: StoreTransaction) { command("finish") { store.finish(transaction) } }

    func readCurrentEntitlements(for token: RequestToken) {
        command("readCurrentEntitlements") { store.readCurrentEntitlements(for: token) }
    }

    func receiptData() -> Data? { store.receiptData() }

    func refreshReceipt(for token: RequestToken) { command("refreshReceipt") { store.refreshReceipt(for: token) } }

    func perform(_ command: StoreDownloadCommand, on downloads: [StoreDownload]) {
        self.command("\(command)") { store.perform(command, on: downloads) }
    }

    func storeBackend(_ backend: any StoreBackend, didReport event: StoreBackendEvent) {
        watch.look("the store reports \(event)")
        observer?.storeBackend(self, didReport: event)
    }

    private func command(_ name: String, _ perform: () -> Void) {
        watch.look("before the command \(name)")
        perform()
        watch.look("after the command \(name)")
    }
}

/// A ledger, watched: before it is opened, and when it is written.
struct WatchedPersistence: TransactionPersistence {
    let ledger: any TransactionPersistence
    let watch: DiskWatch

    func withLedger<Result: Sendable>(_ body: @Sendable (inout Ledger) throws -> Result) async throws -> Result {
        await watch.look("before the ledger is opened")
        let result = try await ledger.withLedger(body)
        await watch.look("after the ledger was written")
        return result
    }
}

/// A verifier, watched.
struct WatchedVerifier: TransactionVerifier {
    let verdict: @Sendable (StoreTransaction) -> VerificationVerdict
    let watch: DiskWatch

    func verify(_ transaction: StoreTransaction) async -> VerificationVerdict {
        await watch.look("before the verdict")
        return verdict(transaction)
    }
}

/// A downloader, watched; it fails for the transactions that it is told to fail for.
struct WatchedDownloader: ContentDownloader {
    let isFailing: @Sendable (StoreTransaction) -> Bool
    let watch: DiskWatch

    func download(
        for transaction: StoreTransaction, progress: @escaping @Sendable (Double) -> Void
    ) async throws {
        progress(0.5)
        await watch.look("in the middle of a download")
        if isFailing(transaction) { throw CocoaError(.fileReadUnknown) }
        progress(1)
    }
}
