import Foundation
import StoreManagerCore

/// A store that answers everything inside the call, and sells a fixed list: it costs next to nothing itself.
@MainActor
final class ImmediateBackend: StoreBackend {
    let capabilities = StoreBackendCapabilities()
    let canMakePayments = true
    let storefront: StoreStorefront? = nil
    /// Whether payments are answered; if not, their requests stay pending.
    var answersPayments = true
    /// What a restore lists.
    var owned: [StoreTransaction] = []
    private var lastID = 0
    private weak var observer: (any StoreBackendObserver)?

    func startObserving(_ observer: any StoreBackendObserver) { self.observer = observer }

    func stopObserving(_ observer: any StoreBackendObserver) { self.observer = nil }

    func fetchProducts(withIdentifiers identifiers: [String], for token: RequestToken) {
        report(.productsFetched(identifiers.map(Self.product), for: token))
    }

    func add(_ payment: StorePayment) {
        guard answersPayments else { return }
        lastID += 1
        let transaction = StoreTransaction(
            id: "\(lastID)", productIdentifier: payment.product.id, productType: .consumable, state: .purchased,
            purchaseDate: .distantPast)
        report(.transactionsUpdated([StoreTransactionUpdate(transaction, token: payment.token)]))
    }

    func restorePurchases(applicationUsername: String?, for token: RequestToken) {
        report(.transactionsUpdated(owned.map { StoreTransactionUpdate($0, token: token) }))
        report(.restoreFinished(for: token))
    }

    func finish(_ transaction: StoreTransaction) { report(.transactionFinished(transaction.id)) }

    func readCurrentEntitlements(for token: RequestToken) { report(.entitlementsRead(.success([]), for: token)) }

    func receiptData() -> Data? { nil }

    func refreshReceipt(for token: RequestToken) { report(.receiptRefreshed(nil, for: token)) }

    func perform(_ command: StoreDownloadCommand, on downloads: [StoreDownload]) {}

    static func product(_ identifier: String) -> StoreProduct {
        StoreProduct(id: identifier, type: .consumable, price: 1)
    }

    private func report(_ event: StoreBackendEvent) { observer?.storeBackend(self, didReport: event) }
}
