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
struct KioskApp {
    nonisolated static let stamps = "com.example.kiosk.stamps"
    nonisolated static let removeAds = "com.example.kiosk.removeads"
    nonisolated static let season = "com.example.kiosk.season"
    nonisolated static let goldMonthly = "com.example.kiosk.gold.monthly"
    nonisolated static let goldYearly = "com.example.kiosk.gold.yearly"
    nonisolated static let silverMonthly = "com.example.kiosk.silver.monthly"
    nonisolated static let all = [stamps, removeAds, season, goldMonthly, goldYearly, silverMonthly]

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

    static var file: URL {
        URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../StoreKitTests/Fixtures/Kiosk.storekit").standardized
    }

    /// What was recorded so far.
    var lines: [String] { recorder.lines }

    /// A product, by the manager.
    func product(_ identifier: String) async throws -> StoreProduct {
        try #require(try await manager.products(withIdentifiers: [identifier]).products.first)
    }

    /// Buys, with closures that record under `name`, and waits until the store has nothing more to say.
    @discardableResult
    func buy(
        _ identifier: String, as name: String = "a", options: PurchaseOptions = PurchaseOptions()
    ) async throws -> RequestToken {
        let product = try await product(identifier)
        let token = manager.purchase(product, options: options, handlers: recorder.purchaseHandlers(name))
        await settle()
        return token
    }

    /// Returns when the store has nothing left to report now, and the app has dealt with all that it reported.
    func settle() async {
        manager.startObserving()
        repeat {
            await StoreKitDouble.settleReaders()
            await Task.yield()
            if backend.workCount <= StoreKitDouble.openCallCount { await manager.settle() }
        } while backend.workCount > StoreKitDouble.openCallCount || !StoreKitDouble.isSettled
    }
}
