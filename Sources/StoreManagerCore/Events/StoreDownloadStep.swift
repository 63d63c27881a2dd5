/// A step of one download, whether the store hosts it or the app does: what observers and notifications tell of alike.
enum StoreDownloadStep {
    case updated(StoreDownloadProgress)
    case paused(StoreDownloadProgress)
    case finished(StoreDownloadProgress)
    case failed(StoreDownloadProgress, StoreError)
    case cancelled(StoreDownloadProgress)
}

extension StoreEvent {
    /// The steps of downloads that the event tells of; none for one that waits.
    var downloadSteps: [StoreDownloadStep] {
        switch self {
        case .downloadProgressed(let transaction, let fraction):
            [.updated(StoreDownloadProgress(transactionID: transaction.id, fraction: fraction))]
        case .downloadFinished(let transaction):
            [.finished(StoreDownloadProgress(transactionID: transaction.id, fraction: 1))]
        case .downloadFailed(let transaction, .downloadCancelled):
            [.cancelled(StoreDownloadProgress(transactionID: transaction.id, fraction: 0))]
        case .downloadFailed(let transaction, let error):
            [.failed(StoreDownloadProgress(transactionID: transaction.id, fraction: 0), error)]
        case .downloadsUpdated(let downloads):
            downloads.compactMap(\.step)
        default:
            []
        }
    }
}

extension StoreDownload {
    fileprivate var step: StoreDownloadStep? {
        let progress = StoreDownloadProgress(transactionID: transactionID, download: self, fraction: progress)
        return switch state {
        case .waiting: nil
        case .active: .updated(progress)
        case .paused: .paused(progress)
        case .finished: .finished(progress)
        case .failed: .failed(progress, .downloadFailed(underlying: HostedDownloadFailure(failure)))
        case .cancelled: .cancelled(progress)
        }
    }
}
