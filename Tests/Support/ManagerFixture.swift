package import StoreManagerCore

/// A manager over a scripted store, on a clock that stands still, and a recorder that the store's commands go to.
@MainActor
package struct ManagerFixture: Sendable {
    package let backend: ScriptedBackend
    package let clock = TestClock()
    package let recorder = Recorder()
    package let manager: StoreManager

    package init(
        capabilities: StoreBackendCapabilities = StoreBackendCapabilities(),
        finishing: StoreManager.FinishingPolicy = .automatic
    ) {
        backend = ScriptedBackend(capabilities: capabilities)
        backend.recorder = recorder
        manager = StoreManager(backend: backend, clock: clock, finishing: finishing)
        // A manager begins by itself a turn later; what a test reports at once must not be missed.
        manager.startObserving()
    }

    /// What was recorded so far.
    package var lines: [String] { recorder.lines }

    /// As ``lines``, without the store's.
    package var handlerLines: [String] { lines.filter { !$0.hasPrefix("store ") } }

    /// Reports transactions as the answer to a purchase, and waits until they are dealt with.
    package func answer(_ token: RequestToken?, with transactions: StoreTransaction...) async {
        backend.report(.transactionsUpdated(transactions.map { StoreTransactionUpdate($0, token: token) }))
        await manager.settle()
    }

    /// Reports events, and waits until they are dealt with.
    package func report(_ events: StoreBackendEvent...) async {
        for event in events { backend.report(event) }
        await manager.settle()
    }

    /// Lets time pass, and waits until all that falls due is dealt with.
    package func advance(by seconds: Double) async {
        await manager.settle()
        clock.advance(by: seconds)
        await manager.settle()
    }
}
