public import StoreManagerCore

extension StoreManager {
    /// Sets the call that buys, for instance in the scene that is in front:
    ///
    /// ```swift
    /// StoreManager.shared.confirmPurchases { product, options in
    ///     try await product.purchase(confirmIn: scene, options: options)
    /// }
    /// ```
    ///
    /// A SwiftUI view has such a call in its environment, `@Environment(\.purchase)`. Pass the options on as they are; more may
    /// be added to them.
    ///
    /// - Returns: false where the manager is not over a ``StoreKit2Backend``; then nothing was set.
    @discardableResult
    public func confirmPurchases(by call: @escaping StoreKit2Backend.PurchaseCall) -> Bool {
        guard let backend = backend as? StoreKit2Backend else { return false }
        backend.purchaseCall = call
        return true
    }
}
