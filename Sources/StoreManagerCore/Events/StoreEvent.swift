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
    case purchaseFailed(StoreTransaction?, StoreError, productIdentifier: String?, token: RequestToken)
    /// The buyer said no.
    case purchaseCancelled(StoreTransaction?, productIdentifier: String?, token: RequestToken)
    /// The store took a purchase back.
    case revoked(StoreTransaction, token: RequestToken)
    /// A subscription gave way to a better plan, whose own transaction goes to a receiver. This one grants nothing any more; the
    /// ledger has it marked, and no receiver is called.
    case upgraded(StoreTransaction, token: RequestToken)
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

extension StoreEvent {
    /// The request that the event is about.
    public var token: RequestToken? {
        switch self {
        case .productsFetched(_, let token), .productFetchFailed(_, let token), .purchaseDeferred(_, let token),
            .purchased(_, let token), .restored(_, let token), .scheduled(_, let token),
            .purchaseFailed(_, _, _, let token), .purchaseCancelled(_, _, let token), .revoked(_, let token),
            .upgraded(_, let token), .transactionWaiting(_, let token), .restoreFinished(_, let token),
            .restoreFailed(_, let token),
            .receiptRefreshed(let token), .receiptRefreshFailed(_, let token):
            token
        case .transactionFinished, .transactionsUpdated, .transactionsRemoved, .downloadsUpdated, .downloadProgressed,
            .downloadFinished, .downloadFailed, .storefrontChanged, .purchaseIntentReceived, .entitlementsRead,
            .entitlementsFailed:
            nil
        }
    }

    /// The one transaction that the event is about.
    public var transaction: StoreTransaction? {
        switch self {
        case .purchased(let transaction, _), .restored(let transaction, _), .scheduled(let transaction, _),
            .revoked(let transaction, _), .upgraded(let transaction, _), .transactionWaiting(let transaction, _),
            .downloadProgressed(let transaction, _), .downloadFinished(let transaction),
            .downloadFailed(let transaction, _):
            transaction
        case .purchaseFailed(let transaction, _, _, _), .purchaseCancelled(let transaction, _, _):
            transaction
        case .productsFetched, .productFetchFailed, .purchaseDeferred, .transactionFinished, .restoreFinished,
            .restoreFailed, .transactionsUpdated, .transactionsRemoved, .downloadsUpdated, .storefrontChanged,
            .purchaseIntentReceived, .receiptRefreshed, .receiptRefreshFailed, .entitlementsRead, .entitlementsFailed:
            nil
        }
    }

    /// The one product that the event is about.
    public var productIdentifier: String? {
        switch self {
        case .purchaseDeferred(let identifier, _): identifier
        case .purchaseFailed(_, _, let identifier, _), .purchaseCancelled(_, let identifier, _): identifier
        case .purchaseIntentReceived(let intent): intent.product.id
        default: transaction?.productIdentifier
        }
    }

    /// What went wrong.
    public var error: StoreError? {
        switch self {
        case .productFetchFailed(let error, _), .purchaseFailed(_, let error, _, _), .restoreFailed(let error, _),
            .downloadFailed(_, let error), .receiptRefreshFailed(let error, _), .entitlementsFailed(let error):
            error
        case .purchaseCancelled:
            .cancelled()
        default:
            nil
        }
    }
}
