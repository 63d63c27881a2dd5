import Foundation
import StoreManagerCore

extension StoreEngine {
    /// Does what is due for the next subscription on the agenda.
    mutating func renewNext() {
        guard let entry = agenda.first else { return }
        let index = Int(entry.item)
        guard subscriptions[index].due == entry.due else {
            // The date was changed since; there is another entry for the new one.
            _ = agenda.removeFirst()
            return
        }
        switch subscriptions[index].phase {
        case .active: periodEnded(index)
        case .grace(let trouble), .retry(let trouble): tryAgain(index, trouble)
        case .expired, .revoked: break
        }
        let due = dueDate(of: index)
        subscriptions[index].due = due
        if let due { agenda.replaceFirst(with: entry.item, due: due) } else { _ = agenda.removeFirst() }
    }

    /// Looks at a subscription at the right time again, after something changed it.
    mutating func reschedule(_ index: Int) {
        let due = dueDate(of: index)
        guard due != subscriptions[index].due else { return }
        subscriptions[index].due = due
        if let due { agenda.enter(Int32(index), due: due) }
    }

    /// Charges for the next period, which begins at `date`, and tells whoever is to know.
    ///
    /// - Parameter endsTrouble: Whether trouble with billing is over thereby.
    mutating func renew(_ index: Int, at date: Date, endingTrouble endsTrouble: Bool = true) {
        let terms = nextTerms(of: index)
        let place = recordPlace(of: index)
        let canExtend =
            history.records[place].canGrow(with: terms) && date == subscriptions[index].expiration
            && subscriptions[index].lastID + 1 < subscriptions[index].idsEnd
        let id = canExtend ? extend(index, at: place) : beginRun(index, after: place, on: terms, at: date)
        let isRecovery = subscriptions[index].trouble != nil && endsTrouble
        if endsTrouble {
            endTrouble(index)
            subscriptions[index].phase = .active
        }
        subscriptions[index].product = subscriptions[index].nextProduct
        if subscriptions[index].special != nil { renewSpecial(index) }
        tellOfRenewal(index, id, isRecovery: isRecovery)
    }

    /// Ends a subscription.
    mutating func lapse(_ index: Int, because reason: StoreExpirationReason) {
        endTrouble(index)
        subscriptions[index].phase = .expired(reason)
        subscriptions[index].renews = false
        let ending = Subscription.Ending(date: now, reason: reason)
        subscriptions[index].withSpecial { $0.endings.append(ending) }
        let id = subscriptions[index].lastID
        note(.expired, .owner(id), .transaction(id), .init("reason", reason.name))
        emit(.expired, reason.subtype, of: id)
        updateShares(of: index)
    }

    /// What forbids to charge for another period, whether or not that could be done; nil where nothing does.
    func obstacleToRenewal(of index: Int) -> StoreExpirationReason? {
        // So it is with almost all of a crowd.
        let product = catalogue[Int(subscriptions[index].nextProduct)].id
        if subscriptions[index].renews, subscriptions[index].$special.isEmpty, controls.sells(product) { return nil }
        let subscription = subscriptions[index]
        let isBound = subscription.special?.commitment.map { $0.end > subscription.expiration } ?? false
        if !subscription.renews && !isBound { return .autoRenewDisabled }
        if let increase = subscription.priceIncrease, !increase.isAgreed { return .didNotConsentToPriceIncrease }
        return controls.sells(product) ? nil : .productUnavailable
    }

    /// Whether renewals fail now.
    var renewalsFail: Bool { controls.shouldEnterBillingRetryOnRenewal }

    private func dueDate(of index: Int) -> Date? {
        switch subscriptions[index].phase {
        case .active: subscriptions[index].expiration + controls.habits.renewalLag
        case .grace(let trouble): min(trouble.nextAttempt, trouble.graceEnd ?? trouble.retryEnd)
        case .retry(let trouble): min(trouble.nextAttempt, trouble.retryEnd)
        case .expired, .revoked: nil
        }
    }

    private mutating func periodEnded(_ index: Int) {
        if let obstacle = obstacleToRenewal(of: index) {
            lapse(index, because: obstacle)
        } else if renewalsFail {
            renewalFailed(index)
        } else {
            renew(index, at: subscriptions[index].expiration)
        }
    }

    /// Moves a run of renewals on: the identifiers and dates of its transactions follow from the first.
    private mutating func extend(_ index: Int, at place: Int) -> UInt64 {
        let count = history.update(at: place) { record in
            record.count += 1
            return record.count
        }
        let end = expirationDate(count - 1, of: place)
        subscriptions[index].lastID += 1
        subscriptions[index].expiration = end ?? now
        return subscriptions[index].lastID
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
        let newPlace = enter(record)
        subscriptions[index].recordHint = Int32(clamping: newPlace)
        subscriptions[index].lastID = id
        subscriptions[index].expiration = expirationDate(0, of: newPlace) ?? now
        return id
    }

    /// Where the record of the newest transaction stands; mostly where it stood before.
    private mutating func recordPlace(of index: Int) -> Int {
        let (id, hint) = (subscriptions[index].lastID, Int(subscriptions[index].recordHint))
        if history.contains(id, at: hint) { return hint }
        let place = history.position(of: id) ?? 0
        subscriptions[index].recordHint = Int32(clamping: place)
        return place
    }

    private mutating func tellOfRenewal(_ index: Int, _ id: UInt64, isRecovery: Bool) {
        if accounts[Int(subscriptions[index].account)].isWatched {
            note(
                .renewed, .owner(id), .product(catalogue[Int(subscriptions[index].product)].id), .transaction(id),
                .until(subscriptions[index].expiration))
            announce(id)
        } else {
            unwatchedRenewals += 1
        }
        emit(.didRenew, isRecovery ? .billingRecovery : nil, of: id)
        updateShares(of: index)
    }
}

extension PurchaseRecord {
    /// Whether the next renewal, on these terms, is one more of the run.
    fileprivate func canGrow(with terms: Int32) -> Bool {
        self.terms == terms && cutOff == nil && !isUpgraded && details?.revocationDate == nil
            && details?.signedDate == nil && count < Int32.max
    }
}

extension StoreExpirationReason {
    /// The reason's name for the log.
    var name: String {
        switch self {
        case .autoRenewDisabled: "auto-renew-disabled"
        case .billingError: "billing-error"
        case .didNotConsentToPriceIncrease: "did-not-consent-to-price-increase"
        case .productUnavailable: "product-unavailable"
        default: "unknown"
        }
    }

    /// What a server is told besides.
    fileprivate var subtype: StoreServerNotification.Subtype? {
        switch self {
        case .autoRenewDisabled: .voluntary
        case .billingError: .billingRetry
        case .didNotConsentToPriceIncrease: .priceIncrease
        case .productUnavailable: .productNotForSale
        default: nil
        }
    }
}
