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
        /// Nobody waits: all have ended, not all of them well, or they were given up. What arrived is remembered for the next
        /// try.
        var hasEnded = false
    }

    private var groups: [StoreTransaction.ID: Group] = [:]

    /// A transaction waits for its downloads. Returns those that have to be started, which are all that have not arrived in an
    /// earlier try or run; empty: everything is there.
    mutating func begin(_ transaction: StoreTransaction, for key: TransactionKey) -> [StoreDownload] {
        let earlier = groups.removeValue(forKey: transaction.id)?.downloads ?? [:]
        let missing = transaction.downloads.filter { $0.state != .finished && earlier[$0.id]?.state != .finished }
        guard !missing.isEmpty else { return [] }
        var group = Group(key: key, downloads: earlier.filter { $0.value.state == .finished })
        for var download in missing {
            download.state = .waiting
            group.downloads[download.id] = download
        }
        groups[transaction.id] = group
        return missing
    }

    /// Nobody waits for the downloads of a transaction any more. Returns those that have not ended; what arrived is remembered.
    mutating func giveUp(_ id: StoreTransaction.ID) -> [StoreDownload] {
        guard let group = groups[id], !group.hasEnded else { return [] }
        groups[id]?.hasEnded = true
        return group.downloads.values.filter { !$0.state.hasEnded }.sorted { $0.id < $1.id }
    }

    /// A download moved on. Returns the transaction whose downloads have all ended with it, and how.
    mutating func update(_ download: StoreDownload) -> (key: TransactionKey, ending: Ending)? {
        guard var group = groups[download.transactionID], group.downloads[download.id] != nil else { return nil }
        group.downloads[download.id] = download
        let endsNow = !group.hasEnded && group.downloads.values.allSatisfy(\.state.hasEnded)
        if endsNow { group.hasEnded = true }
        groups[download.transactionID] = group
        guard endsNow else { return nil }
        if case .finished = group.ending { groups[download.transactionID] = nil }
        return (group.key, group.ending)
    }
}

extension DownloadTable.Group {
    fileprivate var ending: DownloadTable.Ending {
        if let failed = downloads.values.first(where: { $0.state == .failed }) { return .failed(failed.failure) }
        return downloads.values.contains { $0.state == .cancelled } ? .cancelled : .finished
    }
}
