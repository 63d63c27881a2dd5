import Foundation
import StoreManagerCore
import StoreSimulator

/// A process's door to the store. When the process has ended nothing goes through it any more, whatever is left of the process
/// in this one still does.
@MainActor
final class ProcessDoor: StoreBackend, StoreBackendObserver {
    private let store: SimulatedStore
    private weak var observer: (any StoreBackendObserver)?
    private(set) var isShut = false
    /// Hears of every transaction that the store reports.
    var onReport: ((StoreTransaction) -> Void)?

    init(to store: SimulatedStore) { self.store = store }

    func shut() { isShut = true }

    var capabilities: StoreBackendCapabilities { store.capabilities }
    var canMakePayments: Bool { store.canMakePayments }
    var storefront: StoreStorefront? { store.storefront }

    func startObserving(_ observer: any StoreBackendObserver) {
        self.observer = observer
        pass { store.startObserving(self) }
    }

    func stopObserving(_ observer: any StoreBackendObserver) { pass { store.stopObserving(self) } }

    func fetchProducts(withIdentifiers identifiers: [String], for token: RequestToken) {
        pass { store.fetchProducts(withIdentifiers: identifiers, for: token) }
    }

    func add(_ payment: StorePayment) { pass { store.add(payment) } }

    func restorePurchases(applicationUsername: String?, for token: RequestToken) {
        pass { store.restorePurchases(applicationUsername: applicationUsername, for: token) }
    }

    func finish(_ transaction: StoreTransaction) { pass { store.finish(transaction) } }

    func readCurrentEntitlements(for token: RequestToken) { pass { store.readCurrentEntitlements(for: token) } }

    func receiptData() -> Data? { store.receiptData() }

    func refreshReceipt(for token: RequestToken) { pass { store.refreshReceipt(for: token) } }

    func perform(_ command: StoreDownloadCommand, on downloads: [StoreDownload]) {
        pass { store.perform(command, on: downloads) }
    }

    func storeBackend(_ backend: any StoreBackend, didReport event: StoreBackendEvent) {
        pass {
            if case .transactionsUpdated(let updates) = event { updates.forEach { onReport?($0.transaction) } }
            observer?.storeBackend(self, didReport: event)
        }
    }

    private func pass(_ body: () -> Void) { if !isShut { body() } }
}
