package import StoreManagerCore

// What the double of StoreKit asks of a device beyond what a manager does.
extension SimulatedBackend {
    /// Whether a payment waits for the buyer to do something in the store first.
    package func isInterrupted(_ id: StoreTransaction.ID) -> Bool {
        UInt64(id).flatMap { store.engine.history.record(of: $0) }?.standing == .interrupted
    }

    /// Whether the account may have an introductory offer of a group.
    package func isEligibleForIntroductoryOffer(inGroup groupID: String) -> Bool {
        store.engine.isEligibleForIntroductoryOffer(inGroup: groupID, account: accountIndex)
    }

    /// How long one period of an offer lasts that was redeemed.
    package func period(of offer: StoreRedeemedOffer, product: String) -> StoreSubscriptionPeriod? {
        guard let terms = store.engine.catalogue.product(product)?.subscription else { return nil }
        let offers = terms.introductoryOffers + terms.promotionalOffers + terms.codeOffers + terms.winBackOffers
        return offers.first { $0.type == offer.type && ($0.id ?? $0.referenceName) == offer.id }?.period
    }

    /// How the account's subscriptions stand.
    package var subscriptionSnapshots: [SubscriptionSnapshot] { [] }
}

/// How a subscription stands.
package struct SubscriptionSnapshot: Sendable {
    /// The subscription group.
    package var groupID: String
    /// The state.
    package var state: SubscriptionStatus.State
    /// Its newest transaction.
    package var transaction: StoreTransaction
    /// What is known of the next renewal.
    package var renewalInfo: StoreRenewalInfo
}

extension SimulatedStore {
    /// Whether something is left to report now.
    package var hasDeliveries: Bool { engine.queue.hasReady }
}
