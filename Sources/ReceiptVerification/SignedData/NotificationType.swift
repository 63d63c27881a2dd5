/// What a server notification tells.
public struct NotificationType: OpenSet, Sendable {
    /// Apple's name.
    public var rawValue: String
    /// Keeps Apple's name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// A subscription began, or began again.
    public static let subscribed = NotificationType(rawValue: "SUBSCRIBED")
    /// The subscriber chose another plan.
    public static let didChangeRenewalPref = NotificationType(rawValue: "DID_CHANGE_RENEWAL_PREF")
    /// The subscriber switched renewal on or off.
    public static let didChangeRenewalStatus = NotificationType(rawValue: "DID_CHANGE_RENEWAL_STATUS")
    /// An offer was redeemed.
    public static let offerRedeemed = NotificationType(rawValue: "OFFER_REDEEMED")
    /// A subscription renewed.
    public static let didRenew = NotificationType(rawValue: "DID_RENEW")
    /// A subscription ended.
    public static let expired = NotificationType(rawValue: "EXPIRED")
    /// A renewal could not be charged.
    public static let didFailToRenew = NotificationType(rawValue: "DID_FAIL_TO_RENEW")
    /// The grace period ended without a payment.
    public static let gracePeriodExpired = NotificationType(rawValue: "GRACE_PERIOD_EXPIRED")
    /// The subscriber was told of a higher price, or consented.
    public static let priceIncrease = NotificationType(rawValue: "PRICE_INCREASE")
    /// A purchase was refunded.
    public static let refund = NotificationType(rawValue: "REFUND")
    /// A refund was declined.
    public static let refundDeclined = NotificationType(rawValue: "REFUND_DECLINED")
    /// The customer asks for a refund, and Apple for what was used.
    public static let consumptionRequest = NotificationType(rawValue: "CONSUMPTION_REQUEST")
    /// One renewal was extended.
    public static let renewalExtended = NotificationType(rawValue: "RENEWAL_EXTENDED")
    /// A family member does not share the purchase any more.
    public static let revoke = NotificationType(rawValue: "REVOKE")
    /// A test that was asked for.
    public static let test = NotificationType(rawValue: "TEST")
    /// Many renewals were extended, or one of them could not be.
    public static let renewalExtension = NotificationType(rawValue: "RENEWAL_EXTENSION")
    /// A refund was taken back.
    public static let refundReversed = NotificationType(rawValue: "REFUND_REVERSED")
    /// A purchase outside the App Store was not reported.
    public static let externalPurchaseToken = NotificationType(rawValue: "EXTERNAL_PURCHASE_TOKEN")
    /// Something that is no subscription was bought.
    public static let oneTimeCharge = NotificationType(rawValue: "ONE_TIME_CHARGE")
    /// A parent withdrew their consent to the app.
    public static let rescindConsent = NotificationType(rawValue: "RESCIND_CONSENT")
    /// A subscription's metadata changed.
    public static let metadataUpdate = NotificationType(rawValue: "METADATA_UPDATE")
    /// A subscription was moved.
    public static let migration = NotificationType(rawValue: "MIGRATION")
    /// A subscription's price changed.
    public static let priceChange = NotificationType(rawValue: "PRICE_CHANGE")
}

/// How that happened which a server notification tells.
public struct NotificationSubtype: OpenSet, Sendable {
    /// Apple's name.
    public var rawValue: String
    /// Keeps Apple's name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// For the first time.
    public static let initialBuy = NotificationSubtype(rawValue: "INITIAL_BUY")
    /// Not for the first time.
    public static let resubscribe = NotificationSubtype(rawValue: "RESUBSCRIBE")
    /// To a lower plan, at the next renewal.
    public static let downgrade = NotificationSubtype(rawValue: "DOWNGRADE")
    /// To a better plan, at once.
    public static let upgrade = NotificationSubtype(rawValue: "UPGRADE")
    /// Renewal was switched on.
    public static let autoRenewEnabled = NotificationSubtype(rawValue: "AUTO_RENEW_ENABLED")
    /// Renewal was switched off.
    public static let autoRenewDisabled = NotificationSubtype(rawValue: "AUTO_RENEW_DISABLED")
    /// Because the subscriber wanted it.
    public static let voluntary = NotificationSubtype(rawValue: "VOLUNTARY")
    /// Because the charges failed for too long.
    public static let billingRetry = NotificationSubtype(rawValue: "BILLING_RETRY")
    /// Because the subscriber did not consent to a higher price.
    public static let priceIncrease = NotificationSubtype(rawValue: "PRICE_INCREASE")
    /// With a grace period.
    public static let gracePeriod = NotificationSubtype(rawValue: "GRACE_PERIOD")
    /// The subscriber has not answered yet.
    public static let pending = NotificationSubtype(rawValue: "PENDING")
    /// The subscriber consented.
    public static let accepted = NotificationSubtype(rawValue: "ACCEPTED")
    /// After charges that failed.
    public static let billingRecovery = NotificationSubtype(rawValue: "BILLING_RECOVERY")
    /// Because the product is not sold any more.
    public static let productNotForSale = NotificationSubtype(rawValue: "PRODUCT_NOT_FOR_SALE")
    /// The request is done.
    public static let summary = NotificationSubtype(rawValue: "SUMMARY")
    /// The request failed for one renewal.
    public static let failure = NotificationSubtype(rawValue: "FAILURE")
    /// Nobody reported it.
    public static let unreported = NotificationSubtype(rawValue: "UNREPORTED")
}

/// Where a subscription stands.
public struct SubscriptionStatus: OpenSet, Sendable {
    /// Apple's number.
    public var rawValue: Int
    /// Keeps Apple's number.
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// It is paid.
    public static let active = SubscriptionStatus(rawValue: 1)
    /// It ended.
    public static let expired = SubscriptionStatus(rawValue: 2)
    /// It is not paid, and Apple keeps trying to charge.
    public static let inBillingRetry = SubscriptionStatus(rawValue: 3)
    /// It is not paid, counts as paid all the same, and Apple keeps trying to charge.
    public static let inGracePeriod = SubscriptionStatus(rawValue: 4)
    /// Apple took it back.
    public static let revoked = SubscriptionStatus(rawValue: 5)
}
