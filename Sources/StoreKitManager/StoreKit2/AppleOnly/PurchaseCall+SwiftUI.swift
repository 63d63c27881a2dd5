#if canImport(SwiftUI)
// Not run by the package's own tests, which have no views. To try first: a purchase from a view that has the modifier.
import StoreKit
public import StoreManagerCore
public import SwiftUI

extension View {
    /// Lets StoreKit's sheet appear where this view is, from its first appearance on.
    public func confirmsPurchases(of manager: StoreManager) -> some View {
        modifier(PurchaseConfirmation(manager: manager))
    }
}

private struct PurchaseConfirmation: ViewModifier {
    let manager: StoreManager
    @Environment(\.purchase) private var purchase

    func body(content: Content) -> some View {
        content.onAppear {
            manager.confirmPurchases { [purchase] product, options in
                try await purchase(product, options: options)
            }
        }
    }
}
#endif
