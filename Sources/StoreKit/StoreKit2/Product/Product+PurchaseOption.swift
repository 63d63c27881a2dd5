public import Foundation

extension Product {
    /// What a purchase may say beyond the product.
    public struct PurchaseOption: Equatable, Hashable, Sendable {
        package let content: Content

        /// What options say. One of the package's own kinds comes from StoreKitTest.
        package enum Content: Sendable {
            case appAccountToken(UUID)
            case quantity(Int)
            case simulatesAskToBuyInSandbox(Bool)
            case custom(key: String, value: CustomValue)
            case onStorefrontChange(@Sendable (Storefront) -> Bool)
            case promotionalOffer(offerID: String, signature: SubscriptionOffer.Signature)
            case winBackOffer(offerID: String)
            case promotionalOfferID(String)
            case codeOffer(referenceName: String)
            case purchaseDate(Date, renewsUntilNow: Bool)
        }

        /// The value of a custom option.
        package enum CustomValue: Hashable, Sendable {
            case string(String)
            case number(Double)
            case flag(Bool)
            case data(Data)
        }

        package init(_ content: Content) { self.content = content }

        /// Ties the purchase to an account of the app's own.
        public static func appAccountToken(_ token: UUID) -> PurchaseOption { Self(.appAccountToken(token)) }

        /// How many; for consumables and non-renewing subscriptions only.
        public static func quantity(_ quantity: Int) -> PurchaseOption { Self(.quantity(quantity)) }

        /// In a sandbox, whether the purchase waits for approval.
        public static func simulatesAskToBuyInSandbox(_ simulateAskToBuy: Bool) -> PurchaseOption {
            Self(.simulatesAskToBuyInSandbox(simulateAskToBuy))
        }

        /// Whether the purchase goes on when the storefront changes while it is under way; without it, it does.
        @preconcurrency
        public static func onStorefrontChange(
            shouldContinuePurchase: @escaping @Sendable (Storefront) -> Bool
        ) -> PurchaseOption { Self(.onStorefrontChange(shouldContinuePurchase)) }

        /// An option of the store's that has no name of its own.
        public static func custom(key: String, value: String) -> PurchaseOption {
            Self(.custom(key: key, value: .string(value)))
        }

        /// An option of the store's that has no name of its own.
        public static func custom(key: String, value: Double) -> PurchaseOption {
            Self(.custom(key: key, value: .number(value)))
        }

        /// An option of the store's that has no name of its own.
        public static func custom(key: String, value: Bool) -> PurchaseOption {
            Self(.custom(key: key, value: .flag(value)))
        }

        /// An option of the store's that has no name of its own.
        public static func custom(key: String, value: Data) -> PurchaseOption {
            Self(.custom(key: key, value: .data(value)))
        }
    }
}

// MARK: Offers

extension Product.PurchaseOption {
    /// Redeems a promotional offer with the classic signature.
    ///
    /// - Parameter timestamp: When it was signed, in milliseconds since 1970.
    public static func promotionalOffer(
        offerID: String, keyID: String, nonce: UUID, signature: Data, timestamp: Int
    ) -> Product.PurchaseOption {
        promotionalOffer(
            offerID: offerID, signature: .init(keyID: keyID, nonce: nonce, timestamp: timestamp, signature: signature))
    }

    /// Redeems a promotional offer with the classic signature.
    public static func promotionalOffer(
        offerID: String, signature: Product.SubscriptionOffer.Signature
    ) -> Product.PurchaseOption { Self(.promotionalOffer(offerID: offerID, signature: signature)) }

    /// Redeems a promotional offer with a signature in JWS form: two options that belong together.
    public static func promotionalOffer(_ offerID: String, compactJWS: String) -> [Product.PurchaseOption] {
        [
            .custom(key: OptionKey.promotionalOfferID, value: offerID),
            .custom(key: OptionKey.promotionalOfferJWS, value: compactJWS),
        ]
    }

    /// Redeems a win-back offer.
    public static func winBackOffer(_ offer: Product.SubscriptionOffer) -> Product.PurchaseOption {
        Self(.winBackOffer(offerID: offer.id ?? ""))
    }

    /// States whether the buyer may have the introductory offer, signed in JWS form.
    public static func introductoryOfferEligibility(compactJWS: String) -> Product.PurchaseOption {
        .custom(key: OptionKey.introductoryEligibility, value: compactJWS)
    }
}

/// The keys of the options that are custom ones underneath. Apple's are its own business; these are the package's.
enum OptionKey {
    static let promotionalOfferID = "promotionalOfferID"
    static let promotionalOfferJWS = "promotionalOfferCompactJWS"
    static let introductoryEligibility = "introductoryOfferEligibilityCompactJWS"
}

// MARK: Equality

extension Product.PurchaseOption {
    /// Whether both say the same of the same. Two closures are taken to be the same.
    public static func == (lhs: Product.PurchaseOption, rhs: Product.PurchaseOption) -> Bool { lhs.key == rhs.key }

    /// Hashes what the option says.
    public func hash(into hasher: inout Hasher) { hasher.combine(key) }

    /// What the option says, without any closure.
    private var key: [AnyHashable] {
        switch content {
        case .appAccountToken(let token): ["token", token]
        case .quantity(let quantity): ["quantity", quantity]
        case .simulatesAskToBuyInSandbox(let flag): ["askToBuy", flag]
        case .custom(let key, let value): ["custom", key, value]
        case .onStorefrontChange: ["storefrontChange"]
        case .promotionalOffer(let offerID, let signature): ["promotional", offerID, signature]
        case .winBackOffer(let offerID): ["winBack", offerID]
        case .promotionalOfferID(let offerID): ["unsigned", offerID]
        case .codeOffer(let name): ["code", name]
        case .purchaseDate(let date, let renews): ["date", date, renews]
        }
    }
}
