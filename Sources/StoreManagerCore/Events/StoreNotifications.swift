public import Foundation

/// The names under which a manager posts its events to its notification centre, on the main actor, with the manager as object.
///
/// They are posted once each, after handlers, delegates and observers, whether or not a request had any. Read their contents
/// with the typed properties of `Notification` below.
extension Notification.Name {
    /// A fetch brought products: `storeProducts`, `storeInvalidIdentifiers`.
    public static let storeProductsFetched = Notification.Name("StoreManagerProductsFetched")
    /// A fetch failed: `storeError`.
    public static let storeProductFetchFailed = Notification.Name("StoreManagerProductFetchFailed")

    /// Something was bought or owned, and handed over: `storeTransaction`.
    public static let storeTransactionSucceeded = Notification.Name("StoreManagerTransactionSucceeded")
    /// A purchase failed or was cancelled: `storeError`, and `storeTransaction` where the store had one.
    public static let storeTransactionFailed = Notification.Name("StoreManagerTransactionFailed")
    /// A purchase waits for approval: `storeProductIdentifier`.
    public static let storeTransactionDeferred = Notification.Name("StoreManagerTransactionDeferred")
    /// The store took a purchase back: `storeTransaction`.
    public static let storeTransactionRevoked = Notification.Name("StoreManagerTransactionRevoked")
    /// A subscription gave way to a better plan: `storeTransaction`, which grants nothing any more.
    public static let storeTransactionUpgraded = Notification.Name("StoreManagerTransactionUpgraded")

    /// A restore is complete: `storeRestoreResult`, `storeTransactions`.
    public static let storeRestoreFinished = Notification.Name("StoreManagerRestoreFinished")
    /// A restore failed: `storeError`.
    public static let storeRestoreFailed = Notification.Name("StoreManagerRestoreFailed")

    /// The app receipt was renewed.
    public static let storeReceiptRefreshed = Notification.Name("StoreManagerReceiptRefreshed")
    /// The app receipt could not be renewed: `storeError`.
    public static let storeReceiptRefreshFailed = Notification.Name("StoreManagerReceiptRefreshFailed")

    /// A download moved on: `storeDownloadProgress`.
    public static let storeDownloadUpdated = Notification.Name("StoreManagerDownloadUpdated")
    /// A download is complete: `storeDownloadProgress`.
    public static let storeDownloadFinished = Notification.Name("StoreManagerDownloadFinished")
    /// A download failed: `storeDownloadProgress`, `storeError`.
    public static let storeDownloadFailed = Notification.Name("StoreManagerDownloadFailed")
    /// A download was paused: `storeDownloadProgress`.
    public static let storeDownloadPaused = Notification.Name("StoreManagerDownloadPaused")
    /// A download was cancelled: `storeDownloadProgress`.
    public static let storeDownloadCancelled = Notification.Name("StoreManagerDownloadCancelled")

    /// The store reported transactions, the queue as it came: `storeTransactions`.
    public static let storeTransactionsUpdated = Notification.Name("StoreManagerTransactionsUpdated")
    /// Transactions left the queue: `storeTransactionIDs`.
    public static let storeTransactionsRemoved = Notification.Name("StoreManagerTransactionsRemoved")
    /// The store reported downloads, the queue as it came: `storeDownloads`.
    public static let storeDownloadsUpdated = Notification.Name("StoreManagerDownloadsUpdated")
    /// The store is another country's now.
    public static let storeStorefrontChanged = Notification.Name("StoreManagerStorefrontChanged")
}
