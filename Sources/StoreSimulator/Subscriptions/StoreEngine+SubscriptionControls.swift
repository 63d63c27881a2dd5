import Foundation
import StoreManagerCore

extension StoreEngine {
    /// Ends a subscription now.
    mutating func expire(_ product: String, account: Int) throws(SimulatorError) {
        let index = try liveSubscription(to: product, account: account)
        let (id, end) = (subscriptions[index].lastID, now)
        if let place = isolate(id) { history.update(at: place) { $0.cutOff = end } }
        subscriptions[index].expiration = end
        lapse(index, because: .autoRenewDisabled)
    }

    /// Ends the running period now and begins the next.
    mutating func forceRenewal(_ product: String, account: Int) throws(SimulatorError) {
        let index = try liveSubscription(to: product, account: account)
        let (id, end) = (subscriptions[index].lastID, now)
        if subscriptions[index].expiration > end {
            if let place = isolate(id) { history.update(at: place) { $0.cutOff = end } }
            subscriptions[index].expiration = end
        }
        subscriptions[index].renews = true
        subscriptions[index].priceIncrease = nil
        subscriptions[index].steadyTerms = -1
        renew(index, at: end)
        agenda.enter(Int32(index), due: subscriptions[index].expiration)
    }

    /// Switches the renewal on or off; off lets the subscription lapse when its period ends.
    mutating func setAutoRenew(_ isOn: Bool, of id: UInt64) throws(SimulatorError) {
        let index = try subscriptionIndex(of: id)
        guard subscriptions[index].due != nil else { throw .invalidAction("The subscription has ended.") }
        subscriptions[index].renews = isOn
        if !isOn { subscriptions[index].nextProduct = subscriptions[index].product }
        subscriptions[index].steadyTerms = -1
        note(.autoRenew, of: subject(of: id), .transaction(id), .init("renews", String(isOn)))
    }

    /// Announces a higher price, or asks for consent to the one there is.
    mutating func requestPriceIncreaseConsent(_ id: UInt64, price: Decimal?) throws(SimulatorError) {
        let index = try subscriptionIndex(of: id)
        guard subscriptions[index].due != nil else { throw .invalidAction("The subscription has ended.") }
        subscriptions[index].priceIncrease = Subscription.PriceIncrease(price: price)
        subscriptions[index].steadyTerms = -1
        note(.priceIncrease, of: subject(of: id), .transaction(id), .init("status", "pending"))
    }

    /// Accepts or refuses a higher price.
    mutating func answerPriceIncrease(_ id: UInt64, consents: Bool) throws(SimulatorError) {
        let index = try subscriptionIndex(of: id)
        guard subscriptions[index].priceIncrease != nil else {
            throw .invalidAction("Transaction \(id) has no price increase to answer.")
        }
        if consents {
            subscriptions[index].priceIncrease?.isAgreed = true
        } else {
            subscriptions[index].priceIncrease = nil
            subscriptions[index].renews = false
        }
        subscriptions[index].steadyTerms = -1
        note(.priceIncrease, of: subject(of: id), .transaction(id), .init("status", consents ? "agreed" : "declined"))
    }

    /// Charges for a renewal that failed: in the grace period as if nothing had been, in billing retry from now on.
    mutating func recover(_ id: UInt64) throws(SimulatorError) {
        let index = try subscriptionIndex(of: id)
        switch subscriptions[index].phase {
        case .grace: renew(index, at: subscriptions[index].expiration)
        case .retry: renew(index, at: now)
        case .active, .expired, .revoked: throw .invalidAction("Transaction \(id) has no issue.")
        }
        agenda.enter(Int32(index), due: subscriptions[index].expiration)
    }

    /// Ends the subscription whose newest transaction was taken back.
    mutating func revokeSubscription(endingWith id: UInt64) {
        guard let index = try? subscriptionIndex(of: id), subscriptions[index].lastID == id,
            subscriptions[index].due != nil
        else { return }
        subscriptions[index].phase = .revoked
        subscriptions[index].renews = false
    }

    /// Brings a subscription back whose newest transaction counts again; it does not renew.
    mutating func reinstateSubscription(endingWith id: UInt64) {
        guard let index = try? subscriptionIndex(of: id), subscriptions[index].lastID == id,
            subscriptions[index].phase == .revoked
        else { return }
        subscriptions[index].phase =
            subscriptions[index].expiration > now ? .active : .expired(.autoRenewDisabled)
        if let due = subscriptions[index].due { agenda.enter(Int32(index), due: due) }
    }

    /// The number of the subscription that a transaction belongs to.
    func subscriptionIndex(of id: UInt64) throws(SimulatorError) -> Int {
        let record = try paidRecord(id)
        let product = product(of: record)
        guard let groupID = product.subscription?.groupID,
            let index = subscriptionIndex(inGroup: groupID, account: Int(record.account))
        else { throw .invalidProductType("\"\(product.id)\" is no auto-renewable subscription.") }
        return index
    }

    /// The number of an account's subscription to a product, which has not ended.
    private func liveSubscription(to identifier: String, account: Int) throws(SimulatorError) -> Int {
        guard let product = catalogue.position(of: identifier) else { throw .invalidProductIdentifier(identifier) }
        guard let groupID = catalogue[product].subscription?.groupID else {
            throw .invalidProductType("\"\(identifier)\" is no auto-renewable subscription.")
        }
        guard let index = subscriptionIndex(inGroup: groupID, account: account), subscriptions[index].due != nil,
            Int(subscriptions[index].product) == product
        else { throw .noSubscriptionFound(productIdentifier: identifier) }
        return index
    }
}
