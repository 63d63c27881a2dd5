public import Foundation

/// How one subscription stands: its latest transaction, and what the store says of the next.
public struct StoreSubscriptionStatus: Hashable, Sendable {
    /// The five states of a subscription.
    public enum State: String, Hashable, Codable, Sendable, CaseIterable {
        /// Paid, and running.
        case subscribed
        /// Its renewal could not be charged, the store tries again, and access goes on meanwhile.
        case inGracePeriod
        /// Its renewal could not be charged, the store tries again, and there is no access.
        case inBillingRetry
        /// Over.
        case expired
        /// Taken back by the store, or no longer shared by the family.
        case revoked
    }

    /// The transaction that the status rests on: the one that runs, or else the last.
    public let transaction: StoreTransaction
    /// What the store says of the next renewal, where it was heard.
    public let renewalInfo: StoreRenewalInfo?
    /// The rank of the plan inside its group, 1 being the highest; 0 where it is not known.
    public let groupLevel: Int

    /// The state at a date that is not before the transaction's purchase.
    public func state(at date: Date) -> State {
        if transaction.revocationDate != nil { return .revoked }
        if transaction.isActive(at: date) { return .subscribed }
        if let end = renewalInfo?.gracePeriodExpirationDate, date < end { return .inGracePeriod }
        return renewalInfo?.isInBillingRetry == true ? .inBillingRetry : .expired
    }

    /// Whether the subscriber may use the product at a date: while it is paid for, and in the grace period.
    public func hasAccess(at date: Date) -> Bool {
        switch state(at: date) {
        case .subscribed, .inGracePeriod: true
        case .inBillingRetry, .expired, .revoked: false
        }
    }
}

extension StoreSubscriptionStatus {
    /// The status of each subscription in a history, the best for its owner first. Neither the order of the history nor that of
    /// the renewal infos matters; each transaction is there once.
    static func statuses(
        of history: some Collection<StoreTransaction>, renewalInfos: some Sequence<StoreRenewalInfo>,
        terms: [String: StoreSubscriptionTerms], at date: Date
    ) -> [StoreSubscriptionStatus] {
        let infos = Dictionary(renewalInfos.map { ($0.originalTransactionID, $0) }) { one, other in
            (one.signedDate ?? .distantPast) < (other.signedDate ?? .distantPast) ? other : one
        }
        let current = history.filter { $0.productType == .autoRenewable && $0.purchaseDate <= date }
        let subscriptions = Dictionary(grouping: current, by: \.originalID)
        return subscriptions.values.compactMap { transactions in
            // A refunded renewal does not end a period that was paid for before it.
            guard let transaction = transactions.withoutReplaced.max(by: { $0.rank(at: date) < $1.rank(at: date) })
            else { return nil }
            return StoreSubscriptionStatus(
                transaction: transaction, renewalInfo: infos[transaction.originalID],
                groupLevel: terms[transaction.productIdentifier]?.groupLevel ?? 0)
        }
        .sorted { $0.precedes($1, at: date) }
    }

    /// Access first, then the higher plan, then one's own before the family's, then the longer.
    private func precedes(_ other: StoreSubscriptionStatus, at date: Date) -> Bool {
        func rank(_ status: StoreSubscriptionStatus) -> (Int, Int, Int, TimeInterval, String) {
            (
                status.hasAccess(at: date) ? 0 : 1, status.groupLevel > 0 ? status.groupLevel : .max,
                status.transaction.ownership == .purchased ? 0 : 1,
                -(status.transaction.expirationDate ?? .distantFuture).timeIntervalSinceReferenceDate,
                status.transaction.originalID
            )
        }
        return rank(self) < rank(other)
    }
}

extension [StoreTransaction] {
    /// What of one subscription was not replaced by another plan before its period ended. The store says so of the replaced
    /// transaction too, but a history need not have that word.
    fileprivate var withoutReplaced: [StoreTransaction] {
        var (following, nextPlan): (StoreTransaction?, StoreTransaction?)
        return sorted { $0.chargeOrder < $1.chargeOrder }.reversed().filter { transaction in
            if let following, following.productIdentifier != transaction.productIdentifier { nextPlan = following }
            following = transaction
            let isReplaced = nextPlan.map { $0.purchaseDate < transaction.expirationDate ?? .distantFuture } ?? false
            return !isReplaced && !transaction.isUpgraded
        }
    }
}

extension StoreTransaction {
    fileprivate var chargeOrder: ChargeOrder { ChargeOrder(date: purchaseDate, id: id) }

    fileprivate func rank(at date: Date) -> (Int, ChargeOrder) { (isActive(at: date) ? 1 : 0, chargeOrder) }
}
