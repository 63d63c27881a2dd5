import Foundation
import StoreManagerCore

extension StoreEngine {
    /// The terms of the next period. They are looked up again only after something changed that they depend on.
    mutating func nextTerms(of index: Int) -> Int32 {
        let known = subscriptions[index].steadyTerms
        if known >= 0, subscriptions[index].steadySince == revision { return known }
        let number = termsTable.number(of: termsOfNextPeriod(subscriptions[index]))
        subscriptions[index].steadyTerms = number
        subscriptions[index].steadySince = revision
        return number
    }

    /// The terms on which a subscription goes on.
    func termsOfNextPeriod(_ subscription: Subscription) -> Terms {
        let product = catalogue[Int(subscription.nextProduct)]
        let special = subscription.special
        let offer = special?.runningOffer.flatMap { $0.product == subscription.nextProduct ? $0 : nil }
        let commitment = subscription.nextProduct == subscription.product ? special?.commitment : nil
        let price = offer?.price ?? commitment?.price ?? subscription.priceIncrease?.price ?? product.price ?? 0
        let period = offer?.period ?? (commitment == nil ? product.subscription?.period : .month) ?? .month
        return Terms(
            product: Int(subscription.nextProduct), price: price, storefront: controls.storefront,
            currency: Catalogue.currency(of: controls.storefront), offer: offer?.redeemed,
            billingPlan: commitment?.plan, step: controls.timeRate.step(for: period))
    }

    /// One period of an offer is used up, the price increase of a plan that was left is done, and a commitment may begin anew.
    /// The higher price of a plan that goes on is its price from now on.
    mutating func renewSpecial(_ index: Int) {
        let product = subscriptions[index].product
        let period = catalogue[Int(product)].subscription?.period ?? .month
        let step = controls.timeRate.step(for: period)
        let expiration = subscriptions[index].expiration
        subscriptions[index].withSpecial { special in
            if var offer = special.runningOffer {
                offer.periodsLeft -= 1
                special.runningOffer = offer.product == product && offer.periodsLeft > 0 ? offer : nil
            }
            if special.priceIncrease?.product != product { special.priceIncrease = nil }
            while let end = special.commitment?.end, end < expiration {
                let next = step.date(after: end, count: 1)
                guard next > end else { break }
                special.commitment?.end = next
            }
        }
    }
}

extension StoreSubscriptionPeriod {
    /// A calendar month.
    static let month = StoreSubscriptionPeriod(value: 1, unit: .month)
}
