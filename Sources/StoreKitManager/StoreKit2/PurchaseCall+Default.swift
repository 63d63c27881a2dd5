#if !os(visionOS)
public import StoreKit

extension StoreKit2Backend {
    // Run here over the double alone, which shows no sheet: where Apple's own appears could not be tried.
    /// Buys where StoreKit itself chooses where its sheet appears.
    public static func buy(
        _ product: Product, options: Set<Product.PurchaseOption>
    ) async throws -> Product.PurchaseResult {
        try await product.purchase(options: options)
    }
}
#endif
