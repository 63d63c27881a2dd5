import Foundation
import StoreManagerCore
import TestSupport
import Testing

/// An app that sells in the kiosk by one of both StoreKits.
@MainActor
protocol StoreKitApp {
    var manager: StoreManager { get }
    var recorder: Recorder { get }

    /// Returns when the store has nothing left to report now, and the app has dealt with all that it reported.
    func settle() async
}

extension StoreKitApp {
    nonisolated static var stamps: String { "com.example.kiosk.stamps" }
    nonisolated static var removeAds: String { "com.example.kiosk.removeads" }
    nonisolated static var season: String { "com.example.kiosk.season" }
    nonisolated static var goldMonthly: String { "com.example.kiosk.gold.monthly" }
    nonisolated static var goldYearly: String { "com.example.kiosk.gold.yearly" }
    nonisolated static var silverMonthly: String { "com.example.kiosk.silver.monthly" }
    nonisolated static var all: [String] { [stamps, removeAds, season, goldMonthly, goldYearly, silverMonthly] }

    /// What the kiosk sells.
    nonisolated static var file: URL {
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
}
