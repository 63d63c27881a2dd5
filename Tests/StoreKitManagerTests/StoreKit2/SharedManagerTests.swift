import Foundation
@_spi(StoreKitDouble) import StoreKit
import StoreKitManager
import StoreManagerCore
import TestSupport
import Testing

extension StoreKitManagerTests {
    /// The manager that an app touches at launch.
    @MainActor
    struct SharedManagerTests {
        @Test("A01 shared sells what the file lists that the environment names")
        func configured() async throws {
            StoreKitDouble.useStore(namedBy: ["STOREKIT_CONFIGURATION": KioskApp.file.path])
            let response = try await StoreManager.shared.products(withIdentifiers: [KioskApp.stamps])
            #expect(response.products.map(\.id) == [KioskApp.stamps])
        }

        @Test(
            "A01 without a store every request of shared fails, and says what to set",
            arguments: [[:], ["STOREKIT_CONFIGURATION": "/nowhere.storekit"]])
        func notConfigured(environment: [String: String]) async throws {
            StoreKitDouble.useStore(namedBy: environment)
            let product = StoreProduct(id: KioskApp.stamps, type: .consumable, price: 1)
            await expectHelp { _ = try await StoreManager.shared.products(withIdentifiers: [KioskApp.stamps]) }
            await expectHelp { _ = try await StoreManager.shared.purchase(product) }
            await expectHelp { _ = try await StoreManager.shared.restorePurchases() }
            #expect(StoreManager.shared.canMakePayments)
        }

        @Test("A01 shared is one manager, from any thread, over StoreKit 2")
        func one() async {
            let other = await Task.detached { StoreManager.shared }.value
            #expect(other === StoreManager.shared)
            #expect(StoreManager.shared.backend is StoreKit2Backend)
            #expect(StoreManager(backend: .storeKit2).backend is StoreKit2Backend)
        }

        private func expectHelp(_ request: @MainActor () async throws -> Void) async {
            let error = await #expect(throws: StoreError.self) { try await request() }
            #expect(error?.localizedDescription.contains("STOREKIT_CONFIGURATION") == true)
        }
    }
}
