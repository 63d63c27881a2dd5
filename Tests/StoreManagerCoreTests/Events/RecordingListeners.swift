import Foundation
import StoreManagerCore
import TestSupport

extension Notification {
    /// The name, without what all names begin with, and all that it carries: `RestoreFailed restore-1 error cancelled`.
    var line: String {
        var words = [name.rawValue.replacing("StoreManager", with: "")]
        if let storeToken { words.append("\(storeToken)") }
        if let storeProductIdentifier { words.append("product \(storeProductIdentifier)") }
        if let storeTransaction { words.append("transaction \(storeTransaction.id)") }
        if !storeTransactions.isEmpty { words.append("transactions \(storeTransactions.map(\.id).line)") }
        if storeTransactionIDs != storeTransactions.map(\.id) { words.append("ids \(storeTransactionIDs.line)") }
        if !storeProducts.isEmpty || !storeInvalidIdentifiers.isEmpty {
            words.append("products \(storeProducts.map(\.id).line) invalid \(storeInvalidIdentifiers.line)")
        }
        if let storeRestoreResult { words.append(storeRestoreResult.line) }
        if storeDownload == nil, !storeDownloads.isEmpty { words.append("downloads \(storeDownloads.line)") }
        if let storeDownload { words.append("download \(storeDownload.id)") }
        if let downloadProgress { words.append("progress \(downloadProgress)") }
        if let storeError { words.append("error \(storeError.name)") }
        return words.joined(separator: " ")
    }
}

/// Implements every method, but the one that hears every event, and records each.
@MainActor
final class FullObserver: StoreObserver {
    private let recorder: Recorder

    init(recorder: Recorder) { self.recorder = recorder }

    func storeProductsFetched(_ response: ProductFetchResponse, token: RequestToken) { record(token, response.line) }
    func storeProductFetchFailed(_ error: StoreError, token: RequestToken) { record(token, error.name) }
    func storeTransactionSucceeded(_ transaction: StoreTransaction, token: RequestToken) {
        record(token, transaction.id)
    }
    func storeTransactionFailed(
        _ transaction: StoreTransaction?, productIdentifier: String?, error: StoreError, token: RequestToken
    ) {
        record(token, transaction?.id ?? productIdentifier ?? "-", error.name)
    }
    func storeTransactionDeferred(productIdentifier: String, token: RequestToken) { record(token, productIdentifier) }
    func storeTransactionRevoked(_ transaction: StoreTransaction) { record(transaction.id) }
    func storeTransactionUpgraded(_ transaction: StoreTransaction) { record(transaction.id) }
    func storeRestoreFinished(_ result: RestoreResult, token: RequestToken) { record(token, result.line) }
    func storeRestoreFailed(_ error: StoreError, token: RequestToken) { record(token, error.name) }
    func storeReceiptRefreshed() { record() }
    func storeReceiptRefreshFailed(_ error: StoreError) { record(error.name) }
    func storeDownloadUpdated(_ progress: StoreDownloadProgress) { record(progress.line) }
    func storeDownloadFinished(_ progress: StoreDownloadProgress) { record(progress.line) }
    func storeDownloadFailed(_ progress: StoreDownloadProgress, error: StoreError) {
        record(progress.line, error.name)
    }
    func storeDownloadPaused(_ progress: StoreDownloadProgress) { record(progress.line) }
    func storeDownloadCancelled(_ progress: StoreDownloadProgress) { record(progress.line) }

    private func record(_ words: Any..., method: String = #function) {
        let name = method.prefix { $0 != "(" }
        recorder.record(([name] + words).map { "\($0)" }.joined(separator: " "))
    }
}

extension StoreQueueHandlers {
    /// Closures that record under their names.
    static func recording(in recorder: Recorder) -> StoreQueueHandlers {
        StoreQueueHandlers(
            onTransactionsUpdated: { recorder.record("onTransactionsUpdated \($0.map(\.id).line)") },
            onTransactionsRemoved: { recorder.record("onTransactionsRemoved \($0.line)") },
            onDownloadsUpdated: { recorder.record("onDownloadsUpdated \($0.line)") },
            onRestoreFinished: { recorder.record("onRestoreFinished \($0.line)") },
            onRestoreFailed: { recorder.record("onRestoreFailed \($0.name)") })
    }
}

extension StoreDownloadProgress {
    fileprivate var line: String { "\(transactionID) \(download?.id ?? "-") \(fraction)" }
}

extension [StoreDownload] {
    fileprivate var line: String { map { "\($0.id) \($0.state)" }.line }
}
