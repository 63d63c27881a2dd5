import Foundation
import StoreManagerCore

extension StoreEngine {
    /// Changes the switches, and does what follows from the change.
    mutating func setControls(_ new: StoreControls) {
        guard new != controls else { return }
        let old = controls
        controls = new
        revision += 1
        note(.controls, .store)
        if new.storefront != old.storefront {
            for device in devices.indices { notify(device, on: .storefront, .storefrontChanged(storefront)) }
        }
        queue.apply(new.faults)
        if !new.faults[.finish].isOffline { sendFinishes() }
    }

    /// Gives a buyer his answers.
    mutating func setBuyer(_ buyer: StoreBuyer, of account: Int) {
        accounts[account].buyer = buyer
        note(.buyer, .account(account))
    }

    /// Approves or declines a payment that waits for somebody's approval.
    mutating func settleDeferred(_ id: UInt64, approves: Bool) throws(SimulatorError) {
        guard let record = history.record(of: id) else { throw .noTransactionFound(String(id)) }
        guard record.standing == .deferred else {
            throw .invalidAction("Transaction \(id) does not wait for approval.")
        }
        if approves { complete(id) } else { fail(id, with: .generic(.userCancelled)) }
    }

    /// Ends what keeps a payment from being made: it is paid for after all, by a new transaction where the store called the
    /// first one failed.
    mutating func resolveIssue(_ id: UInt64) throws(SimulatorError) {
        guard let record = history.record(of: id) else { throw .noTransactionFound(String(id)) }
        if record.standing == .paid { return try resolveBillingIssue(of: id) }
        guard record.standing == .interrupted else { throw .invalidAction("Transaction \(id) has no issue.") }
        if controls.habits.tokenCarriage == .unlessDeferred {
            complete(id)
            return
        }
        history.update(at: history.position(of: id)) { $0.standing = .failed }
        complete(reopen(record))
    }

    /// Answers a sheet that was left open.
    mutating func answerOpenPayment(_ id: UInt64, with answer: StoreBuyer.Answer) throws(SimulatorError) {
        guard let record = history.record(of: id) else { throw .noTransactionFound(String(id)) }
        guard record.standing == .open else { throw .invalidAction("Transaction \(id) was answered already.") }
        let device = devices.indices.first { devices[$0].app?.payments[id] != nil }
        answerSheet(id, with: answer, from: device ?? 0)
    }

    /// Gives money back: so much, or all.
    mutating func refund(
        _ id: UInt64, because reason: StoreRevocationReason, amount: Decimal? = nil
    ) throws(SimulatorError) {
        let record = try paidRecord(id)
        guard record.details?.revocationDate == nil else {
            throw .invalidAction("Transaction \(id) was refunded already.")
        }
        let (date, price) = (now, termsTable[record.terms].price)
        if let amount, amount <= 0 || amount > price {
            throw .invalidAction(
                "\(amount) cannot be given back of \(price): it has to be more than 0 and at most that.")
        }
        revise(id) { record in
            record.withDetails {
                $0.revocationDate = date
                $0.revocationReason = reason
                $0.refundedAmount = amount ?? price
            }
        }
        note(
            .refunded, .owner(id), .product(product(of: record).id), .transaction(id),
            amount.map { .init("amount", "\($0)") })
        revokeSubscription(endingWith: id)
        announce(id)
        emit(.refund, nil, of: id)
        revokeShares(of: id, on: date, because: reason)
    }

    /// Lets the buyer ask for his money. A second request for one transaction finds it refunded.
    mutating func requestRefund(_ id: UInt64) throws(SimulatorError) {
        guard controls.declinesRefundRequests else { return try refund(id, because: .other) }
        _ = try paidRecord(id)
        note(.refundDeclined, .owner(id), .transaction(id))
        emit(.refundDeclined, nil, of: id)
    }

    /// Takes a refund back.
    mutating func reverseRefund(_ id: UInt64) throws(SimulatorError) {
        let record = try paidRecord(id)
        guard record.details?.revocationDate != nil else { throw .invalidAction("Transaction \(id) was not refunded.") }
        revise(id) { record in
            record.withDetails {
                $0.revocationDate = nil
                $0.revocationReason = nil
                $0.refundedAmount = nil
            }
        }
        note(.refundReversed, .owner(id), .product(product(of: record).id), .transaction(id))
        reinstateSubscription(endingWith: id)
        announce(id)
        emit(.refundReversed, nil, of: id)
        revokeShares(of: id, on: nil, because: nil)
    }

    /// Somebody else takes a transaction from the device's queue.
    mutating func removeFromQueue(_ id: UInt64) throws(SimulatorError) {
        guard let record = history.record(of: id) else { throw .noTransactionFound(String(id)) }
        note(.removed, .owner(id), .transaction(id))
        if record.standing == .open || record.standing == .deferred {
            strike(id)
        } else {
            history.update(at: history.position(of: id)) { $0.finished.insert(Int32(id - $0.firstID)) }
        }
        for device in accounts[Int(record.account)].devices.map({ Int($0) }) {
            devices[device].app?.payments[id] = nil
            notify(device, on: .purchase, .transactionsRemoved([String(id)]))
        }
    }

    /// Somebody presses "buy" on the app's page in the store.
    mutating func sendIntent(_ identifier: String, offerID: String?, to device: Int) throws(SimulatorError) {
        guard let product = catalogue.product(identifier) else { throw .invalidProductIdentifier(identifier) }
        let sold = storeProduct(product)
        let offers = (sold.subscription?.winBackOffers ?? []) + (sold.subscription?.promotionalOffers ?? [])
        let offer = offers.first { $0.id == offerID }
        if let offerID, offer == nil { throw .invalidAction("\"\(identifier)\" has no offer \"\(offerID)\".") }
        messageCount += 1
        let intent = StorePurchaseIntent(id: "intent-\(messageCount)", product: sold, offer: offer)
        note(.intent, .device(device), .product(identifier), .init("intent", intent.id))
        notify(device, on: .intents, .purchaseIntent(intent))
    }

    /// The record of a transaction that was paid.
    func paidRecord(_ id: UInt64) throws(SimulatorError) -> PurchaseRecord {
        guard let record = history.record(of: id) else { throw .noTransactionFound(String(id)) }
        guard record.standing == .paid else { throw .invalidAction("Transaction \(id) was not paid.") }
        return record
    }

    /// A new payment for what an earlier one was for.
    private mutating func reopen(_ record: PurchaseRecord) -> UInt64 {
        var copy = record
        copy.firstID = history.reserve(product(of: record).type == .autoRenewable ? History.idsPerRun : 1)
        copy.originalID = copy.firstID
        copy.standing = .open
        copy.finished = FinishedMarks()
        copy.withDetails { $0.failure = nil }
        _ = enter(copy)
        return copy.firstID
    }
}
