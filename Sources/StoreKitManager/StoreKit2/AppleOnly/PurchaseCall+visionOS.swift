#if os(visionOS)
// Not run by the package's own tests, which have no scenes. To try first: a purchase on visionOS with nothing set.
public import StoreKit
import StoreManagerCore
import UIKit

extension StoreKit2Backend {
    /// Buys in the scene that is in front: on visionOS StoreKit does not choose one by itself.
    ///
    /// - Throws: `StoreError.unsupported` where the app has no scene.
    public static func buy(
        _ product: Product, options: Set<Product.PurchaseOption>
    ) async throws -> Product.PurchaseResult {
        let scenes = UIApplication.shared.connectedScenes
        guard let scene = scenes.first(where: { $0.activationState == .foregroundActive }) ?? scenes.first else {
            throw StoreError.unsupported("purchases without a scene")
        }
        return try await product.purchase(confirmIn: scene, options: options)
    }
}
#endif
