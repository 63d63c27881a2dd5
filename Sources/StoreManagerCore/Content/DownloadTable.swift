/// The hosted downloads of transactions that wait for them. A value without I/O.
struct DownloadTable {
    /// How the downloads of a transaction ended, all together.
    enum Ending {
        case finished
        case failed(String?)
        case cancelled
    }

    fileprivate struct Group {
        var key: TransactionKey
        var downloads: [StoreDownload.ID: StoreDownload]
    }

    private var groups: [StoreTransaction.ID: Group] = [:]

    /// A transaction waits for its downloads.
    mutating func add(_ downloads: [StoreDownload], of transaction: StoreTransaction.ID, for key: TransactionKey) {
        groups[transaction] = Group(
            key: key, downloads: Dictionary(downloads.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first }))
    }

    /// A download moved on. Returns the transaction whose downloads have all ended with it, and how.
    mutating func update(_ download: StoreDownload) -> (key: TransactionKey, ending: Ending)? {
        guard var group = groups[download.transactionID], group.downloads[download.id] != nil else { return nil }
        group.downloads[download.id] = download
        groups[download.transactionID] = group
        guard group.downloads.values.allSatisfy(\.state.hasEnded) else { return nil }
        groups[download.transactionID] = nil
        return (group.key, group.ending)
    }
}

extension DownloadTable.Group {
    fileprivate var ending: DownloadTable.Ending {
        if let failed = downloads.values.first(where: { $0.state == .failed }) { return .failed(failed.failure) }
        return downloads.values.contains { $0.state == .cancelled } ? .cancelled : .finished
    }
}
