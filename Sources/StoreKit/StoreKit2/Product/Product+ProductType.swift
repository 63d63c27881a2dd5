import StoreManagerCore

extension Product {
    /// The kinds of in-app purchase. The set is open: any raw value is one.
    public struct ProductType: RawRepresentable, Equatable, Hashable, Sendable {
        /// The store's name of the kind.
        public let rawValue: String
        /// Keeps the store's name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Used up, and bought again.
        public static let consumable = ProductType(rawValue: "Consumable")
        /// Bought once, owned for ever.
        public static let nonConsumable = ProductType(rawValue: "Non-Consumable")
        /// A subscription that ends by itself.
        public static let nonRenewable = ProductType(rawValue: "Non-Renewing Subscription")
        /// A subscription that renews until it is cancelled.
        public static let autoRenewable = ProductType(rawValue: "Auto-Renewable Subscription")

        /// The name of the kind.
        public var localizedDescription: String { rawValue }

        init(_ type: StoreProductType) {
            switch type {
            case .consumable: self = .consumable
            case .nonConsumable: self = .nonConsumable
            case .nonRenewable: self = .nonRenewable
            case .autoRenewable: self = .autoRenewable
            case .unknown: self.init(rawValue: "Unknown")
            }
        }
    }
}
