#if canImport(UIKit) && !os(watchOS)
// Not run by the package's own tests, which have no scenes. To try first: a purchase in the second of two windows on iPad.
import StoreKit
public import StoreManagerCore
public import UIKit

extension StoreManager {
    /// Lets StoreKit's sheet appear in a scene, which is held weakly; once it is gone StoreKit chooses again.
    ///
    /// - Returns: false where the manager is not over a ``StoreKit2Backend``; then nothing was set.
    @discardableResult
    public func confirmPurchases(in scene: UIScene) -> Bool {
        confirmPurchases { [weak scene] product, options in
            guard let scene else { return try await StoreKit2Backend.buy(product, options: options) }
            return try await product.purchase(confirmIn: scene, options: options)
        }
    }

    /// Lets StoreKit's sheet appear over a view controller, which is held weakly; once it is gone StoreKit chooses again.
    ///
    /// - Returns: false where the manager is not over a ``StoreKit2Backend``; then nothing was set.
    @available(iOS 18.2, macCatalyst 18.2, tvOS 18.2, visionOS 2.2, *)
    @discardableResult
    public func confirmPurchases(in viewController: UIViewController) -> Bool {
        confirmPurchases { [weak viewController] product, options in
            guard let viewController else { return try await StoreKit2Backend.buy(product, options: options) }
            return try await product.purchase(confirmIn: viewController, options: options)
        }
    }
}
#endif
