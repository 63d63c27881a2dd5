import Foundation

extension StoreManager {
    // MARK: Content that the store hosts

    /// Starts, pauses, resumes or cancels downloads that the store hosts. Those of a purchase are started by the manager, after
    /// the ledger has the purchase; it is handed over when all have ended, as a success only if all have finished.
    public func perform(_ command: StoreDownloadCommand, on downloads: [StoreDownload]) {
        backend.perform(command, on: downloads)
    }

    // MARK: How it is done

    /// Fetches the content of a transaction: from the app's own server first, then from the store.
    func download(_ transaction: StoreTransaction, for key: TransactionKey) -> TransactionLifecycle.Input? {
        guard let contentDownloader else { return downloadHosted(transaction, for: key) }
        runningEffects += 1
        let task = Task { [weak self] in
            do {
                try await contentDownloader.download(for: transaction) { [weak self] fraction in
                    self?.post(.perform { $0.publish(.downloadProgressed(transaction, fraction: fraction)) })
                }
                self?.post(.perform { $0.contentArrived(transaction, for: key) })
            } catch {
                let failure: StoreError =
                    error is CancellationError ? .downloadCancelled : .downloadFailed(underlying: error)
                self?.post(.perform { $0.publish(.downloadFailed(transaction, failure)) })
                self?.post(.effectEnded(key, .downloadFailed(failure)))
            }
        }
        transactions[key]?.download = task
        return nil
    }

    private func contentArrived(_ transaction: StoreTransaction, for key: TransactionKey) {
        runningEffects -= 1
        publish(.downloadFinished(transaction))
        if let input = downloadHosted(transaction, for: key) { handle(input, for: key) }
    }

    private func downloadHosted(
        _ transaction: StoreTransaction, for key: TransactionKey
    ) -> TransactionLifecycle.Input? {
        let missing = downloads.begin(transaction, for: key)
        if missing.isEmpty { return .downloaded }
        backend.perform(.start, on: missing)
        return nil
    }

    /// The store reports downloads.
    func receiveDownloads(_ updated: [StoreDownload]) {
        publish(.downloadsUpdated(updated))
        for download in updated {
            guard let (key, ending) = downloads.update(download) else { continue }
            switch ending {
            case .finished: post(.transaction(key, .downloaded))
            case .cancelled: post(.transaction(key, .downloadFailed(.downloadCancelled)))
            case .failed(let reason):
                post(.transaction(key, .downloadFailed(.downloadFailed(underlying: HostedDownloadFailure(reason)))))
            }
        }
    }
}

/// What the store said of a download that failed.
struct HostedDownloadFailure: Error, LocalizedError {
    var errorDescription: String?

    init(_ reason: String?) { errorDescription = reason ?? "The store does not say why the download failed." }
}
