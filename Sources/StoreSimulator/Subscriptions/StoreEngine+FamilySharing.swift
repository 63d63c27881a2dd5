import Foundation
import StoreManagerCore

/// Family sharing: what one account buys, others have too, under identifiers of their own.
extension StoreEngine {
    /// Makes an account a member of another's family, which shares with it all that may be shared.
    mutating func joinFamily(_ member: Int, of organizer: Int) throws(SimulatorError) {
        let (name, leader) = (accounts[member].name, accounts[organizer].name)
        if member == organizer { throw .invalidAction("\"\(name)\" cannot join a family of its own.") }
        if accounts[member].organizer != nil { throw .invalidAction("\"\(name)\" is in a family already.") }
        if !accounts[member].members.isEmpty {
            throw .invalidAction("\"\(name)\" has a family of its own, whose members have to leave it first.")
        }
        if let other = accounts[organizer].organizer {
            throw .invalidAction(
                "\"\(leader)\" is a member of the family of \"\(accounts[Int(other)].name)\", which is the one to join."
            )
        }
        accounts[member].organizer = Int32(organizer)
        accounts[organizer].members.append(Int32(member))
        note(.joinedFamily, .account(member), .init("organizer", accounts[organizer].name))
        for record in records(of: organizer) where isShareable(record) { share(record, with: member) }
        for index in ownSubscriptions(of: organizer) { share(subscription: index, with: member) }
    }

    /// Takes an account out of its family; what was shared with it is taken back.
    mutating func leaveFamily(_ member: Int) throws(SimulatorError) {
        guard let organizer = accounts[member].organizer else {
            throw .invalidAction("\"\(accounts[member].name)\" is in no family.")
        }
        accounts[member].organizer = nil
        accounts[Int(organizer)].members.removeAll { $0 == Int32(member) }
        note(.leftFamily, .account(member), .init("organizer", accounts[Int(organizer)].name))
        for index in accounts[member].subscriptions.map({ Int($0) }) {
            guard let leader = subscriptions[index].special?.leader else { continue }
            subscriptions[Int(leader)].withSpecial { $0.followers.removeAll { $0 == Int32(index) } }
            subscriptions[index].withSpecial { $0.leader = nil }
            if subscriptions[index].isLive { subscriptions[index].phase = .revoked }
        }
        let now = now
        for record in records(of: member) where record.isFamilyShared && isCurrent(record) {
            let end = expirationDate(record.count - 1, of: record) ?? .distantFuture
            if end > now { takeBack(record.lastID, on: now, because: .other) }
        }
    }

    /// Shares what was just bought with the buyer's family.
    mutating func shareWithFamily(_ id: UInt64) {
        guard let record = history.record(of: id) else { return }
        for member in accounts[Int(record.account)].members {
            if isShareable(record) {
                share(record, with: Int(member))
            } else if let index = subscriptionIndex(of: record) {
                share(subscription: index, with: Int(member))
            }
        }
    }

    /// Lets the family's shares in a subscription follow it.
    mutating func updateShares(of index: Int) {
        guard let followers = subscriptions[index].special?.followers, !followers.isEmpty else { return }
        for follower in followers { follow(Int(follower), index) }
    }

    /// Lets the running period of the family's shares in a subscription end when its own does.
    mutating func cutShares(of index: Int, at end: Date, isUpgraded: Bool = false) {
        let ended = subscriptions[index].lastID
        for follower in (subscriptions[index].special?.followers ?? []).map({ Int($0) })
        where history.record(of: subscriptions[follower].lastID)?.sharedFrom == ended {
            history.update(at: isolate(subscriptions[follower].lastID)) { record in
                record.cutOff = end
                record.isUpgraded = isUpgraded
            }
            subscriptions[follower].expiration = end
        }
    }

    /// Takes back, or gives back, what the family has of a transaction.
    mutating func revokeShares(of id: UInt64, on date: Date?, because reason: StoreRevocationReason?) {
        guard let record = history.record(of: id) else { return }
        for member in accounts[Int(record.account)].members {
            for shared in records(of: Int(member)) where shared.isFamilyShared && shared.sharedFrom == id {
                takeBack(shared.lastID, on: date, because: reason)
            }
        }
    }

    /// The numbers of the subscriptions that an account pays for itself.
    func ownSubscriptions(of account: Int) -> [Int] {
        accounts[account].subscriptions.map { Int($0) }.filter { subscriptions[$0].special?.leader == nil }
    }

    private func isShareable(_ record: PurchaseRecord) -> Bool {
        let product = product(of: record)
        return product.isFamilyShareable && product.type != .autoRenewable && isCurrent(record)
            && !record.isFamilyShared
    }

    private func isCurrent(_ record: PurchaseRecord) -> Bool {
        record.standing == .paid && !record.isCopy && record.details?.revocationDate == nil
    }

    private mutating func share(_ record: PurchaseRecord, with member: Int) {
        let id = history.reserve()
        var shared = PurchaseRecord(
            firstID: id, account: Int32(member), terms: record.terms, originalID: id, originalDate: record.originalDate,
            anchor: record.anchor, standing: .paid)
        shared.isFamilyShared = true
        shared.sharedFrom = record.lastID
        _ = enter(shared)
        note(.shared, .owner(id), .product(product(of: record).id), .transaction(id))
        announce(id)
    }

    /// Gives a member a share in a subscription.
    private mutating func share(subscription leader: Int, with member: Int) {
        guard subscriptions[leader].isLive, catalogue[Int(subscriptions[leader].product)].isFamilyShareable else {
            return
        }
        let known = accounts[member].subscriptions.first { subscriptions[Int($0)].special?.leader == Int32(leader) }
        if let known { return follow(Int(known), leader) }
        let index = subscriptions.count
        var share = subscriptions[leader]
        share.account = Int32(member)
        share.lastID = 0
        share.idsEnd = 0
        share.due = nil
        share.special = nil
        share.withSpecial { $0.leader = Int32(leader) }
        subscriptions.append(share)
        accounts[member].subscriptions.append(Int32(index))
        subscriptions[leader].withSpecial { $0.followers.append(Int32(index)) }
        follow(index, leader)
    }

    /// Brings a share to where its subscription is.
    private mutating func follow(_ index: Int, _ leader: Int) {
        let leading = subscriptions[leader]
        guard let record = history.record(of: leading.lastID) else { return }
        if history.record(of: subscriptions[index].lastID)?.sharedFrom != leading.lastID,
            catalogue[Int(leading.product)].isFamilyShareable
        {
            extendShare(index, with: record, lastID: leading.lastID)
        }
        subscriptions[index].product = leading.product
        subscriptions[index].nextProduct = leading.nextProduct
        subscriptions[index].expiration = leading.expiration
        subscriptions[index].renews = leading.renews
        subscriptions[index].phase = catalogue[Int(leading.product)].isFamilyShareable ? leading.phase : .revoked
    }

    /// Writes down the member's part of the newest transaction.
    private mutating func extendShare(_ index: Int, with record: PurchaseRecord, lastID: UInt64) {
        let isFirst = subscriptions[index].lastID == 0
        var id = subscriptions[index].lastID + 1
        if id >= subscriptions[index].idsEnd {
            id = history.reserve(History.idsPerRun)
            subscriptions[index].idsEnd = id + History.idsPerRun
        }
        let place = Int32(lastID - record.firstID)
        let first = isFirst ? nil : history.record(of: subscriptions[index].lastID)
        var shared = PurchaseRecord(
            firstID: id, account: subscriptions[index].account, terms: record.terms,
            originalID: first?.originalID ?? id,
            originalDate: first?.originalDate ?? purchaseDate(place, of: record), anchor: record.anchor,
            standing: .paid)
        shared.offset = record.offset + place
        shared.cutOff = record.cutOff
        shared.beginsWithRenewal = !isFirst
        shared.isFamilyShared = true
        shared.sharedFrom = lastID
        subscriptions[index].lastID = id
        subscriptions[index].recordHint = Int32(clamping: enter(shared))
        note(.shared, .owner(id), .product(product(of: record).id), .transaction(id))
        announce(id)
    }

    private mutating func takeBack(_ id: UInt64, on date: Date?, because reason: StoreRevocationReason?) {
        revise(id) { record in
            record.withDetails {
                $0.revocationDate = date
                $0.revocationReason = reason
            }
        }
        note(date == nil ? .refundReversed : .revoked, .owner(id), .transaction(id))
        if date != nil { emit(.revoke, nil, of: id) }
        announce(id)
    }
}
