package import StoreManagerCore

// What the double of StoreKit asks of a device beyond what a manager does.
extension SimulatedBackend {
    /// Whether a payment waits for the buyer to do something in the store first.
    package func isInterrupted(_ id: StoreTransaction.ID) -> Bool {
        UInt64(id).flatMap { store.engine.history.record(of: $0) }?.standing == .interrupted
    }

    /// How long one period of an offer lasts that was redeemed; nil for one that the catalogue does not have.
    package func period(of offer: StoreRedeemedOffer, product: String) -> StoreSubscriptionPeriod? {
        guard let terms = store.engine.catalogue.product(product)?.subscription else { return nil }
        let offers = terms.introductoryOffers + terms.promotionalOffers + terms.codeOffers + terms.winBackOffers
        return offers.first { $0.type == offer.type && ($0.id ?? $0.referenceName) == offer.id }?.period
    }

    /// How the account's subscriptions stand, its own and its shares in others'.
    package var subscriptionSnapshots: [SubscriptionSnapshot] {
        guard !readsNothing else { return [] }
        let engine = store.engine
        return engine.accounts[accountIndex].subscriptions.map { Int($0) }.compactMap { index in
            guard let transaction = engine.transaction(engine.subscriptions[index].lastID) else { return nil }
            return SubscriptionSnapshot(
                groupID: transaction.subscriptionGroupID ?? "", state: engine.state(ofSubscription: index),
                transaction: transaction, renewalInfo: engine.renewalInfo(ofSubscription: index))
        }
    }
}

/// How a subscription stands.
package struct SubscriptionSnapshot: Hashable, Sendable {
    /// The subscription group.
    package var groupID: String
    /// The state.
    package var state: StoreSubscriptionStatus.State
    /// Its newest transaction, not signed.
    package var transaction: StoreTransaction
    /// What is known of the next renewal.
    package var renewalInfo: StoreRenewalInfo
}
