import Foundation
import StoreManagerCore

extension StoreEngine {
    /// An account's subscription of a group.
    func subscription(inGroup groupID: String, account: Int) -> Subscription? {
        subscriptionIndex(inGroup: groupID, account: account).map { subscriptions[$0] }
    }

    /// The number of an account's subscription of a group.
    func subscriptionIndex(inGroup groupID: String, account: Int) -> Int? {
        accounts[account].subscriptions.map { Int($0) }
            .first { catalogue[Int(subscriptions[$0].product)].subscription?.groupID == groupID }
    }

    /// Completes the purchase of a subscription: a new one, a better plan at once, or a change at the next renewal. Returns the
    /// transaction that answers it.
    mutating func subscribe(_ payment: UInt64, to product: Int, account: Int) -> UInt64 {
        guard let groupID = catalogue[product].subscription?.groupID,
            let index = subscriptionIndex(inGroup: groupID, account: account)
        else { return begin(payment, product: product, account: account, renewing: nil) }
        guard subscriptions[index].hasAccess else {
            return begin(payment, product: product, account: account, renewing: index)
        }
        let current = Int(subscriptions[index].product)
        guard product != current else { return schedule(product, payment, index) }
        switch PlanChange(from: catalogue[current], to: catalogue[product]) {
        case .now(let isUpgrade):
            cutShort(index, isUpgrade: isUpgrade)
            return begin(payment, product: product, account: account, renewing: index)
        case .atRenewal:
            return schedule(product, payment, index)
        }
    }

    /// The terms on which a subscription is bought.
    mutating func subscriptionTerms(of request: PaymentRequest, for position: Int, account: Int) -> Int32 {
        let product = catalogue[position]
        let period = product.subscription?.period ?? StoreSubscriptionPeriod(value: 1, unit: .month)
        let offer = redeemedOffer(of: request, for: product, account: account)
        return termsTable.number(
            of: Terms(
                product: position, price: offer.flatMap(\.price) ?? product.price ?? 0,
                storefront: controls.storefront, currency: Catalogue.currency(of: controls.storefront),
                offer: offer.map {
                    StoreRedeemedOffer(id: $0.id ?? $0.referenceName, type: $0.type, paymentMode: $0.paymentMode)
                },
                step: controls.timeRate.step(for: offer?.firstPeriod ?? period)))
    }

    /// Begins a paid period with a payment.
    private mutating func begin(_ payment: UInt64, product: Int, account: Int, renewing index: Int?) -> UInt64 {
        if let index, let place = history.position(of: payment),
            let original = history.record(of: subscriptions[index].lastID)
        {
            history.update(at: place) { record in
                record.originalID = original.originalID
                record.originalDate = original.originalDate
            }
        }
        markPaid(payment)
        guard let record = history.record(of: payment), let expiration = expirationDate(0, of: record) else {
            return payment
        }
        var subscription = Subscription(
            account: Int32(account), product: Int32(product), nextProduct: Int32(product), lastID: payment,
            idsEnd: payment + History.idsPerRun, expiration: expiration)
        subscription.runningOffer = remainingOffer(of: termsTable[record.terms])
        let number: Int
        if let index {
            number = index
            subscriptions[index] = subscription
        } else {
            number = subscriptions.count
            subscriptions.append(subscription)
            accounts[account].subscriptions.append(Int32(number))
        }
        agenda.enter(Int32(number), due: expiration)
        announce(payment, answering: payment)
        return payment
    }

    /// Notes what the next renewal is for, and answers the payment with what is held until then.
    private mutating func schedule(_ product: Int, _ payment: UInt64, _ index: Int) -> UInt64 {
        if let record = history.record(of: payment), let offer = termsTable[record.terms].offer,
            offer.type != .introductory
        {
            subscriptions[index].runningOffer = wholeOffer(offer, of: product)
        }
        subscriptions[index].nextProduct = Int32(product)
        subscriptions[index].renews = true
        subscriptions[index].steadyTerms = -1
        note(
            .scheduled, of: subject(of: payment), .product(catalogue[product].id),
            .until(subscriptions[index].expiration))
        let state: StoreTransactionState =
            controls.habits.answersPlanChangesWithHeldTransaction ? .purchased : .scheduled
        return answer(payment, withHeld: subscriptions[index].lastID, as: state)
    }

    /// Ends the running period now, because another plan takes its place.
    private mutating func cutShort(_ index: Int, isUpgrade: Bool) {
        let id = subscriptions[index].lastID
        guard let place = isolate(id) else { return }
        let end = now
        history.update(at: place) { record in
            record.cutOff = end
            record.isUpgraded = true
        }
        note(.upgraded, of: subject(of: id), .transaction(id), .init("kind", isUpgrade ? "upgrade" : "crossgrade"))
    }

    /// What is left of an offer after its first period.
    private func remainingOffer(of terms: Terms) -> Subscription.RunningOffer? {
        guard let redeemed = terms.offer, var offer = wholeOffer(redeemed, of: terms.product) else { return nil }
        offer.periodsLeft -= 1
        return offer.periodsLeft > 0 ? offer : nil
    }

    /// All periods of an offer.
    private func wholeOffer(_ redeemed: StoreRedeemedOffer, of product: Int) -> Subscription.RunningOffer? {
        guard let offer = catalogue[product].subscription?.offer(redeemed), let price = offer.price else { return nil }
        return Subscription.RunningOffer(
            product: Int32(product), redeemed: redeemed, price: price, period: offer.firstPeriod,
            periodsLeft: offer.paymentMode == .payAsYouGo ? Int32(clamping: offer.periodCount) : 1)
    }
}

/// When a change from one plan to another takes effect.
private enum PlanChange {
    /// At once; the rest of what was paid is given back.
    case now(isUpgrade: Bool)
    /// When the running period ends.
    case atRenewal

    /// Up goes at once, down waits; between plans of one level the length decides.
    init(from old: StoreConfiguration.Product, to new: StoreConfiguration.Product) {
        guard let old = old.subscription, let new = new.subscription else {
            self = .atRenewal
            return
        }
        if new.groupLevel < old.groupLevel {
            self = .now(isUpgrade: true)
        } else if new.groupLevel == old.groupLevel, new.period?.normalized == old.period?.normalized {
            self = .now(isUpgrade: false)
        } else {
            self = .atRenewal
        }
    }
}

extension StoreConfiguration.Offer {
    /// How long what is paid at once lasts.
    var firstPeriod: StoreSubscriptionPeriod {
        paymentMode == .payAsYouGo ? period : period.multiplied(by: periodCount)
    }
}

extension StoreConfiguration.Subscription {
    /// The offer that was redeemed.
    fileprivate func offer(_ redeemed: StoreRedeemedOffer) -> StoreConfiguration.Offer? {
        let offers =
            switch redeemed.type {
            case .introductory: introductoryOffers
            case .promotional: promotionalOffers
            case .code: codeOffers
            case .winBack: winBackOffers
            }
        return offers.first { ($0.id ?? $0.referenceName) == redeemed.id } ?? offers.first
    }
}
