import Foundation
import StoreManagerCore

extension Product {
    /// A product of the package's, as StoreKit 2 gives it.
    init(_ product: StoreProduct) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        self.init(source: product, jsonRepresentation: (try? encoder.encode(ProductRecord(product))) ?? Data())
    }
}

/// What the JSON of a product says, as far as Apple documents it.
private struct ProductRecord: Encodable {
    var id: String
    var kind: String
    var name: String
    var description: String
    var price: Decimal
    var displayPrice: String?
    var isFamilyShareable: Bool
    var subscriptionGroupID: String?
    var subscriptionPeriod: String?

    init(_ product: StoreProduct) {
        id = product.id
        kind = Product.ProductType(product.type).rawValue
        name = product.displayName
        description = product.description
        price = product.price
        displayPrice = product.displayPrice
        isFamilyShareable = product.isFamilyShareable
        subscriptionGroupID = product.subscription?.groupID
        subscriptionPeriod = product.subscription?.period.iso8601
    }
}
