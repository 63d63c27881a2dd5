/// Who wants to hear of everything, whoever started it. Held weakly; every method is optional.
///
/// Register with ``StoreManager/addObserver(_:)``. Observers look on: granting belongs into the handlers and delegates, which
/// have been called by then.
@MainActor
public protocol StoreObserver: AnyObject {
    /// Something happened: the event as it stands in ``StoreManager/events``. Called before the method of the event's own.
    func storeManager(_ manager: StoreManager, didPublish event: StoreEvent)

    /// A fetch brought products.
    func storeProductsFetched(_ response: ProductFetchResponse, token: RequestToken)
    /// A fetch failed.
    func storeProductFetchFailed(_ error: StoreError, token: RequestToken)

    /// Something was bought, or owned already, and was handed over.
    func storeTransactionSucceeded(_ transaction: StoreTransaction, token: RequestToken)
    /// A purchase failed or was cancelled, or could not be verified, saved or fetched.
    func storeTransactionFailed(
        _ transaction: StoreTransaction?, productIdentifier: String?, error: StoreError, token: RequestToken)
    /// A purchase waits for somebody's approval.
    func storeTransactionDeferred(productIdentifier: String, token: RequestToken)
    /// The store took a purchase back.
    func storeTransactionRevoked(_ transaction: StoreTransaction)
    /// A subscription gave way to a better plan; this transaction of it grants nothing any more.
    func storeTransactionUpgraded(_ transaction: StoreTransaction)

    /// A restore is complete.
    func storeRestoreFinished(_ result: RestoreResult, token: RequestToken)
    /// A restore failed.
    func storeRestoreFailed(_ error: StoreError, token: RequestToken)

    /// The app receipt was renewed.
    func storeReceiptRefreshed()
    /// The app receipt could not be renewed.
    func storeReceiptRefreshFailed(_ error: StoreError)

    /// A download moved on.
    func storeDownloadUpdated(_ progress: StoreDownloadProgress)
    /// A download is complete.
    func storeDownloadFinished(_ progress: StoreDownloadProgress)
    /// A download failed.
    func storeDownloadFailed(_ progress: StoreDownloadProgress, error: StoreError)
    /// A download was paused.
    func storeDownloadPaused(_ progress: StoreDownloadProgress)
    /// A download was cancelled.
    func storeDownloadCancelled(_ progress: StoreDownloadProgress)
}

/// How far a download is.
public struct StoreDownloadProgress: Hashable, Sendable {
    /// The transaction whose content it is.
    public var transactionID: StoreTransaction.ID
    /// The download, where the store hosts it; nil for the app's own content downloader.
    public var download: StoreDownload?
    /// How much has arrived, from 0 to 1.
    public var fraction: Double

    /// Makes a progress.
    public init(transactionID: StoreTransaction.ID, download: StoreDownload? = nil, fraction: Double) {
        self.transactionID = transactionID
        self.download = download
        self.fraction = fraction
    }
}

/// What is not implemented does nothing.
extension StoreObserver {
    /// Does nothing.
    public func storeManager(_ manager: StoreManager, didPublish event: StoreEvent) {}
    /// Does nothing.
    public func storeProductsFetched(_ response: ProductFetchResponse, token: RequestToken) {}
    /// Does nothing.
    public func storeProductFetchFailed(_ error: StoreError, token: RequestToken) {}
    /// Does nothing.
    public func storeTransactionSucceeded(_ transaction: StoreTransaction, token: RequestToken) {}
    /// Does nothing.
    public func storeTransactionFailed(
        _ transaction: StoreTransaction?, productIdentifier: String?, error: StoreError, token: RequestToken
    ) {}
    /// Does nothing.
    public func storeTransactionDeferred(productIdentifier: String, token: RequestToken) {}
    /// Does nothing.
    public func storeTransactionRevoked(_ transaction: StoreTransaction) {}
    /// Does nothing.
    public func storeTransactionUpgraded(_ transaction: StoreTransaction) {}
    /// Does nothing.
    public func storeRestoreFinished(_ result: RestoreResult, token: RequestToken) {}
    /// Does nothing.
    public func storeRestoreFailed(_ error: StoreError, token: RequestToken) {}
    /// Does nothing.
    public func storeReceiptRefreshed() {}
    /// Does nothing.
    public func storeReceiptRefreshFailed(_ error: StoreError) {}
    /// Does nothing.
    public func storeDownloadUpdated(_ progress: StoreDownloadProgress) {}
    /// Does nothing.
    public func storeDownloadFinished(_ progress: StoreDownloadProgress) {}
    /// Does nothing.
    public func storeDownloadFailed(_ progress: StoreDownloadProgress, error: StoreError) {}
    /// Does nothing.
    public func storeDownloadPaused(_ progress: StoreDownloadProgress) {}
    /// Does nothing.
    public func storeDownloadCancelled(_ progress: StoreDownloadProgress) {}
}

extension StoreObserver {
    /// Calls the methods that the event belongs to.
    func receive(_ event: StoreEvent, from manager: StoreManager) {
        storeManager(manager, didPublish: event)
        switch event {
        case .productsFetched(let response, let token):
            storeProductsFetched(response, token: token)
        case .productFetchFailed(let error, let token):
            storeProductFetchFailed(error, token: token)
        case .purchased(let transaction, let token), .restored(let transaction, let token):
            storeTransactionSucceeded(transaction, token: token)
        case .purchaseFailed(let transaction, let error, let product, let token):
            storeTransactionFailed(transaction, productIdentifier: product, error: error, token: token)
        case .purchaseCancelled(let transaction, let product, let token):
            storeTransactionFailed(transaction, productIdentifier: product, error: .cancelled(), token: token)
        case .purchaseDeferred(let productIdentifier, let token):
            storeTransactionDeferred(productIdentifier: productIdentifier, token: token)
        case .revoked(let transaction, _):
            storeTransactionRevoked(transaction)
        case .upgraded(let transaction, _):
            storeTransactionUpgraded(transaction)
        case .restoreFinished(let result, let token):
            storeRestoreFinished(result, token: token)
        case .restoreFailed(let error, let token):
            storeRestoreFailed(error, token: token)
        case .receiptRefreshed:
            storeReceiptRefreshed()
        case .receiptRefreshFailed(let error, _):
            storeReceiptRefreshFailed(error)
        default:
            for step in event.downloadSteps { receive(step) }
        }
    }

    private func receive(_ step: StoreDownloadStep) {
        switch step {
        case .updated(let progress): storeDownloadUpdated(progress)
        case .paused(let progress): storeDownloadPaused(progress)
        case .finished(let progress): storeDownloadFinished(progress)
        case .failed(let progress, let error): storeDownloadFailed(progress, error: error)
        case .cancelled(let progress): storeDownloadCancelled(progress)
        }
    }
}
