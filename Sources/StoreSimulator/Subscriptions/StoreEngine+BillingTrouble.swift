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
    ///
    /// What must not be charged any more is not: the subscription ends then, though not before a grace period that was
    /// granted is over.
    mutating func tryAgain(_ index: Int, _ trouble: Subscription.BillingTrouble) {
        var trouble = trouble
        let obstacle = obstacleToRenewal(of: index)
        if trouble.nextAttempt <= now {
            if obstacle == nil, !renewalsFail { return recover(index) }
            trouble.attempts += 1
        }
        let isInGrace = if case .grace = subscriptions[index].phase { true } else { false }
        if isInGrace, let end = trouble.graceEnd, end > now {
            subscriptions[index].phase = .grace(trouble)
        } else if let obstacle, subscriptions[index].expiration <= now {
            lapse(index, because: obstacle)
        } else if trouble.retryEnd <= now {
            if subscriptions[index].expiration > now { recover(index) } else { lapse(index, because: .billingError) }
        } else if isInGrace {
            emit(.gracePeriodExpired, nil, of: subscriptions[index].lastID)
            enterBillingRetry(index, trouble)
        } else {
            subscriptions[index].phase = .retry(trouble)
        }
    }

    /// A subscriber in billing retry said that it is not to go on: the period that was paid is over, so it ends now.
    mutating func stopRetrying(_ index: Int) {
        guard case .retry = subscriptions[index].phase, subscriptions[index].expiration <= now,
            let obstacle = obstacleToRenewal(of: index)
        else { return }
        lapse(index, because: obstacle)
        reschedule(index)
    }

    /// Charges for a renewal that had failed: in the grace period as if nothing had been, later from now on. Where a renewal
    /// was forced meanwhile, its period is paid and runs on.
    mutating func recover(_ index: Int) {
        if subscriptions[index].expiration > now {
            endTrouble(index)
            subscriptions[index].phase = .active
            updateShares(of: index)
        } else if case .grace = subscriptions[index].phase {
            renew(index, at: subscriptions[index].expiration)
        } else {
            renew(index, at: now)
        }
    }

    /// Remembers a trouble that is over.
    mutating func endTrouble(_ index: Int) {
        guard let trouble = subscriptions[index].trouble else { return }
        let past = Subscription.PastTrouble(
            product: subscriptions[index].product, begin: trouble.begin,
            graceEnd: trouble.graceEnd.map { min($0, now) }, end: now)
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
