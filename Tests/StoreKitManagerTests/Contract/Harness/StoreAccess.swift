@_spi(StoreKitDouble) import StoreKit
import StoreKitManager
import StoreManagerCore
import StoreSimulator

/// The way from a manager to the simulated store in one process: straight, or through a backend and the double.
@MainActor
enum StoreAccess {
    case simulator(SimulatedStore)
    case storeKit2(StoreKit2Backend)
    case storeKit1(StoreKit1Backend)

    /// The way in a first process.
    init(to store: SimulatedStore, in world: StoreWorld) {
        switch world {
        case .simulator:
            self = .simulator(store)
        case .storeKit2:
            store.habits.answersPlanChangesWithHeldTransaction = true
            StoreKitDouble.currentStore = store
            StoreKitDouble.relaunch()
            self = .storeKit2(StoreKit2Backend())
        case .storeKit1:
            store.habits.answersPlanChangesWithHeldTransaction = true
            store.habits.restoresAsCopies = true
            StoreKitDouble.currentStore = store
            StoreKitDouble.relaunch()
            self = .storeKit1(StoreKit1Backend(clock: store.clock))
        }
    }

    /// The way in the next process.
    func relaunched() -> StoreAccess {
        switch self {
        case .simulator(let store):
            store.relaunch()
            return self
        case .storeKit2:
            StoreKitDouble.relaunch()
            return .storeKit2(StoreKit2Backend())
        case .storeKit1(let backend):
            StoreKitDouble.relaunch()
            return .storeKit1(StoreKit1Backend(clock: backend.clock))
        }
    }

    /// What the manager is made over.
    var backend: any StoreBackend {
        switch self {
        case .simulator(let store): store
        case .storeKit2(let backend): backend
        case .storeKit1(let backend): backend
        }
    }

    /// Returns when all that the store says now has reached the manager.
    func settle() async {
        switch self {
        case .simulator(let store):
            await store.settle()
        case .storeKit2(let backend):
            repeat {
                await Task.yield()
                await StoreKitDouble.settleReaders()
                // A command that is under way waits for the store, or else for its turn.
            } while backend.workCount > StoreKitDouble.openCallCount
        case .storeKit1(let backend):
            await StoreKitDouble.settle()
            await backend.settle()
        }
    }
}
