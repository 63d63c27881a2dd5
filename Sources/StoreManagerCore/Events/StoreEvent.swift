/// Everything that a manager reports, in the order in which it happened. Handlers and delegates have been called by the time
/// an event of theirs is published.
public enum StoreEvent: Sendable {
    /// A fetch brought products.
    case productsFetched(ProductFetchResponse, token: RequestToken)
    /// A fetch failed.
    case productFetchFailed(StoreError, token: RequestToken)

    /// A purchase waits for somebody's approval.
    case purchaseDeferred(productIdentifier: String, token: RequestToken)
    /// Something was bought and handed over.
    case purchased(StoreTransaction, token: RequestToken)
    /// Something owned already was handed over.
    case restored(StoreTransaction, token: RequestToken)
    /// A plan change will take effect at the next renewal.
    case scheduled(StoreTransaction, token: RequestToken)
    /// A purchase failed, or could not be verified, saved or fetched.
    case purchaseFailed(StoreTransaction?, StoreError, token: RequestToken)
    /// The buyer said no.
    case purchaseCancelled(StoreTransaction?, token: RequestToken)
    /// The store took a purchase back.
    case revoked(StoreTransaction, token: RequestToken)
    /// A transaction waits because nobody is there to receive it: set a default delegate or default handlers.
    case transactionWaiting(StoreTransaction, token: RequestToken)
    /// A transaction was finished.
    case transactionFinished(StoreTransaction.ID)

    /// A restore is complete.
    case restoreFinished(RestoreResult, token: RequestToken)
    /// A restore failed.
    case restoreFailed(StoreError, token: RequestToken)

    /// The store reported transactions, whatever their state: the queue as it came.
    case transactionsUpdated([StoreTransaction])
    /// Transactions left the store's queue.
    case transactionsRemoved([StoreTransaction.ID])
    /// The store reported downloads that it hosts.
    case downloadsUpdated([StoreDownload])
    /// A content downloader moved on; from 0 to 1.
    case downloadProgressed(StoreTransaction, fraction: Double)
    /// A content downloader brought the content.
    case downloadFinished(StoreTransaction)
    /// A content downloader failed, or was cancelled.
    case downloadFailed(StoreTransaction, StoreError)

    /// The store is another country's now; the product cache is empty.
    case storefrontChanged(StoreStorefront?)
    /// Somebody pressed "buy" on the app's page in the store.
    case purchaseIntentReceived(StorePurchaseIntent)
    /// The app receipt was renewed.
    case receiptRefreshed(token: RequestToken)
    /// The app receipt could not be renewed.
    case receiptRefreshFailed(StoreError, token: RequestToken)
    /// The store said what the user is entitled to now.
    case entitlementsRead([StoreTransaction])
    /// The store could not say what the user is entitled to.
    case entitlementsFailed(StoreError)
}
