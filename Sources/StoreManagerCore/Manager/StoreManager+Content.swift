import Foundation

extension StoreManager {
    // MARK: Content of the app's own

    /// Cancels the task in which the content downloader fetches a transaction's content; nothing where it fetches none. As soon
    /// as the downloader has thrown, the purchase fails with `StoreError.downloadCancelled`; it stays unfinished, and the
    /// content is fetched at the next launch or on ``retryPendingVerifications()``. To cancel what the store hosts, see
    /// ``perform(_:on:)``.
    ///
    /// ``cancel(_:)`` on the purchase's token cancels no download: the purchase goes on to the default receiver.
    public func cancelContentDownload(of transaction: StoreTransaction) {
        post(
            .perform { manager in
                if let key = manager.transactions.key(of: transaction.id) { manager.contentDownloads.cancel(key) }
            })
    }

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
        let number = contentDownloads.makeNumber()
        let task = Task { [weak self] in
            do {
                try await contentDownloader.download(for: transaction) { [weak self] fraction in
                    self?.post(.perform { $0.publish(.downloadProgressed(transaction, fraction: fraction)) })
                }
                self?.post(.perform { $0.contentArrived(transaction, number, for: key) })
            } catch {
                let isCancelled = error is CancellationError || Task.isCancelled
                let failure: StoreError = isCancelled ? .downloadCancelled : .downloadFailed(underlying: error)
                self?.post(.perform { $0.contentFailed(transaction, failure, number, for: key) })
            }
        }
        contentDownloads.begin(number, task, for: key)
        return nil
    }

    private func contentArrived(_ transaction: StoreTransaction, _ number: Int, for key: TransactionKey) {
        runningEffects -= 1
        publish(.downloadFinished(transaction))
        guard contentDownloads.end(number, for: key) else { return }
        if let input = downloadHosted(transaction, for: key) { handle(input, for: key) }
    }

    private func contentFailed(
        _ transaction: StoreTransaction, _ failure: StoreError, _ number: Int, for key: TransactionKey
    ) {
        runningEffects -= 1
        publish(.downloadFailed(transaction, failure))
        if contentDownloads.end(number, for: key) { handle(.downloadFailed(failure), for: key) }
    }

    /// The store took a purchase back whose content is being fetched: nobody waits for that any more.
    func cancelDownload(of key: TransactionKey) {
        contentDownloads.giveUp(key)
        guard let id = transactions[key]?.lifecycle.transaction?.id else { return }
        let running = downloads.giveUp(id)
        if !running.isEmpty { backend.perform(.cancel, on: running) }
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
