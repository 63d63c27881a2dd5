import Foundation
@_spi(StoreKitDouble) import StoreKit
import StoreKitManager
import StoreKitTest
import StoreManagerCore
import StoreSimulator
import TestSupport
import Testing

/// A newly opened kiosk, and an app that sells in it by StoreKit 2: nobody bought anything, and everything goes right.
@MainActor
struct KioskApp: StoreKitApp {
    let session: SKTestSession
    let store: SimulatedStore
    let backend: StoreKit2Backend
    let manager: StoreManager
    let recorder = Recorder()

    /// Opens the kiosk, and the app with its own default receiver, `default`.
    init(
        finishing: StoreManager.FinishingPolicy = .automatic,
        purchaseCall: @escaping StoreKit2Backend.PurchaseCall = StoreKit2Backend.buy
    ) throws {
        session = try SKTestSession(contentsOf: KioskApp.file)
        StoreKitDouble.relaunch()
        store = try #require(StoreKitDouble.currentStore)
        backend = StoreKit2Backend(purchaseCall: purchaseCall)
        manager = StoreManager(backend: backend, clock: store.clock, finishing: finishing)
        manager.defaultHandlers = recorder.purchaseHandlers("default")
    }

    /// The same store, seen by another process of the app.
    init(relaunching old: KioskApp, finishing: StoreManager.FinishingPolicy = .automatic) {
        session = old.session
        store = old.store
        StoreKitDouble.relaunch()
        backend = StoreKit2Backend()
        manager = StoreManager(backend: backend, clock: store.clock, finishing: finishing)
        manager.defaultHandlers = recorder.purchaseHandlers("default")
    }

    func settle() async {
        manager.startObserving()
        repeat {
            await StoreKitDouble.settleReaders()
            await Task.yield()
            if backend.workCount <= StoreKitDouble.openCallCount { await manager.settle() }
        } while backend.workCount > StoreKitDouble.openCallCount || !StoreKitDouble.isSettled
    }
}
