import Foundation
import StoreManagerCore

extension StoreEngine {
    /// Ends a subscription now.
    mutating func expire(_ product: String, account: Int) throws(SimulatorError) {
        let index = try liveSubscription(to: product, account: account)
        endPeriodNow(index)
        lapse(index, because: .autoRenewDisabled)
        reschedule(index)
    }

    /// Ends the running period now and begins the next, whatever forbids or hinders it. Trouble with billing goes on as it was.
    mutating func forceRenewal(_ product: String, account: Int) throws(SimulatorError) {
        let index = try liveSubscription(to: product, account: account)
        endPeriodNow(index)
        if !subscriptions[index].renews { try setAutoRenew(true, of: subscriptions[index].lastID) }
        if subscriptions[index].special != nil { subscriptions[index].withSpecial { $0.priceIncrease = nil } }
        subscriptions[index].steadyTerms = -1
        renew(index, at: now, endingTrouble: false)
        reschedule(index)
    }

    /// Switches the renewal on or off; off lets the subscription lapse when its period ends.
    mutating func setAutoRenew(_ isOn: Bool, of id: UInt64) throws(SimulatorError) {
        let index = try liveSubscription(of: id)
        subscriptions[index].renews = isOn
        if !isOn { subscriptions[index].nextProduct = subscriptions[index].product }
        subscriptions[index].steadyTerms = -1
        note(.autoRenew, .owner(id), .transaction(id), .init("renews", String(isOn)))
        emit(.didChangeRenewalStatus, isOn ? .autoRenewEnabled : .autoRenewDisabled, of: id)
        updateShares(of: index)
        if !isOn { stopRetrying(index) }
    }

    /// Announces a higher price. Where consent is needed and does not come, the subscription lapses.
    mutating func announcePriceIncrease(
        _ id: UInt64, price: Decimal?, needsConsent: Bool
    ) throws(SimulatorError) {
        let index = try liveSubscription(of: id)
        let product = subscriptions[index].product
        subscriptions[index].withSpecial {
            $0.priceIncrease = Subscription.PriceIncrease(product: product, price: price, isAgreed: !needsConsent)
        }
        note(.priceIncrease, .owner(id), .transaction(id), .init("status", needsConsent ? "pending" : "announced"))
        emit(.priceIncrease, needsConsent ? .pending : .accepted, of: id)
    }

    /// Accepts or refuses a higher price.
    mutating func answerPriceIncrease(_ id: UInt64, consents: Bool) throws(SimulatorError) {
        let index = try liveSubscription(of: id)
        guard let increase = subscriptions[index].special?.priceIncrease, !increase.isAgreed else {
            throw .invalidAction("Transaction \(id) has no price increase to answer.")
        }
        subscriptions[index].withSpecial {
            if consents { $0.priceIncrease?.isAgreed = true } else { $0.priceIncrease = nil }
        }
        if !consents { subscriptions[index].renews = false }
        note(.priceIncrease, .owner(id), .transaction(id), .init("status", consents ? "agreed" : "declined"))
        if consents {
            emit(.priceIncrease, .accepted, of: id)
        } else {
            emit(.didChangeRenewalStatus, .autoRenewDisabled, of: id)
            updateShares(of: index)
            stopRetrying(index)
        }
    }

    /// Resolves what keeps a renewal from being charged.
    mutating func resolveBillingIssue(of id: UInt64) throws(SimulatorError) {
        let index = try liveSubscription(of: id)
        guard subscriptions[index].trouble != nil else { throw .invalidAction("Transaction \(id) has no issue.") }
        if let obstacle = obstacleToRenewal(of: index) {
            throw .invalidAction("The subscription is not to be charged again: \(obstacle.name).")
        }
        recover(index)
        reschedule(index)
    }

    /// Ends the subscription whose newest transaction was taken back.
    mutating func revokeSubscription(endingWith id: UInt64) {
        guard let record = history.record(of: id), let index = subscriptionIndex(of: record),
            subscriptions[index].lastID == id, subscriptions[index].isLive
        else { return }
        endTrouble(index)
        subscriptions[index].phase = .revoked
        subscriptions[index].renews = false
        reschedule(index)
        updateShares(of: index)
    }

    /// Brings a subscription back whose newest transaction counts again; it does not renew.
    mutating func reinstateSubscription(endingWith id: UInt64) {
        guard let record = history.record(of: id), let index = subscriptionIndex(of: record),
            subscriptions[index].lastID == id, subscriptions[index].phase == .revoked
        else { return }
        subscriptions[index].phase = subscriptions[index].expiration > now ? .active : .expired(.autoRenewDisabled)
        reschedule(index)
        updateShares(of: index)
    }

    /// The number of the subscription that a paid transaction belongs to, which has not ended.
    private func liveSubscription(of id: UInt64) throws(SimulatorError) -> Int {
        let record = try paidRecord(id)
        guard let index = subscriptionIndex(of: record) else {
            throw .invalidProductType("\"\(product(of: record).id)\" is no auto-renewable subscription.")
        }
        guard subscriptions[index].special?.leader == nil else {
            throw .invalidAction("Transaction \(id) is shared by the family; its organizer decides.")
        }
        guard subscriptions[index].isLive else { throw .invalidAction("The subscription has ended.") }
        return index
    }

    /// The number of an account's subscription to a product, which has not ended.
    private func liveSubscription(to identifier: String, account: Int) throws(SimulatorError) -> Int {
        guard let product = catalogue.position(of: identifier) else { throw .invalidProductIdentifier(identifier) }
        guard let groupID = catalogue[product].subscription?.groupID else {
            throw .invalidProductType("\"\(identifier)\" is no auto-renewable subscription.")
        }
        guard let index = subscriptionIndex(inGroup: groupID, account: account), subscriptions[index].isLive,
            Int(subscriptions[index].product) == product
        else { throw .noSubscriptionFound(productIdentifier: identifier) }
        return index
    }

    /// Lets the running period end now, if it goes on.
    private mutating func endPeriodNow(_ index: Int) {
        let end = now
        guard subscriptions[index].expiration > end else { return }
        history.update(at: isolate(subscriptions[index].lastID)) { $0.cutOff = end }
        subscriptions[index].expiration = end
        cutShares(of: index, at: end)
    }
}
