/// Closures for those who want to see the store's queue as it comes, whoever the transactions belong to.
///
/// They only look: routing, verification and finishing are the manager's all the same. Set them as
/// ``StoreManager/queueHandlers``.
public struct StoreQueueHandlers: Sendable {
    /// The store reported transactions, in whatever state.
    public var onTransactionsUpdated: (@MainActor ([StoreTransaction]) -> Void)?
    /// Transactions left the queue without having been finished from here.
    public var onTransactionsRemoved: (@MainActor ([StoreTransaction.ID]) -> Void)?
    /// The store reported downloads that it hosts.
    public var onDownloadsUpdated: (@MainActor ([StoreDownload]) -> Void)?
    /// A restore is complete.
    public var onRestoreFinished: (@MainActor (RestoreResult) -> Void)?
    /// A restore failed.
    public var onRestoreFailed: (@MainActor (StoreError) -> Void)?

    /// Makes a set of closures; each may be nil.
    public init(
        onTransactionsUpdated: (@MainActor ([StoreTransaction]) -> Void)? = nil,
        onTransactionsRemoved: (@MainActor ([StoreTransaction.ID]) -> Void)? = nil,
        onDownloadsUpdated: (@MainActor ([StoreDownload]) -> Void)? = nil,
        onRestoreFinished: (@MainActor (RestoreResult) -> Void)? = nil,
        onRestoreFailed: (@MainActor (StoreError) -> Void)? = nil
    ) {
        self.onTransactionsUpdated = onTransactionsUpdated
        self.onTransactionsRemoved = onTransactionsRemoved
        self.onDownloadsUpdated = onDownloadsUpdated
        self.onRestoreFinished = onRestoreFinished
        self.onRestoreFailed = onRestoreFailed
    }

    /// Calls the closure that the event belongs to, if any.
    @MainActor
    func receive(_ event: StoreEvent) {
        switch event {
        case .transactionsUpdated(let transactions): onTransactionsUpdated?(transactions)
        case .transactionsRemoved(let ids): onTransactionsRemoved?(ids)
        case .downloadsUpdated(let downloads): onDownloadsUpdated?(downloads)
        case .restoreFinished(let result, _): onRestoreFinished?(result)
        case .restoreFailed(let error, _): onRestoreFailed?(error)
        default: break
        }
    }
}
