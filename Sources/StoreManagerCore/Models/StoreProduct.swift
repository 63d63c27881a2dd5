public import Foundation

/// Something that the store sells: what it is, what it costs and, for a subscription, on which terms.
public struct StoreProduct: Hashable, Codable, Sendable, Identifiable {
    /// The product identifier, as the store knows it.
    public var id: String
    /// What kind of thing is sold; `.unknown` where the store does not say (StoreKit 1 does not, except for subscriptions).
    public var type: StoreProductType
    /// The name to show, in the store's language; may be empty.
    public var displayName: String
    /// The description to show, in the store's language; may be empty.
    public var description: String
    /// The price in the currency of `priceLocale`.
    public var price: Decimal
    /// The locale that the price belongs to; nil where the store gave none.
    public var priceLocale: Locale?
    /// The price as the store itself writes it; nil where it leaves that to the app.
    public var displayPrice: String?
    /// Whether family members share it.
    public var isFamilyShareable: Bool
    /// The terms of an auto-renewable subscription; nil for everything else.
    public var subscription: StoreSubscriptionTerms?

    /// Makes a product. All but the identifier, type and price have a default.
    public init(
        id: String, type: StoreProductType, displayName: String = "", description: String = "", price: Decimal,
        priceLocale: Locale? = nil, displayPrice: String? = nil, isFamilyShareable: Bool = false,
        subscription: StoreSubscriptionTerms? = nil
    ) {
        self.id = id
        self.type = type
        self.displayName = displayName
        self.description = description
        self.price = price
        self.priceLocale = priceLocale
        self.displayPrice = displayPrice
        self.isFamilyShareable = isFamilyShareable
        self.subscription = subscription
    }
}

/// The kinds of in-app purchase.
public enum StoreProductType: String, Hashable, Codable, Sendable, CaseIterable {
    /// Used up, and bought again.
    case consumable
    /// Bought once, owned for ever.
    case nonConsumable
    /// A subscription that ends by itself; the app keeps its term.
    case nonRenewable
    /// A subscription that renews until it is cancelled.
    case autoRenewable
    /// The store does not say.
    case unknown
}
