public import Foundation
public import StoreManagerCore

extension StoreConfiguration {
    /// Something that the store sells, before it has a language and a currency.
    public struct Product: Hashable, Codable, Sendable, Identifiable {
        /// The product identifier.
        public var id: String
        /// What kind of thing it is; `.unknown` where the file leaves it out, and the product cannot be bought.
        public var type: StoreProductType
        /// The name for the seller's own eyes; nil where there is none.
        public var referenceName: String?
        /// The price in the currency of the storefront; nil where the file leaves it empty.
        public var price: Decimal?
        /// Whether family members share it.
        public var isFamilyShareable: Bool
        /// The identifier in App Store Connect, or one made by Xcode; nil where a file written by hand leaves it out.
        public var internalID: String?
        /// Name and description by language, in the order of the file.
        public var localizations: [Localization]
        /// The terms of an auto-renewable subscription; nil for everything else, and for one that stands outside a group.
        public var subscription: Subscription?

        /// Makes a product. All but the identifier, the type and the price have a default.
        public init(
            id: String, type: StoreProductType, price: Decimal?, referenceName: String? = nil,
            isFamilyShareable: Bool = false, internalID: String? = nil, localizations: [Localization] = [],
            subscription: Subscription? = nil
        ) {
            self.id = id
            self.type = type
            self.referenceName = referenceName
            self.price = price
            self.isFamilyShareable = isFamilyShareable
            self.internalID = internalID
            self.localizations = localizations
            self.subscription = subscription
        }

        /// Why the product can be listed but not bought; nil where it can be bought.
        public var obstacleToPurchase: String? {
            if type == .unknown { return "\"\(id)\" has no type" }
            if price == nil { return "\"\(id)\" has no price" }
            if type == .autoRenewable, subscription?.period == nil { return "\"\(id)\" has no subscription period" }
            return nil
        }
    }

    /// A name and a description in one language.
    public struct Localization: Hashable, Codable, Sendable {
        /// The locale with an underscore, such as `en_US`, `zh_Hans` or `ja`.
        public var locale: String
        /// The name to show; may be empty.
        public var displayName: String
        /// The description to show; may be empty.
        public var description: String

        /// Makes a localization.
        public init(locale: String, displayName: String, description: String = "") {
            self.locale = locale
            self.displayName = displayName
            self.description = description
        }
    }
}
