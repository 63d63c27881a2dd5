import Foundation
import StoreManagerCore

extension StoreEngine {
    /// The number of the subscription of a group that an account pays for itself.
    func subscriptionIndex(inGroup groupID: String, account: Int) -> Int? {
        ownSubscriptions(of: account).first { group(ofSubscription: $0) == groupID }
    }

    /// The number of the subscription that a record belongs to.
    func subscriptionIndex(of record: PurchaseRecord) -> Int? {
        guard let groupID = product(of: record).subscription?.groupID else { return nil }
        return accounts[Int(record.account)].subscriptions.map { Int($0) }.first {
            group(ofSubscription: $0) == groupID
                && (subscriptions[$0].special?.leader != nil) == record.isFamilyShared
        }
    }

    /// The group of a subscription.
    func group(ofSubscription index: Int) -> String? {
        catalogue[Int(subscriptions[index].product)].subscription?.groupID
    }

    /// Completes the purchase of a subscription: a new one, a better plan at once, or a change at the next renewal. Returns the
    /// transaction that answers it.
    mutating func subscribe(_ payment: UInt64, to product: Int, account: Int) -> UInt64 {
        guard let groupID = catalogue[product].subscription?.groupID,
            let index = subscriptionIndex(inGroup: groupID, account: account)
        else { return begin(payment, product, account: account, renewing: nil) }
        guard subscriptions[index].isLive, subscriptions[index].hasAccess(at: now) else {
            if controls.habits.answersLapsedWithExpired, product == Int(subscriptions[index].product) {
                return answer(payment, withHeld: subscriptions[index].lastID, as: .purchased)
            }
            return begin(payment, product, account: account, renewing: index)
        }
        let current = Int(subscriptions[index].product)
        guard product != current else { return stay(payment, index) }
        switch PlanChange(from: catalogue[current], to: catalogue[product]) {
        case .now(let isUpgrade):
            let replaced = subscriptions[index].lastID
            cutShort(index, isUpgrade: isUpgrade)
            // StoreKit 1 has no word for it.
            defer { if controls.habits.tokenCarriage != .never { announce(replaced) } }
            return begin(payment, product, account: account, renewing: index)
        case .atRenewal:
            return schedule(product, payment, index)
        }
    }

    /// The terms on which a subscription is bought.
    mutating func subscriptionTerms(of request: PaymentRequest, for position: Int, account: Int) -> Int32 {
        let product = catalogue[position]
        let offer = redeemedOffer(of: request, for: product, account: account)
        let plan = request.billingPlan.flatMap { name in product.subscription?.plan(name) }
        let period = plan == nil ? product.subscription?.period ?? .month : .month
        return termsTable.number(
            of: Terms(
                product: position, price: offer.map { $0.price ?? 0 } ?? plan?.price ?? product.price ?? 0,
                storefront: controls.storefront, currency: Catalogue.currency(of: controls.storefront),
                offer: offer.map(StoreRedeemedOffer.init), billingPlan: plan?.type,
                step: controls.timeRate.step(for: offer?.firstPeriod ?? period)))
    }

    /// Begins a paid period with a payment.
    private mutating func begin(
        _ payment: UInt64, _ product: Int, account: Int, renewing known: Int?
    ) -> UInt64 {
        let wasLive = known.map { subscriptions[$0].isLive } ?? false
        if let known {
            endTrouble(known)
            let original = history.record(of: subscriptions[known].lastID)
            history.update(at: history.position(of: payment)) { record in
                record.originalID = original?.originalID ?? record.originalID
                record.originalDate = original?.originalDate ?? record.originalDate
            }
        }
        markPaid(payment)
        guard let place = history.position(of: payment), let expiration = expirationDate(0, of: place) else {
            return payment
        }
        var subscription = Subscription(
            account: Int32(account), product: Int32(product), nextProduct: Int32(product), lastID: payment,
            idsEnd: payment + History.idsPerRun, recordHint: Int32(clamping: place), expiration: expiration)
        subscription.special = special(for: history.records[place], of: product, after: known)
        let index = known ?? subscriptions.count
        if known == nil {
            subscriptions.append(subscription)
            accounts[account].subscriptions.append(Int32(index))
        } else {
            subscriptions[index] = subscription
        }
        reschedule(index)
        announce(payment, answering: payment)
        emitBeginning(of: payment, isNew: known == nil, wasLive: wasLive)
        shareWithFamily(payment)
        return payment
    }

    /// The plan is held already: what is held answers, nothing is charged, and the plan renews. That takes back a change that
    /// was to come, and an offer begins with the next renewal; such a purchase is a change at the renewal.
    private mutating func stay(_ payment: UInt64, _ index: Int) -> UInt64 {
        let product = Int(subscriptions[index].product)
        let offer = history.record(of: payment).flatMap { termsTable[$0.terms].offer }
        if subscriptions[index].nextProduct != subscriptions[index].product || offer != nil {
            return schedule(product, payment, index)
        }
        let id = subscriptions[index].lastID
        if !subscriptions[index].renews { try? setAutoRenew(true, of: id) }
        let isStoreKit = controls.habits.answersPlanChangesWithHeldTransaction
        return answer(payment, withHeld: id, as: isStoreKit ? .purchased : .restored)
    }

    /// Notes what the next renewal is for, and answers the payment with what is held until then.
    private mutating func schedule(_ product: Int, _ payment: UInt64, _ index: Int) -> UInt64 {
        if let record = history.record(of: payment), let offer = termsTable[record.terms].offer,
            offer.type != .introductory
        {
            let whole = wholeOffer(offer, of: product)
            subscriptions[index].withSpecial { $0.runningOffer = whole }
        }
        let didChange = subscriptions[index].nextProduct != Int32(product)
        subscriptions[index].nextProduct = Int32(product)
        subscriptions[index].renews = true
        subscriptions[index].steadyTerms = -1
        note(.scheduled, .owner(payment), .product(catalogue[product].id), .until(subscriptions[index].expiration))
        if didChange { emit(.didChangeRenewalPreference, .downgrade, of: subscriptions[index].lastID) }
        let state: StoreTransactionState =
            controls.habits.answersPlanChangesWithHeldTransaction ? .purchased : .scheduled
        return answer(payment, withHeld: subscriptions[index].lastID, as: state)
    }

    /// Ends the running period now, because another plan takes its place, and gives back what was paid for the rest. In a
    /// grace period it is over already, and nothing is left of it.
    private mutating func cutShort(_ index: Int, isUpgrade: Bool) {
        let (id, end) = (subscriptions[index].lastID, min(now, subscriptions[index].expiration))
        let refund = unusedShare(of: id, from: end)
        revise(id, reopens: false) { record in
            record.cutOff = end
            record.isUpgraded = true
            if let refund { record.withDetails { $0.proratedAmount = refund } }
        }
        cutShares(of: index, at: end, isUpgraded: true)
        note(
            .upgraded, .owner(id), .transaction(id), .init("kind", isUpgrade ? "upgrade" : "crossgrade"),
            refund.map { .init("refund", "\($0)") })
    }

    /// What of the price of a transaction was paid for the part of its period that lies after a date: by the second, and
    /// rounded to the nearest unit of the currency, halves up. Nil where that is nothing.
    private func unusedShare(of id: UInt64, from date: Date) -> Decimal? {
        guard let record = history.record(of: id) else { return nil }
        let index = Int32(id - record.firstID)
        let begin = purchaseDate(index, of: record)
        guard let end = expirationDate(index, of: record), begin < end, date < end else { return nil }
        let terms = termsTable[record.terms]
        let share = end.timeIntervalSince(max(begin, date)) / end.timeIntervalSince(begin)
        let amount = (terms.price * Decimal(share)).rounded(toUnitOf: terms.currency.map { Locale.Currency($0) })
        return amount > 0 ? amount : nil
    }

    /// What is special about a subscription that begins with this record; nil where nothing is.
    private func special(
        for record: PurchaseRecord, of product: Int, after known: Int?
    ) -> Subscription.Special? {
        let terms = termsTable[record.terms]
        var special = Subscription.Special()
        if let redeemed = terms.offer, var offer = wholeOffer(redeemed, of: product) {
            offer.periodsLeft -= 1
            if offer.periodsLeft > 0 { special.runningOffer = offer }
        }
        if let plan = terms.billingPlan.flatMap({ catalogue[product].subscription?.plan($0) }) {
            let step = controls.timeRate.step(for: catalogue[product].subscription?.period ?? .month)
            special.commitment = Subscription.Commitment(
                plan: plan.type, price: plan.price ?? 0, end: step.date(after: record.anchor, count: 1))
        }
        if let past = known.flatMap({ subscriptions[$0].special }) {
            special.followers = past.followers
            special.troubles = past.troubles
            special.endings = past.endings
        }
        let isOrdinary =
            special.runningOffer == nil && special.commitment == nil && special.followers.isEmpty
            && special.troubles.isEmpty && special.endings.isEmpty
        return isOrdinary ? nil : special
    }

    /// All periods of an offer.
    private func wholeOffer(_ redeemed: StoreRedeemedOffer, of product: Int) -> Subscription.RunningOffer? {
        guard let offer = catalogue[product].subscription?.offer(redeemed), let price = offer.price else { return nil }
        return Subscription.RunningOffer(
            product: Int32(product), redeemed: redeemed, price: price, period: offer.firstPeriod,
            periodsLeft: offer.paymentMode == .payAsYouGo ? Int32(clamping: offer.periodCount) : 1)
    }

    private mutating func emitBeginning(of payment: UInt64, isNew: Bool, wasLive: Bool) {
        guard let record = history.record(of: payment) else { return }
        let offer = termsTable[record.terms].offer
        if let offer, offer.type != .introductory {
            emit(.offerRedeemed, wasLive ? .upgrade : isNew ? .initialBuy : .resubscribe, of: payment)
        } else if wasLive {
            emit(.didChangeRenewalPreference, .upgrade, of: payment)
        } else {
            emit(.subscribed, isNew ? .initialBuy : .resubscribe, of: payment)
        }
    }
}

/// When a change from one plan to another takes effect.
private enum PlanChange {
    /// At once; what was paid for the rest of the period is given back.
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
