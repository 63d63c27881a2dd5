import Foundation
import StoreManagerCore

extension StoreEngine {
    /// Deletes a transaction as if it had never been; with a first one its renewals and restored copies go too.
    mutating func delete(_ id: UInt64) throws(SimulatorError) {
        guard let record = history.record(of: id) else { throw .noTransactionFound(String(id)) }
        note(.deleted, .owner(id), .transaction(id))
        let isOriginal = id == record.originalID
        let account = Int(record.account)
        _ = isolate(id)
        let doomed = records(of: account).filter {
            $0.firstID == id || isOriginal && $0.originalID == record.originalID
        }
        if let index = subscriptionIndex(of: record),
            doomed.contains(where: { $0.ids.contains(subscriptions[index].lastID) })
        {
            remove(subscription: index)
        }
        let ids = Set(doomed.map(\.firstID))
        history.removeAll { ids.contains($0.firstID) }
        accounts[account].records.removeAll { ids.contains($0) }
    }

    /// Deletes all transactions of everybody. Who waits for an answer is told that the payment failed.
    mutating func clearTransactions() {
        for device in devices.indices {
            for payment in (devices[device].app?.payments.keys.sorted() ?? []) {
                fail(payment, with: .generic(.unknown))
            }
            devices[device].app?.unheard = []
            devices[device].app?.finishesToSend = []
        }
        note(.deleted, .store)
        history.removeAll { _ in true }
        subscriptions = []
        agenda = Agenda()
        downloads = [:]
        for account in accounts.indices {
            accounts[account].records = []
            accounts[account].subscriptions = []
        }
    }

    /// Makes the store as it was at first, but for its accounts and devices, its log and its time: nothing was ever bought,
    /// nothing is on its way, all switches and buyers are as at first, and chance begins anew.
    mutating func reset() {
        clearTransactions()
        setControls(StoreControls(settings: catalogue.configuration.settings))
        for account in accounts.indices {
            accounts[account].buyer = StoreBuyer()
            accounts[account].organizer = nil
            accounts[account].members = []
        }
        queue = DeliveryQueue()
        random = SplitMix64(seed: seed)
        note(.reset, .store)
    }

    /// Forgets a subscription. Its number stays, so that the others keep theirs.
    private mutating func remove(subscription index: Int) {
        for follower in subscriptions[index].special?.followers ?? [] {
            subscriptions[Int(follower)].phase = .revoked
            subscriptions[Int(follower)].withSpecial { $0.leader = nil }
        }
        accounts[Int(subscriptions[index].account)].subscriptions.removeAll { $0 == Int32(index) }
        subscriptions[index].due = nil
        subscriptions[index].phase = .revoked
    }
}
