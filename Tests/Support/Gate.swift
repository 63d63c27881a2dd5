package import StoreManagerCore

/// Holds those who come through it until it is opened, and lets a test wait for their coming.
package final class Gate: Sendable {
    private struct State: Sendable {
        var isOpen = false
        var arrivals = 0
        var held: [CheckedContinuation<Void, Never>] = []
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Locked(State())

    package init() {}

    /// How many have come so far.
    package var arrivals: Int { state.withLock { $0.arrivals } }

    /// Comes to the gate, and returns when it is open.
    package func pass() async {
        await withCheckedContinuation { continuation in
            let resumed: [CheckedContinuation<Void, Never>] = state.withLock { state in
                state.arrivals += 1
                let ready = state.watchers.filter { $0.count <= state.arrivals }.map(\.continuation)
                state.watchers.removeAll { $0.count <= state.arrivals }
                if state.isOpen { return ready + [continuation] }
                state.held.append(continuation)
                return ready
            }
            for continuation in resumed { continuation.resume() }
        }
    }

    /// Lets all through, who are here and who come later.
    package func open() {
        let held = state.withLock { state in
            state.isOpen = true
            defer { state.held = [] }
            return state.held
        }
        for continuation in held { continuation.resume() }
    }

    /// Holds again whoever comes from now on.
    package func close() { state.withLock { $0.isOpen = false } }

    /// Returns when so many have come, in all.
    package func arrival(_ count: Int = 1) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.arrivals >= count { return true }
                state.watchers.append((count, continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }
}

/// A verifier that gives the verdict that a test says, records `verifier 1`, and waits at a gate where there is one.
package final class TestVerifier: TransactionVerifier, Sendable {
    private let verdict: @Sendable (StoreTransaction) -> VerificationVerdict
    private let gate: Gate?
    private let recorder: Recorder?

    package init(
        recorder: Recorder? = nil, gate: Gate? = nil,
        verdict: @escaping @Sendable (StoreTransaction) -> VerificationVerdict = { _ in .valid }
    ) {
        self.recorder = recorder
        self.gate = gate
        self.verdict = verdict
    }

    package func verify(_ transaction: StoreTransaction) async -> VerificationVerdict {
        recorder?.record("verifier \(transaction.id)")
        await gate?.pass()
        return verdict(transaction)
    }
}

/// A ledger in memory, which records what is written down (`ledger write 1`), waits at a gate where there is one, and fails
/// to write while `isBroken`.
package actor TestPersistence: TransactionPersistence {
    private var ledger = Ledger()
    private let gate: Gate?
    private let recorder: Recorder?
    private let broken = Locked(false)

    package init(recorder: Recorder? = nil, gate: Gate? = nil) {
        self.recorder = recorder
        self.gate = gate
    }

    /// Whether changes fail with `SampleError`.
    package nonisolated var isBroken: Bool {
        get { broken.withLock { $0 } }
        set { broken.withLock { $0 = newValue } }
    }

    package func withLedger<Result: Sendable>(
        _ body: @Sendable (inout Ledger) throws -> Result
    ) async throws -> Result {
        await gate?.pass()
        var changed = ledger
        let result = try body(&changed)
        guard changed != ledger else { return result }
        if isBroken { throw SampleError() }
        let before = ledger.recordedIDs
        ledger = changed
        for id in ledger.recordedIDs.subtracting(before).sorted() { recorder?.record("ledger write \(id)") }
        return result
    }
}

extension Ledger {
    /// The latest transaction of each row that stands.
    fileprivate var recordedIDs: Set<StoreTransaction.ID> {
        Set(purchasedProductIdentifiers.flatMap { transactions(for: $0) }.compactMap(\.latestTransactionID))
    }
}
