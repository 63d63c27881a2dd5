public import Foundation
public import StoreManagerCore

/// What the App Store would tell the app's server, in the words of App Store Server Notifications, version 2.
public struct StoreServerNotification: Hashable, Codable, Sendable {
    /// What happened.
    public enum Kind: String, Hashable, Codable, Sendable, CaseIterable {
        /// A product that does not renew was bought.
        case oneTimeCharge = "ONE_TIME_CHARGE"
        /// A subscription began, or began again.
        case subscribed = "SUBSCRIBED"
        /// A subscriber took an offer.
        case offerRedeemed = "OFFER_REDEEMED"
        /// A subscription was renewed.
        case didRenew = "DID_RENEW"
        /// A subscriber chose another plan.
        case didChangeRenewalPreference = "DID_CHANGE_RENEWAL_PREF"
        /// A subscriber switched the renewal on or off.
        case didChangeRenewalStatus = "DID_CHANGE_RENEWAL_STATUS"
        /// A renewal could not be charged.
        case didFailToRenew = "DID_FAIL_TO_RENEW"
        /// A grace period is over.
        case gracePeriodExpired = "GRACE_PERIOD_EXPIRED"
        /// A subscription ended.
        case expired = "EXPIRED"
        /// A higher price was announced, or accepted.
        case priceIncrease = "PRICE_INCREASE"
        /// Money was given back.
        case refund = "REFUND"
        /// A refund was declined.
        case refundDeclined = "REFUND_DECLINED"
        /// A refund was taken back.
        case refundReversed = "REFUND_REVERSED"
        /// A family member lost a shared purchase.
        case revoke = "REVOKE"
    }

    /// What exactly happened.
    public enum Subtype: String, Hashable, Codable, Sendable, CaseIterable {
        /// The first purchase in the group.
        case initialBuy = "INITIAL_BUY"
        /// A purchase after a lapse.
        case resubscribe = "RESUBSCRIBE"
        /// To a better plan.
        case upgrade = "UPGRADE"
        /// To another plan, at the renewal.
        case downgrade = "DOWNGRADE"
        /// After a failed attempt.
        case billingRecovery = "BILLING_RECOVERY"
        /// The renewal was switched on.
        case autoRenewEnabled = "AUTO_RENEW_ENABLED"
        /// The renewal was switched off.
        case autoRenewDisabled = "AUTO_RENEW_DISABLED"
        /// Access goes on for a while.
        case gracePeriod = "GRACE_PERIOD"
        /// The subscriber wanted it so.
        case voluntary = "VOLUNTARY"
        /// The store could not charge.
        case billingRetry = "BILLING_RETRY"
        /// The subscriber did not agree to a higher price.
        case priceIncrease = "PRICE_INCREASE"
        /// The product is not sold any more.
        case productNotForSale = "PRODUCT_NOT_FOR_SALE"
        /// The subscriber has not answered yet.
        case pending = "PENDING"
        /// The subscriber agreed, or was only told.
        case accepted = "ACCEPTED"
    }

    /// What happened.
    public var kind: Kind
    /// What exactly happened; nil where there is nothing more to say.
    public var subtype: Subtype?
    /// When.
    public var date: Date
    /// The name of the account. A real store does not say.
    public var account: String
    /// The transaction that it is about.
    public var transaction: StoreTransaction
    /// What is known of the next renewal; nil for what does not renew.
    public var renewalInfo: StoreRenewalInfo?
}

extension StoreEngine {
    /// Tells the app's server, if it listens.
    mutating func emit(
        _ kind: StoreServerNotification.Kind, _ subtype: StoreServerNotification.Subtype?, of id: UInt64
    ) {
        guard emitsNotifications, let record = history.record(of: id), let transaction = transaction(id) else { return }
        notifications.append(
            StoreServerNotification(
                kind: kind, subtype: subtype, date: present ?? now, account: accounts[Int(record.account)].name,
                transaction: transaction, renewalInfo: renewalInfo(of: record)))
    }
}
