package import StoreManagerCore

/// What was called, in order, one readable line a call. Anything may record, from any thread.
package final class Recorder: Sendable {
    private let recorded = Locked<[String]>([])
    private let watchers = Locked<[(line: String, continuation: CheckedContinuation<Void, Never>)]>([])

    package init() {}

    /// All lines so far.
    package var lines: [String] { recorded.withLock { $0 } }

    /// Adds a line.
    package func record(_ line: String) {
        recorded.withLock { $0.append(line) }
        resumeWatchers()
    }

    /// Returns when the line is there. For what nothing else tells of: a test that waits in vain never ends.
    package func wait(for line: String) async {
        await withCheckedContinuation { continuation in
            watchers.withLock { $0.append((line, continuation)) }
            resumeWatchers()
        }
    }

    private func resumeWatchers() {
        let lines = Set(self.lines)
        let ready = watchers.withLock { watchers in
            defer { watchers.removeAll { lines.contains($0.line) } }
            return watchers.filter { lines.contains($0.line) }
        }
        for watcher in ready { watcher.continuation.resume() }
    }

    /// Forgets all lines, and returns them.
    @discardableResult
    package func clear() -> [String] {
        recorded.withLock { lines in
            defer { lines = [] }
            return lines
        }
    }

    /// The lines that begin with `name` and a blank: what one request, or the store, was told.
    package func lines(of name: String) -> [String] { lines.filter { $0.hasPrefix(name + " ") } }
}

// MARK: Closures that record

extension Recorder {
    /// Closures that record under `name`: `a success 1`, `a restore 1`, `a failure 1 unknown`, `a cancel`, `a defer`,
    /// `a verify 1`, `a revoke 1`, `a intent coins`. Without `verifies` there is no verify closure; set others to nil at will.
    package func purchaseHandlers(_ name: String, verifies: Bool = false) -> PurchaseHandlers {
        var handlers = PurchaseHandlers(
            onSuccess: { self.record("\(name) success \($0.id)") },
            onRestore: { self.record("\(name) restore \($0.id)") },
            onFailure: { self.record("\(name) failure \($0?.id ?? "-") \($1.name)") },
            onCancel: { self.record("\(name) cancel") },
            onDefer: { self.record("\(name) defer") },
            onRevoke: { self.record("\(name) revoke \($0.id)") },
            onPurchaseIntent: { self.record("\(name) intent \($0.product.id)") })
        if verifies { handlers.onVerify = { self.record("\(name) verify \($0.id)") } }
        return handlers
    }

    /// Closures that record under `name`: `a products [coins] invalid []`, `a failure network`.
    package func fetchHandlers(_ name: String) -> ProductFetchHandlers {
        ProductFetchHandlers(
            onSuccess: { self.record("\(name) \($0.line)") }, onFailure: { self.record("\(name) failure \($0.name)") })
    }

    /// Closures that record under `name`: `a restored [1] invalid [2 verificationFailed] undecided []`, `a failure cancelled`,
    /// `a verify [1, 2]`. Without `verifies` there is no verify closure.
    package func restoreHandlers(_ name: String, verifies: Bool = false) -> RestoreHandlers {
        var handlers = RestoreHandlers(
            onSuccess: { self.record("\(name) \($0.line)") }, onFailure: { self.record("\(name) failure \($0.name)") })
        if verifies { handlers.onVerify = { self.record("\(name) verify \($0.map(\.id).line)") } }
        return handlers
    }
}

// MARK: Things in print

extension StoreEvent {
    /// The name of the case.
    package var name: String { Mirror(reflecting: self).children.first?.label ?? "\(self)" }

    /// `purchased 1 purchase-1`, as far as it is about a transaction and a request.
    package var line: String {
        [name, transaction?.id, token?.description].compactMap(\.self).joined(separator: " ")
    }
}

extension PurchaseOutcome {
    /// The name of the case.
    package var name: String { Mirror(reflecting: self).children.first?.label ?? "\(self)" }
}

extension StoreError {
    /// The name of the case.
    package var name: String {
        switch self {
        case .transactionRemoved: "transactionRemoved"
        case .downloadCancelled: "downloadCancelled"
        default: Mirror(reflecting: self).children.first?.label ?? description
        }
    }
}

extension PurchaseOutcome {
    /// `purchased 1 purchased`: what it is, of which transaction, in which state; `deferred purchase-1`; `cancelled`.
    package var line: String {
        switch self {
        case .purchased(let transaction): "purchased \(transaction.id) \(transaction.state)"
        case .restored(let transaction): "restored \(transaction.id) \(transaction.state)"
        case .scheduled(let transaction): "scheduled \(transaction.id) \(transaction.state)"
        case .deferred(let token): "deferred \(token)"
        case .cancelled: "cancelled"
        }
    }
}

extension ProductFetchResponse {
    /// `products [coins] invalid [nonsense]`
    package var line: String { "products \(products.map(\.id).line) invalid \(invalidIdentifiers.line)" }
}

extension RestoreResult {
    /// `restored [1] invalid [2 verificationFailed] undecided []`
    package var line: String {
        let refusals = [invalid, undecided].map { $0.map { "\($0.transaction.id) \($0.error.name)" }.line }
        return "restored \(restored.map(\.id).line) invalid \(refusals[0]) undecided \(refusals[1])"
    }
}

extension [String] {
    /// `[coins, gems]`
    package var line: String { "[\(joined(separator: ", "))]" }
}
