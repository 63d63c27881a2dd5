public import Foundation
import StoreManagerCore

extension StoreConfiguration {
    /// The catalogue as plain data, for programs to read.
    public var listing: CatalogueListing { CatalogueListing(self) }
}

/// What a configuration sells, as one document: the version, and the products sorted by identifier.
///
/// ```json
/// {"version": "4.0", "products": [{"id": "com.example.coins", "type": "consumable", "price": "0.99",
///                                  "familyShareable": false}]}
/// ```
///
/// * `type` is `consumable`, `nonConsumable`, `nonRenewing`, `autoRenewable`, or `unknown` where the file leaves it out.
/// * A price is a decimal as text in its shortest form. One that the file leaves empty is null.
/// * Only auto-renewable subscriptions in a group have `group`, `level`, `period` (ISO 8601) and `offers`.
/// * `offers` holds a list each for `introductory`, `promotional`, `code` and `winBack`, in the order of the file. An offer
///   has `id` (null where it has none), `mode` (`free`, `payAsYouGo` or `payUpFront`), `price`, `period` and `count`.
public struct CatalogueListing: Hashable, Sendable, Encodable {
    let version: String
    let products: [Product]

    /// Lists a configuration.
    public init(_ configuration: StoreConfiguration) {
        version = configuration.version.description
        products = configuration.products
            .sorted { $0.id.utf8.lexicographicallyPrecedes($1.id.utf8) }
            .map(Product.init)
    }

    /// The document as JSON: indented, its keys sorted, a line break at the end.
    public func jsonData() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self) + Data("\n".utf8)
    }

    struct Product: Hashable, Encodable {
        let id: String
        let type: String
        @WrittenAsNull var price: String?
        let familyShareable: Bool
        /// Written beside the product's own keys.
        let subscription: Subscription?
    }

    struct Subscription: Hashable, Encodable {
        let group: String
        let level: Int
        @WrittenAsNull var period: String?
        let offers: Offers
    }

    struct Offers: Hashable, Encodable {
        let introductory: [Offer]
        let promotional: [Offer]
        let code: [Offer]
        let winBack: [Offer]
    }

    struct Offer: Hashable, Encodable {
        @WrittenAsNull var id: String?
        let mode: String
        @WrittenAsNull var price: String?
        let period: String
        let count: Int
    }
}

extension CatalogueListing.Product {
    init(_ product: StoreConfiguration.Product) {
        id = product.id
        type = product.type == .nonRenewable ? "nonRenewing" : product.type.rawValue
        price = product.price?.description
        familyShareable = product.isFamilyShareable
        subscription = product.subscription.map(CatalogueListing.Subscription.init)
    }

    private enum CodingKeys: String, CodingKey {
        case id, type, price, familyShareable
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(type, forKey: .type)
        try container.encode(_price, forKey: .price)
        try container.encode(familyShareable, forKey: .familyShareable)
        try subscription?.encode(to: encoder)
    }
}

extension CatalogueListing.Subscription {
    init(_ subscription: StoreConfiguration.Subscription) {
        group = subscription.groupID
        level = subscription.groupLevel
        period = subscription.period?.iso8601
        offers = CatalogueListing.Offers(
            introductory: subscription.introductoryOffers.map(CatalogueListing.Offer.init),
            promotional: subscription.promotionalOffers.map(CatalogueListing.Offer.init),
            code: subscription.codeOffers.map(CatalogueListing.Offer.init),
            winBack: subscription.winBackOffers.map(CatalogueListing.Offer.init))
    }
}

extension CatalogueListing.Offer {
    init(_ offer: StoreConfiguration.Offer) {
        id = offer.id
        mode = offer.paymentMode == .freeTrial ? "free" : offer.paymentMode.rawValue
        price = offer.price?.description
        period = offer.period.iso8601
        count = offer.periodCount
    }
}

/// Keeps the key of a value that is missing, and writes null.
@propertyWrapper
struct WrittenAsNull: Hashable, Sendable, Encodable {
    var wrappedValue: String?

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(wrappedValue)
    }
}
