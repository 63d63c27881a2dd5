import Foundation
import StoreManagerCore

extension StoreEngine {
    /// What is known of the next renewal of the subscription that a record belongs to; nil for what does not renew.
    func renewalInfo(of record: PurchaseRecord) -> StoreRenewalInfo? {
        subscriptionIndex(of: record).map { renewalInfo(ofSubscription: $0) }
    }

    /// What is known of the next renewal of a subscription.
    func renewalInfo(ofSubscription index: Int) -> StoreRenewalInfo {
        let subscription = subscriptions[index]
        let record = history.record(of: subscription.lastID)
        var info = StoreRenewalInfo(
            originalTransactionID: String(record?.originalID ?? subscription.lastID),
            currentProductIdentifier: catalogue[Int(subscription.product)].id,
            willAutoRenew: subscription.isLive && subscription.renews && !looksCancelled(subscription),
            isInBillingRetry: subscription.trouble != nil, signedDate: now)
        if case .grace(let trouble) = subscription.phase { info.gracePeriodExpirationDate = trouble.graceEnd }
        if case .expired(let reason) = subscription.phase { info.expirationReason = reason }
        if info.willAutoRenew {
            let terms = termsOfNextPeriod(subscription)
            info.autoRenewPreference = catalogue[Int(subscription.nextProduct)].id
            info.renewalDate = subscription.expiration
            info.renewalPrice = terms.price
            info.currencyCode = terms.currency
            info.offer = terms.offer
        } else {
            info.autoRenewPreference = nil
        }
        if let increase = subscription.priceIncrease {
            info.priceIncreaseStatus = increase.isAgreed ? .agreed : .pending
        }
        if !subscription.isLive || looksCancelled(subscription) {
            let offers = catalogue[Int(subscription.product)].subscription?.winBackOffers ?? []
            info.eligibleWinBackOfferIDs = offers.filter(\.isEligible).compactMap(\.id)
        }
        info.recentSubscriptionStartDate = subscriptionStart(index)
        info.appAccountToken = record?.details?.appAccountToken
        info.environment = .xcode
        return info
    }

    /// Whether a subscription whose renewal is late seems to be over for good.
    private func looksCancelled(_ subscription: Subscription) -> Bool {
        controls.habits.lateRenewalsLookCancelled && subscription.phase == .active && subscription.expiration <= now
    }

    /// The state of a subscription now.
    func state(ofSubscription index: Int) -> StoreSubscriptionStatus.State {
        switch subscriptions[index].phase {
        case .active: subscriptions[index].hasAccess(at: now) ? .subscribed : .expired
        case .grace: .inGracePeriod
        case .retry: .inBillingRetry
        case .expired: .expired
        case .revoked: .revoked
        }
    }

    /// When the present run of periods without a gap began. A lapse of less than an hour, as while a renewal is late, counts
    /// as none.
    private func subscriptionStart(_ index: Int) -> Date? {
        let account = Int(subscriptions[index].account)
        guard let original = history.record(of: subscriptions[index].lastID)?.originalID else { return nil }
        var start: Date?
        var end: Date?
        for record in records(of: account) where record.originalID == original && record.standing == .paid {
            let begin = purchaseDate(0, of: record)
            if start == nil || end.map({ begin.timeIntervalSince($0) > 3_600 }) ?? true { start = begin }
            end = expirationDate(record.count - 1, of: record)
        }
        return start
    }
}
