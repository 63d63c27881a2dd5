import Foundation
import StoreKit
public import StoreManagerCore

// What is asked of the store besides payments.
extension StoreKit1Backend {
    /// Looks products up.
    public func fetchProducts(withIdentifiers identifiers: [String], for token: RequestToken) {
        start(SKProductsRequest(productIdentifiers: Set(identifiers)), for: token) { backend, result in
            switch result {
            case .success(let products):
                for product in products { backend.products[product.productIdentifier] = product }
                backend.report(.productsFetched(products.map { StoreProduct($0) }, for: token))
            case .failure(let error):
                backend.report(.productFetchFailed(error, for: token))
            }
        }
    }

    /// Asks for a new app receipt.
    public func refreshReceipt(for token: RequestToken) {
        start(SKReceiptRefreshRequest(receiptProperties: nil), for: token) { backend, result in
            switch result {
            case .success: backend.report(.receiptRefreshed(nil, for: token))
            case .failure(let error): backend.report(.receiptRefreshed(error, for: token))
            }
        }
    }

    private func start(
        _ request: SKRequest, for token: RequestToken,
        answer: @escaping @MainActor @Sendable (StoreKit1Backend, Result<[SKProduct], StoreError>) -> Void
    ) {
        let running = RunningRequest(request) { [relay] result in
            relay.post { backend in
                // One that was given up is answered to nobody.
                guard backend.requests.removeValue(forKey: token) != nil else { return }
                answer(backend, result)
            }
        }
        requests[token] = running
        running.start()
    }

    // MARK: Restoring

    /// A restore that was asked for.
    struct Restore {
        var token: RequestToken
        var applicationUsername: String?
    }

    /// Asks for all that the user owns, as soon as the restores before this one have ended.
    public func restorePurchases(applicationUsername: String?, for token: RequestToken) {
        restores.append(Restore(token: token, applicationUsername: applicationUsername))
        if restores.count == 1 { beginRestore() }
    }

    private func beginRestore() {
        guard let restore = restores.first else { return }
        if let username = restore.applicationUsername {
            queue.restoreCompletedTransactions(withApplicationUsername: username)
        } else {
            queue.restoreCompletedTransactions()
        }
    }

    /// The queue has listed everything, or failed to.
    func endRestore(with error: StoreError?) {
        // One that somebody else asked for answers nobody here.
        guard !restores.isEmpty else { return }
        let token = restores.removeFirst().token
        report(error.map { .restoreFailed($0, for: token) } ?? .restoreFinished(for: token))
        beginRestore()
    }
}
