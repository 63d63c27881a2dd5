import Foundation
@_spi(StoreKitDouble) import StoreKit
import StoreKitManager
import StoreKitTest
import StoreManagerCore
import StoreSimulator
import TestSupport
import Testing

/// A newly opened kiosk, and an app that sells in it through StoreKit 1: nobody bought anything, and everything goes right.
@MainActor
struct QueueApp: StoreKitApp {
    let session: SKTestSession
    let store: SimulatedStore
    let backend: StoreKit1Backend
    let manager: StoreManager
    let recorder = Recorder()
    let queue = SKPaymentQueue.default()

    /// Opens the kiosk, and the app with a default receiver, `default`.
    ///
    /// - Parameter callbackQueue: Where StoreKit calls back.
    init(
        callbackQueue: DispatchQueue = .main, finishing: StoreManager.FinishingPolicy = .automatic,
        persistence: (any TransactionPersistence)? = nil
    ) throws {
        StoreKitDouble.callbackQueue = callbackQueue
        let session = try SKTestSession(contentsOf: QueueApp.file)
        StoreKitDouble.relaunch()
        let store = try #require(StoreKitDouble.currentStore)
        self.init(session, store, finishing, persistence)
    }

    /// The same store, seen by another process of the app.
    init(relaunching old: QueueApp) {
        StoreKitDouble.relaunch()
        self.init(old.session, old.store, old.manager.finishing, old.manager.persistence)
    }

    private init(
        _ session: SKTestSession, _ store: SimulatedStore, _ finishing: StoreManager.FinishingPolicy,
        _ persistence: (any TransactionPersistence)?
    ) {
        self.session = session
        self.store = store
        backend = StoreKit1Backend(clock: store.clock)
        manager = StoreManager(backend: backend, clock: store.clock, finishing: finishing)
        manager.persistence = persistence
        manager.defaultHandlers = recorder.purchaseHandlers("default")
    }

    /// Hears the backend in the manager's place.
    func hear() -> BackendEar {
        // A manager begins by itself a turn later; it must not come after the ear.
        manager.startObserving()
        let ear = BackendEar()
        backend.startObserving(ear)
        return ear
    }

    func settle() async {
        manager.startObserving()
        var known: Int
        repeat {
            known = backend.reportCount
            await manager.settle()
            await StoreKitDouble.settle()
            await backend.settle()
        } while backend.reportCount != known
        await manager.settle()
    }
}

/// Hears a backend itself, without a manager.
@MainActor
final class BackendEar: StoreBackendObserver {
    private(set) var events: [StoreBackendEvent] = []

    func storeBackend(_ backend: any StoreBackend, didReport event: StoreBackendEvent) { events.append(event) }

    /// All that was said of transactions.
    var updates: [StoreTransactionUpdate] {
        events.flatMap { event -> [StoreTransactionUpdate] in
            if case .transactionsUpdated(let updates) = event { updates } else { [] }
        }
    }

    /// The transactions that were finished.
    var finished: [StoreTransaction.ID] {
        events.compactMap { if case .transactionFinished(let id) = $0 { id } else { nil } }
    }

    /// All that was said of downloads.
    var downloads: [StoreDownload] {
        events.flatMap { event -> [StoreDownload] in
            if case .downloadsUpdated(let downloads) = event { downloads } else { [] }
        }
    }
}
