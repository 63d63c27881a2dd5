import Foundation
import StoreManagerCore

extension StoreEngine {
    /// The first attempt to charge for a renewal failed.
    mutating func renewalFailed(_ index: Int) {
        guard let period = catalogue[Int(subscriptions[index].product)].subscription?.period else { return }
        let begin = subscriptions[index].expiration
        var trouble = Subscription.BillingTrouble(
            begin: begin, retryEnd: begin + controls.timeRate.billingRetryPeriod(for: period))
        guard controls.billingGracePeriodIsEnabled else { return enterBillingRetry(index, trouble) }
        let graceEnd = begin + max(0, controls.gracePeriod ?? controls.timeRate.gracePeriod(for: period))
        trouble.graceEnd = graceEnd
        trouble.retryEnd = max(graceEnd, trouble.retryEnd)
        subscriptions[index].phase = .grace(trouble)
        let id = subscriptions[index].lastID
        note(.enteredGracePeriod, .owner(id), .transaction(id), .until(graceEnd))
        emit(.didFailToRenew, .gracePeriod, of: id)
        updateShares(of: index)
    }

    /// Tries to charge again, and ends the grace period or the trying when it is time.
    mutating func tryAgain(_ index: Int, _ trouble: Subscription.BillingTrouble) {
        var trouble = trouble
        if trouble.nextAttempt <= now {
            if !renewalsFail { return recover(index) }
            trouble.attempts += 1
        }
        if trouble.retryEnd <= now {
            lapse(index, because: .billingError)
        } else if case .grace = subscriptions[index].phase, let end = trouble.graceEnd {
            guard end <= now else {
                subscriptions[index].phase = .grace(trouble)
                return
            }
            emit(.gracePeriodExpired, nil, of: subscriptions[index].lastID)
            enterBillingRetry(index, trouble)
        } else {
            subscriptions[index].phase = .retry(trouble)
        }
    }

    /// Charges for a renewal that had failed: in the grace period as if nothing had been, later from now on.
    mutating func recover(_ index: Int) {
        if case .grace = subscriptions[index].phase {
            renew(index, at: subscriptions[index].expiration)
        } else {
            renew(index, at: now)
        }
    }

    /// Remembers a trouble that is over.
    mutating func endTrouble(_ index: Int) {
        guard let trouble = subscriptions[index].trouble else { return }
        let past = Subscription.PastTrouble(
            begin: trouble.begin, graceEnd: trouble.graceEnd.map { min($0, now) }, end: now)
        subscriptions[index].withSpecial { $0.troubles.append(past) }
    }

    private mutating func enterBillingRetry(_ index: Int, _ trouble: Subscription.BillingTrouble) {
        let wasInGrace = trouble.graceEnd != nil
        subscriptions[index].phase = .retry(trouble)
        let id = subscriptions[index].lastID
        note(.enteredBillingRetry, .owner(id), .transaction(id), .until(trouble.retryEnd))
        if !wasInGrace { emit(.didFailToRenew, nil, of: id) }
        updateShares(of: index)
    }
}
