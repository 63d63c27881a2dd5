package import StoreManagerCore

/// A delegate for everything, which implements every method and records it: `d success 1 purchase-1`.
@MainActor
package final class RecordingDelegate: StoreManagerDelegate {
    private let name: String
    private let recorder: Recorder
    /// What to do when asked to verify; nothing by default, so that the question stays open.
    package var onVerify: @MainActor (StoreManager, [StoreTransaction]) -> Void = { _, _ in }

    package init(_ name: String, recorder: Recorder) {
        self.name = name
        self.recorder = recorder
    }

    package func storeManager(
        _ manager: StoreManager, didFetch response: ProductFetchResponse, for token: RequestToken
    ) {
        record("\(response.line) \(token)")
    }

    package func storeManager(_ manager: StoreManager, didFailToFetch error: StoreError, for token: RequestToken) {
        record("failure \(error.name) \(token)")
    }

    package func storeManager(
        _ manager: StoreManager, didSucceed transaction: StoreTransaction, for token: RequestToken
    ) {
        record("success \(transaction.id) \(token)")
    }

    package func storeManager(
        _ manager: StoreManager, didFail transaction: StoreTransaction?, with error: StoreError, for token: RequestToken
    ) {
        record("failure \(transaction?.id ?? "-") \(error.name) \(token)")
    }

    package func storeManager(
        _ manager: StoreManager, didRestore transaction: StoreTransaction, for token: RequestToken
    ) {
        record("restore \(transaction.id) \(token)")
    }

    package func storeManager(
        _ manager: StoreManager, didCancel transaction: StoreTransaction?, for token: RequestToken
    ) {
        record("cancel \(token)")
    }

    package func storeManager(_ manager: StoreManager, didDefer token: RequestToken) { record("defer \(token)") }

    package func storeManager(
        _ manager: StoreManager, needsVerification transaction: StoreTransaction, for token: RequestToken
    ) {
        record("verify \(transaction.id) \(token)")
        onVerify(manager, [transaction])
    }

    package func storeManager(_ manager: StoreManager, didRevoke transaction: StoreTransaction, for token: RequestToken)
    {
        record("revoke \(transaction.id) \(token)")
    }

    package func storeManager(_ manager: StoreManager, didReceive intent: StorePurchaseIntent) {
        record("intent \(intent.product.id)")
    }

    package func storeManager(
        _ manager: StoreManager, didFinishRestoring result: RestoreResult, for token: RequestToken
    ) {
        record("\(result.line) \(token)")
    }

    package func storeManager(_ manager: StoreManager, didFailToRestore error: StoreError, for token: RequestToken) {
        record("failure \(error.name) \(token)")
    }

    package func storeManager(
        _ manager: StoreManager, needsVerificationOfRestored transactions: [StoreTransaction], for token: RequestToken
    ) {
        record("verify \(transactions.map(\.id).line) \(token)")
        onVerify(manager, transactions)
    }

    private func record(_ line: String) { recorder.record("\(name) \(line)") }
}

/// A delegate for everything, which implements only what it must. That it compiles proves the defaults of all the rest.
@MainActor
package final class MinimalDelegate: StoreManagerDelegate {
    private let name: String
    private let recorder: Recorder

    package init(_ name: String, recorder: Recorder) {
        self.name = name
        self.recorder = recorder
    }

    package func storeManager(
        _ manager: StoreManager, didFetch response: ProductFetchResponse, for token: RequestToken
    ) {
        record("\(response.line) \(token)")
    }

    package func storeManager(_ manager: StoreManager, didFailToFetch error: StoreError, for token: RequestToken) {
        record("failure \(error.name) \(token)")
    }

    package func storeManager(
        _ manager: StoreManager, didSucceed transaction: StoreTransaction, for token: RequestToken
    ) {
        record("success \(transaction.id) \(token)")
    }

    package func storeManager(
        _ manager: StoreManager, didFail transaction: StoreTransaction?, with error: StoreError, for token: RequestToken
    ) {
        record("failure \(transaction?.id ?? "-") \(error.name) \(token)")
    }

    package func storeManager(
        _ manager: StoreManager, didFinishRestoring result: RestoreResult, for token: RequestToken
    ) {
        record("\(result.line) \(token)")
    }

    package func storeManager(_ manager: StoreManager, didFailToRestore error: StoreError, for token: RequestToken) {
        record("failure \(error.name) \(token)")
    }

    private func record(_ line: String) { recorder.record("\(name) \(line)") }
}
