package import Foundation
package import StoreManagerCore

/// A store that does nothing by itself: it keeps what it is told, and reports what a test says.
@MainActor
package final class ScriptedBackend: StoreBackend {
    /// A command that the backend was given.
    package enum Command: Sendable {
        case fetch([String], RequestToken)
        case purchase(StorePayment)
        case restore(String?, RequestToken)
        case finish(StoreTransaction)
        case entitlements(RequestToken)
        case refreshReceipt(RequestToken)
        case downloads(StoreDownloadCommand, [StoreDownload])
    }

    package var capabilities: StoreBackendCapabilities
    package var canMakePayments = true
    package var storefront: StoreStorefront?
    /// All commands, in order.
    package private(set) var commands: [Command] = []
    /// What the store answers at once, inside the call of the command; nothing by default.
    package var answer: @MainActor (Command) -> [StoreBackendEvent] = { _ in [] }
    /// Whether somebody is there who observes.
    package var isObserved: Bool { observer != nil }
    /// Where the commands are recorded, each as `store` and its ``Command/line``.
    package var recorder: Recorder?
    private weak var observer: (any StoreBackendObserver)?
    private var stops = 0
    private var stopWatchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    /// What was reported before anybody observed.
    private var unheard: [StoreBackendEvent] = []

    package init(capabilities: StoreBackendCapabilities = StoreBackendCapabilities()) {
        self.capabilities = capabilities
    }

    /// Reports events, as the store would; as soon as somebody observes, where nobody does yet.
    package func report(_ events: StoreBackendEvent...) {
        unheard += events
        guard let observer else { return }
        let events = unheard
        unheard = []
        for event in events { observer.storeBackend(self, didReport: event) }
    }

    package func startObserving(_ observer: any StoreBackendObserver) {
        self.observer = observer
        report()
    }

    package func stopObserving(_ observer: any StoreBackendObserver) {
        stops += 1
        if self.observer === observer { self.observer = nil }
        for watcher in stopWatchers where watcher.count <= stops { watcher.continuation.resume() }
        stopWatchers.removeAll { $0.count <= stops }
    }

    /// Returns when so many observers have stopped observing, in all.
    package func stop(_ count: Int = 1) async {
        if stops >= count { return }
        await withCheckedContinuation { stopWatchers.append((count, $0)) }
    }

    package func fetchProducts(withIdentifiers identifiers: [String], for token: RequestToken) {
        take(.fetch(identifiers, token))
    }

    package func add(_ payment: StorePayment) { take(.purchase(payment)) }

    package func restorePurchases(applicationUsername: String?, for token: RequestToken) {
        take(.restore(applicationUsername, token))
    }

    package func finish(_ transaction: StoreTransaction) { take(.finish(transaction)) }

    package func readCurrentEntitlements(for token: RequestToken) { take(.entitlements(token)) }

    package func receiptData() -> Data? { nil }

    package func refreshReceipt(for token: RequestToken) { take(.refreshReceipt(token)) }

    package func perform(_ command: StoreDownloadCommand, on downloads: [StoreDownload]) {
        take(.downloads(command, downloads))
    }

    private func take(_ command: Command) {
        commands.append(command)
        recorder?.record("store \(command.line)")
        for event in answer(command) { report(event) }
    }
}

extension ScriptedBackend.Command {
    /// The command in print, such as `finish 1`.
    package var line: String {
        switch self {
        case .fetch(let identifiers, _): "fetch \(identifiers.line)"
        case .purchase(let payment): "purchase \(payment.product.id)"
        case .restore(let username, _): username.map { "restore \($0)" } ?? "restore"
        case .finish(let transaction): "finish \(transaction.id)"
        case .entitlements: "entitlements"
        case .refreshReceipt: "refreshReceipt"
        case .downloads(let command, let downloads): "\(command.rawValue) \(downloads.map(\.id).line)"
        }
    }
}

extension ScriptedBackend {
    /// The payments that were added, in order.
    package var payments: [StorePayment] {
        commands.compactMap { if case .purchase(let payment) = $0 { payment } else { nil } }
    }

    /// The transactions that were finished, in order.
    package var finished: [StoreTransaction.ID] {
        commands.compactMap { if case .finish(let transaction) = $0 { transaction.id } else { nil } }
    }

    /// The identifiers that each fetch asked for, in order.
    package var fetches: [(identifiers: [String], token: RequestToken)] {
        commands.compactMap { if case .fetch(let identifiers, let token) = $0 { (identifiers, token) } else { nil } }
    }

    /// The restores that were asked for, in order.
    package var restores: [(username: String?, token: RequestToken)] {
        commands.compactMap { if case .restore(let username, let token) = $0 { (username, token) } else { nil } }
    }
}

extension ScriptedBackend.Command {
    /// What a store answers that finishes at once, and does nothing else by itself.
    package var finishedAtOnce: [StoreBackendEvent] {
        if case .finish(let transaction) = self { [.transactionFinished(transaction.id)] } else { [] }
    }
}

extension ScriptedBackend {
    /// Returns when a payment was added; the store does not answer it.
    package func firstPayment() async {
        if !payments.isEmpty { return }
        await withCheckedContinuation { continuation in
            answer = { [weak self] command in
                guard case .purchase = command else { return [] }
                self?.answer = { _ in [] }
                continuation.resume()
                return []
            }
        }
    }
}
