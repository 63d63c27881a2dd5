import Foundation
import StoreManagerCore

extension StoreEngine {
    /// Deletes a transaction as if it had never been; with a first one its renewals and restored copies go too, and with each
    /// what the family has of it. Who waits for its answer is told that the payment failed.
    mutating func delete(_ id: UInt64) throws(SimulatorError) {
        guard let record = history.record(of: id) else { throw .noTransactionFound(String(id)) }
        note(.deleted, .owner(id), .transaction(id))
        if devices.contains(where: { $0.app?.payments[id] != nil }) { fail(id, with: .generic(.unknown)) }
        erase(id, withRenewals: id == record.originalID)
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
        downloadAgenda = Agenda()
        for account in accounts.indices {
            accounts[account].records = []
            accounts[account].subscriptions = []
        }
    }

    /// Makes the store as it was at first, but for its accounts and devices, its log and its time: nothing was ever bought,
    /// nothing is on its way, all switches and buyers are as at first, and chance begins anew. Time stays: what an app has seen
    /// must not lie in the future, and other stores may run on the clock.
    mutating func reset() {
        clearTransactions()
        setControls(StoreControls(settings: catalogue.configuration.settings))
        for account in accounts.indices {
            accounts[account].buyer = StoreBuyer()
            accounts[account].forgivenOffers = [:]
            accounts[account].organizer = nil
            accounts[account].members = []
        }
        queue = DeliveryQueue()
        random = SplitMix64(seed: seed)
        note(.reset, .store)
    }

    /// Takes a transaction out of the books, and what hangs on it.
    private mutating func erase(_ id: UInt64, withRenewals: Bool) {
        guard let record = history.record(of: id) else { return }
        let account = Int(record.account)
        let subscription = subscriptionIndex(of: record)
        _ = isolate(id)
        let doomed = records(of: account).filter {
            $0.firstID == id || withRenewals && $0.originalID == record.originalID
        }
        for member in accounts[account].members {
            let shares = records(of: Int(member)).filter { share in
                share.isFamilyShared && doomed.contains { $0.ids.contains(share.sharedFrom) }
            }
            for share in shares { erase(share.firstID, withRenewals: false) }
        }
        let ids = Set(doomed.map(\.firstID))
        history.removeAll { ids.contains($0.firstID) }
        accounts[account].records.removeAll { ids.contains($0) }
        let isGone = { (transaction: UInt64) in doomed.contains { $0.ids.contains(transaction) } }
        downloads = downloads.filter { !isGone($0.key.transaction) }
        downloadAgenda.removeAll { isGone($0.transaction) }
        if let subscription, isGone(subscriptions[subscription].lastID) { stepBack(subscription) }
    }

    /// Makes a subscription that lost its newest transaction what it was by the one before, or forgets it where there is none.
    private mutating func stepBack(_ index: Int) {
        let groupID = group(ofSubscription: index)
        let isShare = subscriptions[index].special?.leader != nil
        let newest = records(of: Int(subscriptions[index].account)).last {
            $0.standing == .paid && !$0.isCopy && $0.isFamilyShared == isShare
                && product(of: $0).subscription?.groupID == groupID
        }
        guard let newest else { return remove(subscription: index) }
        let end = expirationDate(newest.count - 1, of: newest) ?? now
        let isRunning = end > now && newest.details?.revocationDate == nil
        subscriptions[index].product = Int32(termsTable[newest.terms].product)
        subscriptions[index].nextProduct = subscriptions[index].product
        subscriptions[index].lastID = newest.lastID
        // An identifier that was deleted is not given out again: no app takes a new transaction for an old one.
        subscriptions[index].idsEnd = 0
        subscriptions[index].expiration = end
        subscriptions[index].steadyTerms = -1
        if !isShare {
            subscriptions[index].renews = subscriptions[index].renews && isRunning
            subscriptions[index].phase =
                newest.details?.revocationDate != nil ? .revoked : isRunning ? .active : .expired(.unknown)
        }
        if subscriptions[index].special != nil {
            subscriptions[index].withSpecial {
                $0.runningOffer = nil
                $0.commitment = nil
                $0.priceIncrease = nil
                $0.troubles.removeAll { $0.begin > end }
                $0.endings.removeAll { $0.date > end }
            }
        }
        reschedule(index)
        updateShares(of: index)
    }

    /// Forgets a subscription. Its number stays, so that the others keep theirs.
    private mutating func remove(subscription index: Int) {
        if let leader = subscriptions[index].special?.leader {
            subscriptions[Int(leader)].withSpecial { $0.followers.removeAll { $0 == Int32(index) } }
        }
        for follower in subscriptions[index].special?.followers ?? [] {
            subscriptions[Int(follower)].phase = .revoked
            subscriptions[Int(follower)].withSpecial { $0.leader = nil }
        }
        accounts[Int(subscriptions[index].account)].subscriptions.removeAll { $0 == Int32(index) }
        subscriptions[index].due = nil
        subscriptions[index].phase = .revoked
    }
}
