import Foundation
import StoreManagerCore

extension StoreEngine {
    /// Does what is due for the next subscription on the agenda.
    mutating func renewNext() {
        guard let entry = agenda.first else { return }
        let index = Int(entry.item)
        guard subscriptions[index].due == entry.due else {
            _ = agenda.removeFirst()
            return
        }
        switch subscriptions[index].phase {
        case .active: periodEnded(index)
        case .grace(_, let end): enterBillingRetry(index, until: end)
        case .retry: lapse(index, because: .billingError)
        case .expired, .revoked: break
        }
        if let due = subscriptions[index].due {
            agenda.replaceFirst(with: entry.item, due: due)
        } else {
            _ = agenda.removeFirst()
        }
    }

    /// Charges for the next period, which begins at `date`; tells the account's devices.
    mutating func renew(_ index: Int, at date: Date) {
        let terms = nextTerms(of: index)
        let place = recordPlace(of: index)
        let canExtend =
            history.records[place].canGrow(with: terms) && date == subscriptions[index].expiration
            && subscriptions[index].lastID + 1 < subscriptions[index].idsEnd
        let id = canExtend ? extend(index, at: place) : beginRun(index, after: place, on: terms, at: date)
        subscriptions[index].phase = .active
        subscriptions[index].product = subscriptions[index].nextProduct
        if let left = subscriptions[index].runningOffer?.periodsLeft {
            subscriptions[index].runningOffer?.periodsLeft = left - 1
            if left <= 1 { subscriptions[index].runningOffer = nil }
            subscriptions[index].steadyTerms = -1
        }
        guard isWatched(index) else { return }
        note(
            .renewed, of: subject(of: id), .product(catalogue[Int(subscriptions[index].product)].id), .transaction(id),
            .until(subscriptions[index].expiration))
        announce(id)
    }

    /// Ends a subscription.
    mutating func lapse(_ index: Int, because reason: ExpirationReason) {
        subscriptions[index].phase = .expired(reason)
        subscriptions[index].renews = false
        guard isWatched(index) else { return }
        note(
            .expired, of: subject(of: subscriptions[index].lastID), .transaction(subscriptions[index].lastID),
            .init("reason", "\(reason)"))
    }

    /// Whether anybody would hear of the subscription's renewals.
    private func isWatched(_ index: Int) -> Bool {
        !accounts[Int(subscriptions[index].account)].devices.isEmpty
    }

    private mutating func periodEnded(_ index: Int) {
        let subscription = subscriptions[index]
        if !subscription.renews {
            lapse(index, because: .autoRenewDisabled)
        } else if let increase = subscription.priceIncrease, !increase.isAgreed {
            lapse(index, because: .didNotConsentToPriceIncrease)
        } else if controls.shouldEnterBillingRetryOnRenewal {
            renewalFailed(index)
        } else {
            renew(index, at: subscription.expiration)
        }
    }

    private mutating func renewalFailed(_ index: Int) {
        guard let period = catalogue[Int(subscriptions[index].product)].subscription?.period else { return }
        let end = subscriptions[index].expiration
        let retryEnd = end + controls.timeRate.billingRetryPeriod(for: period)
        guard controls.billingGracePeriodIsEnabled else { return enterBillingRetry(index, until: retryEnd) }
        let graceEnd = end + (controls.gracePeriod ?? controls.timeRate.gracePeriod(for: period))
        subscriptions[index].phase = .grace(until: graceEnd, retryUntil: max(graceEnd, retryEnd))
        if isWatched(index) {
            note(
                .enteredGracePeriod, of: subject(of: subscriptions[index].lastID),
                .transaction(subscriptions[index].lastID), .until(graceEnd))
        }
    }

    private mutating func enterBillingRetry(_ index: Int, until end: Date) {
        subscriptions[index].phase = .retry(until: end)
        if isWatched(index) {
            note(
                .enteredBillingRetry, of: subject(of: subscriptions[index].lastID),
                .transaction(subscriptions[index].lastID), .until(end))
        }
    }

    /// The terms of the next period. They are looked up again only after something changed that they depend on.
    private mutating func nextTerms(of index: Int) -> Int32 {
        let subscription = subscriptions[index]
        if subscription.steadyTerms >= 0, subscription.steadySince == revision { return subscription.steadyTerms }
        let product = catalogue[Int(subscription.nextProduct)]
        let offer = subscription.runningOffer.flatMap { $0.product == subscription.nextProduct ? $0 : nil }
        let period = offer?.period ?? product.subscription?.period ?? StoreSubscriptionPeriod(value: 1, unit: .month)
        let terms = termsTable.number(
            of: Terms(
                product: Int(subscription.nextProduct),
                price: offer?.price ?? subscription.priceIncrease?.price ?? product.price ?? 0,
                storefront: controls.storefront, currency: Catalogue.currency(of: controls.storefront),
                offer: offer?.redeemed, step: controls.timeRate.step(for: period)))
        subscriptions[index].steadyTerms = terms
        subscriptions[index].steadySince = revision
        return terms
    }

    /// Where the record of the newest transaction stands; mostly where it stood before.
    private mutating func recordPlace(of index: Int) -> Int {
        let (id, hint) = (subscriptions[index].lastID, subscriptions[index].recordHint)
        if history.records.indices.contains(hint), history.records[hint].ids.contains(id) { return hint }
        let place = history.position(of: id) ?? 0
        subscriptions[index].recordHint = place
        return place
    }

    /// Adds a renewal to the run that is going on.
    private mutating func extend(_ index: Int, at place: Int) -> UInt64 {
        let count = history.update(at: place) { record in
            record.count += 1
            return record.count
        }
        let record = history.records[place]
        subscriptions[index].lastID = record.lastID
        subscriptions[index].expiration = expirationDate(count - 1, of: record) ?? now
        return record.lastID
    }

    /// Begins a run of renewals on other terms.
    private mutating func beginRun(_ index: Int, after place: Int, on terms: Int32, at date: Date) -> UInt64 {
        let previous = history.records[place]
        var id = subscriptions[index].lastID + 1
        if id >= subscriptions[index].idsEnd {
            id = history.reserve(History.idsPerRun)
            subscriptions[index].idsEnd = id + History.idsPerRun
        }
        var record = PurchaseRecord(
            firstID: id, account: previous.account, terms: terms, originalID: previous.originalID,
            originalDate: previous.originalDate, anchor: date, standing: .paid)
        record.beginsWithRenewal = true
        record.isFamilyShared = previous.isFamilyShared
        if termsTable[terms].step == termsTable[previous.terms].step, previous.cutOff == nil,
            date == subscriptions[index].expiration
        {
            record.anchor = previous.anchor
            record.offset = previous.offset + previous.count
        }
        if let details = previous.details, details.appAccountToken != nil || details.applicationUsername != nil {
            record.withDetails {
                $0.appAccountToken = details.appAccountToken
                $0.applicationUsername = details.applicationUsername
            }
        }
        subscriptions[index].recordHint = enter(record)
        subscriptions[index].lastID = id
        subscriptions[index].expiration = expirationDate(0, of: record) ?? now
        return id
    }
}

extension PurchaseRecord {
    /// Whether the next renewal, on these terms, is one more of the run.
    fileprivate func canGrow(with terms: Int32) -> Bool {
        self.terms == terms && cutOff == nil && !isUpgraded && details?.revocationDate == nil
            && details?.signedDate == nil && count < Int32.max
    }
}
