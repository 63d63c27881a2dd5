import Foundation
import StoreManagerCore
import StoreSimulator

// Reading what the store keeps, for StoreKit 2.
extension StoreLink {
    /// The transactions of a sequence that ends. A task that was cancelled finds none.
    func transactions(
        _ selection: Transaction.Transactions.Selection
    ) async -> [VerificationResult<Transaction>] {
        guard let store, !Task.isCancelled else { return [] }
        let found: [StoreTransaction]
        let wanted: String?
        switch selection {
        case .updates, .unfinished: (found, wanted) = (unfinished(in: store), nil)
        case .all(let productID):
            let open = Set(unfinished(in: store).map(\.id))
            found = store.allTransactions.map(\.transaction).filter {
                $0.state == .purchased && ($0.productType != .consumable || open.contains($0.id))
            }
            wanted = productID
        case .currentEntitlements(let productID): (found, wanted) = (await currentEntitlements(), productID)
        }
        return found.filter { wanted == nil || $0.productIdentifier == wanted }.map { signed($0) }
    }

    /// Gives an iterator what its sequence is of.
    func begin(
        _ selection: Transaction.Transactions.Selection,
        in feed: Feed<VerificationResult<Transaction>>
    ) {
        if case .updates = selection { return addTransactionListener(feed) }
        Task {
            for transaction in await transactions(selection) { feed.send(transaction) }
            feed.finish()
        }
    }

    /// Tells a listener of all that is not finished, and of what comes from now on.
    private func addTransactionListener(_ feed: Feed<VerificationResult<Transaction>>) {
        let backlog = store.map { unfinished(in: $0) } ?? []
        // What is in the backlog may be on its way here as well.
        var told = Set(backlog.map(\.deliveryState))
        transactionUpdates.add(feed, startingWith: backlog.map { signed($0) }) { result in
            told.remove(result.unsafePayloadValue.source.deliveryState) == nil
        }
    }

    /// How the subscriptions of the user stand, group by group.
    func statuses() throws -> [(groupID: String, status: Product.SubscriptionInfo.Status)] {
        guard let store else { throw storeError.storeKit2Error }
        if let failure = store.controls.simulatedErrors[.subscriptionStatus] { throw failure.storeKit2Error }
        if store.faults[.entitlements].isOffline { throw StoreAPIFailure.generic(.networkError).storeKit2Error }
        if Task.isCancelled { return [] }
        return store.subscriptionSnapshots.map { ($0.groupID, status($0)) }
    }

    /// How the subscription stands that a transaction belongs to.
    func status(ofTransaction id: UInt64) throws -> Product.SubscriptionInfo.Status? {
        let original = store?.allTransactions.first { $0.id == String(id) }?.originalID
        return try statuses().map(\.status).first {
            original != nil && $0.transaction.unsafePayloadValue.source.originalID == original
        }
    }

    /// Whether the user may have an introductory offer of a group.
    func isEligibleForIntroductoryOffer(inGroup groupID: String) -> Bool {
        store?.isEligibleForIntroductoryOffer(inGroup: groupID) ?? false
    }

    /// Tells whoever listens which subscriptions stand differently now.
    func storeDidChange() {
        guard let store else { return }
        for snapshot in store.subscriptionSnapshots {
            let new = snapshot.withoutDates
            let old = knownSubscriptions.updateValue(new, forKey: new.transaction.originalID)
            guard old != new else { continue }
            if statusUpdates.hasListeners { statusUpdates.send(status(snapshot)) }
            if new.renewalInfo.isInBillingRetry, old?.renewalInfo.isInBillingRetry != true {
                messages.send(Message(reason: .billingIssue))
            }
        }
    }

    private func unfinished(in store: SimulatedStore) -> [StoreTransaction] {
        store.unfinishedTransactions.filter(\.isPaid)
    }

    private func status(_ snapshot: SubscriptionSnapshot) -> Product.SubscriptionInfo.Status {
        let transaction = store?.signed(snapshot.transaction) ?? snapshot.transaction
        return Product.SubscriptionInfo.Status(
            state: .init(snapshot.state), transaction: signed(transaction),
            renewalInfo: signed(snapshot.renewalInfo, for: transaction))
    }
}

extension SubscriptionSnapshot {
    /// What counts as a change of a subscription: anything but the dates of signatures.
    fileprivate var withoutDates: SubscriptionSnapshot {
        var snapshot = self
        snapshot.renewalInfo.signedDate = nil
        snapshot.transaction.signedDate = nil
        return snapshot
    }
}

extension Product.SubscriptionInfo.RenewalState {
    /// The state in StoreKit's words.
    fileprivate init(_ state: StoreSubscriptionStatus.State) {
        switch state {
        case .subscribed: self = .subscribed
        case .inGracePeriod: self = .inGracePeriod
        case .inBillingRetry: self = .inBillingRetryPeriod
        case .expired: self = .expired
        case .revoked: self = .revoked
        }
    }
}
