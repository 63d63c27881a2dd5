import StoreManagerCore
import StoreSimulator

/// The way from a manager to the simulated store in one process: at once, or through one of the backends and the double.
@MainActor
struct StoreAccess {
    let backend: any StoreBackend
    private let world: StoreWorld
    private let store: SimulatedStore

    /// The way in the first process.
    init(to store: SimulatedStore, in world: StoreWorld) {
        self.store = store
        self.world = world
        backend = store
    }

    /// The way in the next process.
    func relaunched() -> StoreAccess {
        store.relaunch()
        return self
    }

    /// Returns when all that the store says now has reached the manager.
    func settle() async { await store.settle() }
}
