#if os(macOS)
// Not run by the package's own tests, which have no windows. To try first: a purchase with two windows open.
public import AppKit
import StoreKit
public import StoreManagerCore

extension StoreManager {
    /// Lets StoreKit's sheet appear in a window, which is held weakly; once it is gone StoreKit chooses again.
    ///
    /// - Returns: false where the manager is not over a ``StoreKit2Backend``; then nothing was set.
    @available(macOS 15.2, *)
    @discardableResult
    public func confirmPurchases(in window: NSWindow) -> Bool {
        confirmPurchases { [weak window] product, options in
            guard let window else { return try await StoreKit2Backend.buy(product, options: options) }
            return try await product.purchase(confirmIn: window, options: options)
        }
    }
}
#endif
