import Foundation
import StoreManagerCore

extension StoreEngine {
    /// The transactions that the app has not dealt with, in the order of their making: paid ones and, where the store keeps
    /// them for the app, failed ones.
    func unfinishedTransactions(of account: Int) -> [UInt64] {
        let keepsFailures = controls.habits.tokenCarriage != .unlessDeferred
        return records(of: account).flatMap { record -> [UInt64] in
            let isKept =
                switch record.standing {
                case .open, .deferred: false
                case .interrupted, .failed: keepsFailures
                case .paid: true
                }
            guard isKept else { return [] }
            return (0..<record.count).filter { !record.finished.contains($0) }.map { record.firstID + UInt64($0) }
        }
    }

    /// The transactions that the account has a right to something by: what was bought and neither used up nor taken back, and
    /// the newest transaction of each subscription that gives access.
    func currentEntitlements(of account: Int) -> [UInt64] {
        let listed = Set(
            accounts[account].subscriptions.map { Int($0) }.filter { isListed($0) }.map { subscriptions[$0].lastID })
        return records(of: account).flatMap { record -> [UInt64] in
            guard isOwned(record), !isTooNew(record) else { return [] }
            return switch product(of: record).type {
            case .nonConsumable, .nonRenewable: [record.firstID]
            case .autoRenewable: listed.contains(record.lastID) ? [record.lastID] : []
            case .consumable, .unknown: []
            }
        }
    }

    /// The transaction by which an account owns a product for good, or the last by which it bought one.
    func ownedTransaction(of product: Int, account: Int) -> UInt64? {
        records(of: account).last { isOwned($0) && termsTable[$0.terms].product == product }?.firstID
    }

    /// Whether an account may still have an introductory offer of a group: it never had one, and does not subscribe now.
    func isEligibleForIntroductoryOffer(inGroup groupID: String, account: Int) -> Bool {
        if let index = subscriptionIndex(inGroup: groupID, account: account), subscriptions[index].hasAccess(at: now) {
            return false
        }
        let forgiven = accounts[account].forgivenOffers[groupID] ?? 0
        return !records(of: account).contains { record in
            record.firstID > forgiven && record.standing == .paid
                && termsTable[record.terms].offer?.type == .introductory
                && product(of: record).subscription?.groupID == groupID
        }
    }

    /// Lets an account have an introductory offer of a group again.
    mutating func resetIntroductoryEligibility(inGroup groupID: String, account: Int) {
        accounts[account].forgivenOffers[groupID] = accounts[account].records.max() ?? 0
        for device in accounts[account].devices { devices[Int(device)].app?.eligibility[groupID] = nil }
        note(.eligibilityReset, .account(account), .init("group", groupID))
    }

    /// Whether an account may have an introductory offer, as a process on a device is told; where the store has this habit,
    /// what it was told first.
    mutating func introductoryEligibility(inGroup groupID: String, device: Int) -> Bool {
        if controls.habits.remembersEligibility, let known = devices[device].app?.eligibility[groupID] { return known }
        let isEligible = isEligibleForIntroductoryOffer(inGroup: groupID, account: devices[device].account)
        devices[device].app?.eligibility[groupID] = isEligible
        return isEligible
    }

    private func isOwned(_ record: PurchaseRecord) -> Bool {
        record.standing == .paid && !record.isCopy && record.details?.revocationDate == nil
    }

    /// Whether a subscription is listed among the entitlements.
    private func isListed(_ index: Int) -> Bool {
        if case .retry = subscriptions[index].phase, controls.habits.listsBillingRetry { return true }
        return subscriptions[index].hasAccess(at: now)
    }

    /// Whether the listing does not have a purchase yet.
    private func isTooNew(_ record: PurchaseRecord) -> Bool {
        controls.habits.listingLag > 0
            && now < purchaseDate(record.count - 1, of: record) + controls.habits.listingLag
    }
}
