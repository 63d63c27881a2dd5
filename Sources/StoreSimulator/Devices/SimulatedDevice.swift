/// A further device in a simulated store, on an account of its own or on one that it shares.
@MainActor
public final class SimulatedDevice: SimulatedBackend {
    /// The store.
    public let store: SimulatedStore
    /// The number of the device in its store.
    public let deviceIndex: Int

    init(store: SimulatedStore, index: Int) {
        self.store = store
        deviceIndex = index
    }
}
