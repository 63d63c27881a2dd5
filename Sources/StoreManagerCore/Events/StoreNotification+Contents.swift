public import Foundation

/// What a manager's notification carries, by type. Nil, or empty, where it carries no such thing.
extension Notification {
    /// The event that the notification tells of.
    public var storeEvent: StoreEvent? { userInfo?[Self.storeEventKey] as? StoreEvent }

    /// The request that it is about.
    public var storeToken: RequestToken? { storeEvent?.token }

    /// The transaction that it is about.
    public var storeTransaction: StoreTransaction? { storeEvent?.transaction }

    /// The transactions that it is about.
    public var storeTransactions: [StoreTransaction] {
        switch storeEvent {
        case .transactionsUpdated(let transactions): transactions
        case .restoreFinished(let result, _): result.restored
        default: storeTransaction.map { [$0] } ?? []
        }
    }

    /// The identifiers of the transactions that it is about.
    public var storeTransactionIDs: [StoreTransaction.ID] {
        if case .transactionsRemoved(let ids) = storeEvent { ids } else { storeTransactions.map(\.id) }
    }

    /// The product that it is about.
    public var storeProductIdentifier: String? { storeEvent?.productIdentifier }

    /// The products that a fetch brought.
    public var storeProducts: [StoreProduct] {
        if case .productsFetched(let response, _) = storeEvent { response.products } else { [] }
    }

    /// The identifiers that the store does not know.
    public var storeInvalidIdentifiers: [String] {
        if case .productsFetched(let response, _) = storeEvent { response.invalidIdentifiers } else { [] }
    }

    /// What went wrong.
    public var storeError: StoreError? { storeEvent?.error ?? storeDownloadStep?.error }

    /// What a restore brought.
    public var storeRestoreResult: RestoreResult? {
        if case .restoreFinished(let result, _) = storeEvent { result } else { nil }
    }

    /// The downloads that the store reported.
    public var storeDownloads: [StoreDownload] {
        if case .downloadsUpdated(let downloads) = storeEvent { downloads } else { [] }
    }

    /// The one download that it is about, where the store hosts it.
    public var storeDownload: StoreDownload? { storeDownloadProgress?.download }

    /// How far the one download is that it is about.
    public var storeDownloadProgress: StoreDownloadProgress? { storeDownloadStep?.progress }

    /// How far the one download is that it is about, from 0 to 1.
    public var downloadProgress: Double? { storeDownloadProgress?.fraction }

    private var storeDownloadStep: StoreDownloadStep? { userInfo?[Self.storeDownloadStepKey] as? StoreDownloadStep }

    static let storeEventKey = "StoreEvent"
    static let storeDownloadStepKey = "StoreDownloadStep"
}

extension StoreEvent {
    /// The notifications that tell of the event, as the manager posts them.
    @MainActor
    func notifications(from manager: StoreManager) -> [Notification] {
        let steps = downloadSteps.map { step in
            Notification(
                name: step.notificationName, object: manager,
                userInfo: [Notification.storeEventKey: self, Notification.storeDownloadStepKey: step])
        }
        guard let notificationName else { return steps }
        let whole = Notification(name: notificationName, object: manager, userInfo: [Notification.storeEventKey: self])
        return [whole] + steps
    }

    private var notificationName: Notification.Name? {
        switch self {
        case .productsFetched: .storeProductsFetched
        case .productFetchFailed: .storeProductFetchFailed
        case .purchased, .restored: .storeTransactionSucceeded
        case .purchaseFailed, .purchaseCancelled: .storeTransactionFailed
        case .purchaseDeferred: .storeTransactionDeferred
        case .revoked: .storeTransactionRevoked
        case .upgraded: .storeTransactionUpgraded
        case .restoreFinished: .storeRestoreFinished
        case .restoreFailed: .storeRestoreFailed
        case .receiptRefreshed: .storeReceiptRefreshed
        case .receiptRefreshFailed: .storeReceiptRefreshFailed
        case .transactionsUpdated: .storeTransactionsUpdated
        case .transactionsRemoved: .storeTransactionsRemoved
        case .downloadsUpdated: .storeDownloadsUpdated
        case .storefrontChanged: .storeStorefrontChanged
        case .scheduled, .transactionWaiting, .transactionFinished, .downloadProgressed, .downloadFinished,
            .downloadFailed, .purchaseIntentReceived, .entitlementsRead, .entitlementsFailed:
            nil
        }
    }
}

extension StoreDownloadStep {
    fileprivate var notificationName: Notification.Name {
        switch self {
        case .updated: .storeDownloadUpdated
        case .paused: .storeDownloadPaused
        case .finished: .storeDownloadFinished
        case .failed: .storeDownloadFailed
        case .cancelled: .storeDownloadCancelled
        }
    }

    fileprivate var progress: StoreDownloadProgress {
        switch self {
        case .updated(let progress), .paused(let progress), .finished(let progress), .failed(let progress, _),
            .cancelled(let progress):
            progress
        }
    }

    fileprivate var error: StoreError? {
        switch self {
        case .failed(_, let error): error
        case .cancelled: .downloadCancelled
        case .updated, .paused, .finished: nil
        }
    }
}
