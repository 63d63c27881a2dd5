import StoreManagerCore

extension Product {
    /// How a product is promoted on the app's page in the store, on this device.
    public struct PromotionInfo: Identifiable, Equatable, Hashable, Sendable {
        /// Whether a product is shown. Later systems may know more.
        public enum Visibility: Equatable, Hashable, Sendable {
            /// As App Store Connect says.
            case appStoreConnectDefault
            /// Shown.
            case visible
            /// Not shown.
            case hidden
        }

        /// The product.
        public let productID: String
        /// Whether it is shown.
        public var visibility: Visibility

        /// The product.
        public var id: String { productID }

        /// Makes the store show it so.
        public func update() async throws {
            try await StoreLink.shared.changePromotions { promotions in
                if let place = promotions.firstIndex(where: { $0.id == id }) {
                    promotions[place] = self
                } else {
                    promotions.append(self)
                }
            }
        }

        /// What is promoted, in order; empty where the order is App Store Connect's.
        public static var currentOrder: [PromotionInfo] {
            get async throws { try await StoreLink.shared.changePromotions { $0 } }
        }

        /// Sets the order.
        public static func updateProductOrder(byID productIDs: some Collection<String> & Sendable) async throws {
            try await StoreLink.shared.changePromotions { promotions in
                let known = promotions
                promotions = productIDs.map { id in
                    known.first { $0.id == id } ?? PromotionInfo(productID: id, visibility: .appStoreConnectDefault)
                }
            }
        }

        /// Sets whether a product is shown.
        public static func updateProductVisibility(_ visibility: Visibility, for productID: String) async throws {
            try await PromotionInfo(productID: productID, visibility: visibility).update()
        }

        /// Sets order and visibility of all.
        public static func updateAll(_ promotions: some Collection<PromotionInfo> & Sendable) async throws {
            try await StoreLink.shared.changePromotions { $0 = Array(promotions) }
        }
    }
}
