extension StoreLogEntry {
    /// What can happen in a store.
    public enum Event: String, Hashable, Codable, Sendable, CaseIterable {
        // What devices ask for.

        /// A device began to observe.
        case observing
        /// A device stopped observing.
        case stoppedObserving = "stopped-observing"
        /// The app's process ended and forgot its requests.
        case relaunched
        /// Products were asked for.
        case fetch
        /// A payment was made out.
        case payment
        /// A restore was asked for.
        case restore
        /// A transaction was reported as dealt with.
        case finish
        /// The current entitlements were asked for.
        case entitlements
        /// A new receipt was asked for.
        case receipt
        /// Downloads were started, paused, resumed or cancelled.
        case download

        // What becomes of payments.

        /// A payment was paid.
        case paid
        /// A payment was answered with something that the account holds already.
        case alreadyHeld = "already-held"
        /// A payment failed.
        case failed
        /// A payment waits for approval.
        case deferred
        /// A payment waits for its buyer to do something in the store.
        case interrupted
        /// The sheet stays open.
        case hesitated
        /// A plan will change at the renewal.
        case scheduled
        /// A subscription moved to a better plan at once.
        case upgraded
        /// A transaction left the queue, taken by somebody else.
        case removed

        // What becomes of what was paid.

        /// A subscription was renewed.
        case renewed
        /// A renewal failed; access goes on for a while.
        case enteredGracePeriod = "entered-grace-period"
        /// A renewal failed; the store tries to charge.
        case enteredBillingRetry = "entered-billing-retry"
        /// A subscription ended.
        case expired
        /// Money was given back, or a share was taken away.
        case refunded
        /// A refund that was asked for was declined.
        case refundDeclined = "refund-declined"
        /// A refund was taken back.
        case refundReversed = "refund-reversed"
        /// A subscription's renewal was switched on or off.
        case autoRenew = "auto-renew"
        /// A higher price was announced, accepted or refused.
        case priceIncrease = "price-increase"
        /// Transactions were deleted.
        case deleted
        /// An introductory offer that was redeemed may be had again.
        case eligibilityReset = "eligibility-reset"
        /// A purchase was shared with a family member.
        case shared
        /// A family member lost a share.
        case revoked

        // What reaches the app.

        /// The app was told.
        case delivered
        /// The app was to be told, but the message was lost.
        case lost
        /// The app is going to be told twice.
        case duplicated

        // What happens to the store.

        /// The clock was moved.
        case advanced
        /// Switches were changed.
        case controls
        /// The buyer was given answers.
        case buyer
        /// An account became a member of a family.
        case joinedFamily = "joined-family"
        /// An account left its family.
        case leftFamily = "left-family"
        /// Somebody began to buy in the store.
        case intent
        /// The store was emptied.
        case reset
    }
}
