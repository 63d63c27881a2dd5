/// A value of a set to which Apple adds: the names known today are constants, and others are kept as they came, so that they
/// never keep data from being decoded.
public protocol OpenSet: RawRepresentable, Codable, Hashable, Sendable {
    /// Keeps a value as it came.
    init(rawValue: RawValue)
}

/// How a product is sold.
public struct SignedProductType: OpenSet, Sendable {
    /// Apple's name.
    public var rawValue: String
    /// Keeps Apple's name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Renews until it is cancelled.
    public static let autoRenewable = SignedProductType(rawValue: "Auto-Renewable Subscription")
    /// Bought once, owned for ever.
    public static let nonConsumable = SignedProductType(rawValue: "Non-Consumable")
    /// Used up, and bought again.
    public static let consumable = SignedProductType(rawValue: "Consumable")
    /// A subscription that ends by itself.
    public static let nonRenewable = SignedProductType(rawValue: "Non-Renewing Subscription")
}

/// Whose purchase it is.
public struct InAppOwnershipType: OpenSet, Sendable {
    /// Apple's name.
    public var rawValue: String
    /// Keeps Apple's name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The account's own.
    public static let purchased = InAppOwnershipType(rawValue: "PURCHASED")
    /// A family member's.
    public static let familyShared = InAppOwnershipType(rawValue: "FAMILY_SHARED")
}

/// What a refund took back.
public struct RevocationType: OpenSet, Sendable {
    /// Apple's name.
    public var rawValue: String
    /// Keeps Apple's name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// All of the price.
    public static let fullRefund = RevocationType(rawValue: "REFUND_FULL")
    /// A part of the price.
    public static let proratedRefund = RevocationType(rawValue: "REFUND_PRORATED")
    /// Nothing; the family member does not share any more.
    public static let familyRevoke = RevocationType(rawValue: "FAMILY_REVOKE")
}

/// Whom an offer is for.
public struct SignedOfferType: OpenSet, Sendable {
    /// Apple's number.
    public var rawValue: Int
    /// Keeps Apple's number.
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// New subscribers.
    public static let introductory = SignedOfferType(rawValue: 1)
    /// Those for whom the app signs it.
    public static let promotional = SignedOfferType(rawValue: 2)
    /// Those with a code.
    public static let code = SignedOfferType(rawValue: 3)
    /// Former subscribers.
    public static let winBack = SignedOfferType(rawValue: 4)
}

/// How an offer is paid.
public struct OfferDiscountType: OpenSet, Sendable {
    /// Apple's name.
    public var rawValue: String
    /// Keeps Apple's name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Not at all.
    public static let freeTrial = OfferDiscountType(rawValue: "FREE_TRIAL")
    /// Period by period.
    public static let payAsYouGo = OfferDiscountType(rawValue: "PAY_AS_YOU_GO")
    /// At once.
    public static let payUpFront = OfferDiscountType(rawValue: "PAY_UP_FRONT")
    /// Once, for something that is no subscription.
    public static let oneTime = OfferDiscountType(rawValue: "ONE_TIME")
}

/// What brought a transaction about.
public struct SignedTransactionReason: OpenSet, Sendable {
    /// Apple's name.
    public var rawValue: String
    /// Keeps Apple's name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Somebody bought.
    public static let purchase = SignedTransactionReason(rawValue: "PURCHASE")
    /// The store renewed a subscription.
    public static let renewal = SignedTransactionReason(rawValue: "RENEWAL")
}

/// How a subscription with a commitment is paid.
public struct BillingPlanType: OpenSet, Sendable {
    /// Apple's name.
    public var rawValue: String
    /// Keeps Apple's name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// At once.
    public static let billedUpFront = BillingPlanType(rawValue: "BILLED_UPFRONT")
    /// Month by month.
    public static let monthly = BillingPlanType(rawValue: "MONTHLY")
}

/// Whether a subscription will renew.
public struct AutoRenewStatus: OpenSet, Sendable {
    /// Apple's number.
    public var rawValue: Int
    /// Keeps Apple's number.
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// It will not.
    public static let off = AutoRenewStatus(rawValue: 0)
    /// It will.
    public static let on = AutoRenewStatus(rawValue: 1)
}

/// Why a subscription ended.
public struct ExpirationIntent: OpenSet, Sendable {
    /// Apple's number.
    public var rawValue: Int
    /// Keeps Apple's number.
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// The subscriber cancelled.
    public static let cancelled = ExpirationIntent(rawValue: 1)
    /// The payment failed.
    public static let billingError = ExpirationIntent(rawValue: 2)
    /// The subscriber did not consent to a higher price.
    public static let noConsentToPriceIncrease = ExpirationIntent(rawValue: 3)
    /// The product is not sold any more.
    public static let productUnavailable = ExpirationIntent(rawValue: 4)
    /// Something else.
    public static let other = ExpirationIntent(rawValue: 5)
}

/// Whether the subscriber consented to a higher price.
public struct PriceIncreaseStatus: OpenSet, Sendable {
    /// Apple's number.
    public var rawValue: Int
    /// Keeps Apple's number.
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// No answer yet.
    public static let noResponse = PriceIncreaseStatus(rawValue: 0)
    /// Consented, or was told where no consent is needed.
    public static let agreed = PriceIncreaseStatus(rawValue: 1)
}

/// The platform that an app was first bought on.
public struct PurchasePlatform: OpenSet, Sendable {
    /// Apple's name.
    public var rawValue: String
    /// Keeps Apple's name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// iOS and iPadOS.
    public static let iOS = PurchasePlatform(rawValue: "iOS")
    /// macOS.
    public static let macOS = PurchasePlatform(rawValue: "macOS")
    /// tvOS.
    public static let tvOS = PurchasePlatform(rawValue: "tvOS")
    /// visionOS.
    public static let visionOS = PurchasePlatform(rawValue: "visionOS")
}
