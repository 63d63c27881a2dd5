import Foundation
import StoreManagerCore

extension StoreEngine {
    /// Starts, pauses, resumes or cancels downloads; what cannot be done to one in its state is not done.
    mutating func perform(_ command: StoreDownloadCommand, on keys: [DownloadKey], from device: Int) {
        note(
            .download, .device(device), .init("command", command.rawValue),
            .init("list", keys.map { "\($0.transaction)/\($0.content)" }.joined(separator: ",")))
        var changed: [DownloadKey] = []
        for key in keys {
            guard let content = content(of: key, for: device) else { continue }
            var download =
                downloads[key]
                ?? RunningDownload(content: content, device: device, state: .waiting, progress: 0, date: now)
            guard let next = command.state(from: download.state) else { continue }
            download.progress = download.progress(at: now)
            download.date = now
            download.device = device
            download.state = next
            downloads[key] = download
            if next == .active { downloadAgenda.enter(key, due: download.nextStep) }
            changed.append(key)
        }
        report(changed, to: device)
    }

    /// Moves on the download that is due.
    mutating func continueDownload() {
        guard let entry = downloadAgenda.removeFirst(), var download = downloads[entry.item],
            download.state == .active, download.nextStep <= entry.due
        else { return }
        download.progress = download.progress(at: now)
        download.date = now
        if controls.faults[.downloads].isOffline || download.content.failsAt.map({ download.progress >= $0 }) == true {
            download.state = .failed
        } else if download.progress >= 1 - 1e-9 {
            download.progress = 1
            download.state = .finished
        }
        downloads[entry.item] = download
        if download.state == .active { downloadAgenda.enter(entry.item, due: download.nextStep) }
        report([entry.item], to: download.device)
    }

    /// The content that the store hosts for a transaction, and where its downloads stand.
    func downloads(of id: UInt64, _ product: String) -> [StoreDownload] {
        (controls.hostedContent[product] ?? []).map { content in
            let key = DownloadKey(transaction: id, content: content.id)
            let running = downloads[key]
            var download = StoreDownload(
                id: content.id, transactionID: String(id), state: running?.state ?? .waiting,
                progress: running?.progress(at: now) ?? 0, expectedContentLength: content.length,
                contentVersion: content.version)
            switch download.state {
            case .active: download.timeRemaining = (1 - download.progress) / content.rate
            case .failed: download.failure = "the connection was lost"
            case .finished: download.contentURL = controls.contentFolder?.appending(path: content.id)
            case .waiting, .paused, .cancelled: break
            }
            return download
        }
    }

    private func content(of key: DownloadKey, for device: Int) -> HostedContent? {
        guard let record = history.record(of: key.transaction), Int(record.account) == devices[device].account,
            record.standing == .paid
        else { return nil }
        return controls.hostedContent[product(of: record).id]?.first { $0.id == key.content }
    }

    private mutating func report(_ keys: [DownloadKey], to device: Int) {
        let changed = keys.flatMap { key in
            history.record(of: key.transaction).map { record in
                downloads(of: key.transaction, product(of: record).id).filter { $0.id == key.content }
            } ?? []
        }
        if !changed.isEmpty { notify(device, on: .downloads, .downloadsUpdated(changed)) }
    }
}

extension StoreDownloadCommand {
    /// The state that the command leads to; nil where it means nothing.
    fileprivate func state(from state: StoreDownload.State) -> StoreDownload.State? {
        switch (self, state) {
        // What failed or was cancelled is started anew from where it ended.
        case (.start, .waiting), (.start, .failed), (.start, .cancelled), (.resume, .paused): .active
        case (.pause, .active): .paused
        case (.cancel, .waiting), (.cancel, .active), (.cancel, .paused): .cancelled
        default: nil
        }
    }
}
