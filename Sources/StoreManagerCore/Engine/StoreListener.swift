/// Hears the store for one manager, and does not keep it alive. It outlives the manager just long enough to tell the store
/// that nobody listens any more, even where another manager listens to that store by then.
@MainActor
final class StoreListener: StoreBackendObserver {
    private weak var manager: StoreManager?
    private let backend: any StoreBackend

    /// Begins to listen.
    init(for manager: StoreManager, to backend: any StoreBackend) {
        self.manager = manager
        self.backend = backend
        backend.startObserving(self)
    }

    /// Listens no more.
    func stop() { backend.stopObserving(self) }

    func storeBackend(_ backend: any StoreBackend, didReport event: StoreBackendEvent) {
        manager?.post(.store(event))
    }
}
