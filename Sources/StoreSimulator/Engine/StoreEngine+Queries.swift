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
    /// the newest transaction of each subscription that is paid for.
    func currentEntitlements(of account: Int) -> [UInt64] {
        let active = Set(
            accounts[account].subscriptions.map { subscriptions[Int($0)] }.filter(\.hasAccess).map(\.lastID))
        return records(of: account).flatMap { record -> [UInt64] in
            guard record.standing == .paid, !record.isCopy, record.details?.revocationDate == nil else { return [] }
            return switch product(of: record).type {
            case .nonConsumable, .nonRenewable: [record.firstID]
            case .autoRenewable: active.contains(record.lastID) ? [record.lastID] : []
            case .consumable, .unknown: []
            }
        }
    }

    /// The transaction by which an account owns a product for good.
    func ownedTransaction(of product: Int, account: Int) -> UInt64? {
        records(of: account).last {
            $0.standing == .paid && !$0.isCopy && $0.details?.revocationDate == nil
                && termsTable[$0.terms].product == product
        }?.firstID
    }
}
