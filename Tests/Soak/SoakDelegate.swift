import StoreManagerCore

/// A request's delegate; all that it hears goes to its process.
@MainActor
final class SoakDelegate: StoreManagerDelegate {
    private weak var process: AppProcess?
    private let request: SoakRequest

    init(_ request: SoakRequest, of process: AppProcess) {
        self.request = request
        self.process = process
    }

    func storeManager(_ manager: StoreManager, didFetch response: ProductFetchResponse, for token: RequestToken) {
        process?.heard(.products(response), by: request, token)
    }

    func storeManager(_ manager: StoreManager, didFailToFetch error: StoreError, for token: RequestToken) {
        process?.heard(.failure(nil, error), by: request, token)
    }

    func storeManager(_ manager: StoreManager, didSucceed transaction: StoreTransaction, for token: RequestToken) {
        process?.heard(.success(transaction), by: request, token)
    }

    func storeManager(
        _ manager: StoreManager, didFail transaction: StoreTransaction?, with error: StoreError, for token: RequestToken
    ) {
        process?.heard(.failure(transaction, error), by: request, token)
    }

    func storeManager(_ manager: StoreManager, didRestore transaction: StoreTransaction, for token: RequestToken) {
        process?.heard(.restore(transaction), by: request, token)
    }

    func storeManager(_ manager: StoreManager, didCancel transaction: StoreTransaction?, for token: RequestToken) {
        process?.heard(.cancel, by: request, token)
    }

    func storeManager(_ manager: StoreManager, didDefer token: RequestToken) {
        process?.heard(.deferral, by: request, token)
    }

    func storeManager(_ manager: StoreManager, needsVerification transaction: StoreTransaction, for token: RequestToken)
    {
        guard request.verifies else { return manager.verifyByDefault([transaction]) }
        process?.asked([transaction], by: request)
    }

    func storeManager(_ manager: StoreManager, didRevoke transaction: StoreTransaction, for token: RequestToken) {
        process?.heard(.revoke(transaction), by: request, token)
    }

    func storeManager(_ manager: StoreManager, didFinishRestoring result: RestoreResult, for token: RequestToken) {
        process?.heard(.restored(result), by: request, token)
    }

    func storeManager(_ manager: StoreManager, didFailToRestore error: StoreError, for token: RequestToken) {
        process?.heard(.failure(nil, error), by: request, token)
    }

    func storeManager(
        _ manager: StoreManager, needsVerificationOfRestored transactions: [StoreTransaction], for token: RequestToken
    ) {
        guard request.verifies else { return manager.verifyByDefault(transactions) }
        process?.asked(transactions, by: request)
    }
}
