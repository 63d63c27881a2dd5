/// What a store says, in the words of the package.
public enum StoreBackendEvent: Sendable {
    /// The products that a fetch found, in any order; an identifier that is not among them is invalid.
    case productsFetched([StoreProduct], for: RequestToken)
    /// A fetch failed.
    case productFetchFailed(StoreError, for: RequestToken)

    /// Transactions began, or changed their state.
    case transactionsUpdated([StoreTransactionUpdate])
    /// Transactions left the store's queue without having been finished from here.
    case transactionsRemoved([StoreTransaction.ID])
    /// A transaction was finished, as asked.
    case transactionFinished(StoreTransaction.ID)

    /// A purchase waits for approval; the store has no transaction for it yet.
    case purchaseDeferred(for: RequestToken)
    /// A purchase ended, and the store has no transaction for it. Nil: the store gave neither transaction nor error.
    case purchaseEnded(StoreError?, for: RequestToken)

    /// A restore listed all it has to list.
    case restoreFinished(for: RequestToken)
    /// A restore failed; what it listed before stands.
    case restoreFailed(StoreError, for: RequestToken)

    /// What the user is entitled to now.
    case entitlementsRead(Result<[StoreTransaction], StoreError>, for: RequestToken)
    /// The app receipt was renewed, or not.
    case receiptRefreshed(StoreError?, for: RequestToken)
    /// The store is another country's now; prices changed.
    case storefrontChanged(StoreStorefront?)
    /// Somebody pressed "buy" on the app's page in the store.
    case purchaseIntent(StorePurchaseIntent)
    /// Downloads that the store hosts moved on.
    case downloadsUpdated([StoreDownload])
}

/// A transaction in its present state, and what the store says of whose it is.
public struct StoreTransactionUpdate: Sendable {
    /// The transaction.
    public var transaction: StoreTransaction
    /// The purchase or restore that it answers, where the store can tell.
    public var token: RequestToken?
    /// Why a failed transaction failed.
    public var error: StoreError?
    /// For stores that know no tokens: what stays the same while one transaction changes its state, and what was paid for.
    public var queued: StoreQueuedPayment?

    /// Makes an update.
    public init(
        _ transaction: StoreTransaction, token: RequestToken? = nil, error: StoreError? = nil,
        queued: StoreQueuedPayment? = nil
    ) {
        self.transaction = transaction
        self.token = token
        self.error = error
        self.queued = queued
    }
}

/// A transaction of a store that knows no tokens: its lasting identity in the queue, and the payment that it carries.
public struct StoreQueuedPayment: Hashable, Sendable {
    /// What identifies the transaction as long as the process lives.
    public var handle: UInt64
    /// The payment, as far as one can be told from another.
    public var fingerprint: StorePayment.Fingerprint

    /// Makes the identity of a queued transaction.
    public init(handle: UInt64, fingerprint: StorePayment.Fingerprint) {
        self.handle = handle
        self.fingerprint = fingerprint
    }
}
