import Foundation
import StoreManagerCore

extension StoreEngine {
    /// A transaction as the store would tell of it now; nil where there is none.
    func transaction(_ id: UInt64) -> StoreTransaction? {
        history.record(of: id).map { transaction(Int32(id - $0.firstID), of: $0) }
    }

    /// The transaction at a place in a record.
    func transaction(_ index: Int32, of record: PurchaseRecord) -> StoreTransaction {
        let terms = termsTable[record.terms]
        let product = catalogue[terms.product]
        let date = purchaseDate(index, of: record)
        var transaction = StoreTransaction(
            id: String(record.firstID + UInt64(index)), originalID: String(record.originalID),
            productIdentifier: product.id, productType: product.type, state: record.state, quantity: terms.quantity,
            purchaseDate: date, originalPurchaseDate: record.originalDate,
            expirationDate: expirationDate(index, of: record))
        transaction.isUpgraded = record.isUpgraded
        transaction.ownership = record.isFamilyShared ? .familyShared : .purchased
        transaction.reason = record.beginsWithRenewal || index > 0 ? .renewal : .purchase
        transaction.subscriptionGroupID = product.subscription?.groupID
        transaction.offer = terms.offer
        transaction.price = terms.price
        transaction.currencyCode = terms.currency
        transaction.storefrontCountryCode = terms.storefront
        transaction.environment = .xcode
        transaction.signedDate = record.details?.signedDate ?? date
        transaction.appAccountToken = record.details?.appAccountToken
        transaction.applicationUsername = record.details?.applicationUsername
        transaction.revocationDate = record.details?.revocationDate
        transaction.revocationReason = record.details?.revocationReason
        transaction.storeVerification = verification
        if record.standing == .paid, !controls.hostedContent.isEmpty {
            transaction.downloads = downloads(of: record.firstID + UInt64(index), product.id)
        }
        return transaction
    }

    /// When the transaction at a place in a record was charged.
    func purchaseDate(_ index: Int32, of record: PurchaseRecord) -> Date {
        guard let step = termsTable[record.terms].step else { return record.anchor }
        return step.date(after: record.anchor, count: Int(record.offset + index))
    }

    /// When the period ends that the transaction at a place in a record paid for.
    func expirationDate(_ index: Int32, of record: PurchaseRecord) -> Date? {
        guard record.standing == .paid, let step = termsTable[record.terms].step else { return nil }
        if let cutOff = record.cutOff, index == record.count - 1 { return cutOff }
        return step.date(after: record.anchor, count: Int(record.offset + index + 1))
    }

    /// When the period ends that the transaction at a place in the record at a place paid for.
    func expirationDate(_ index: Int32, of place: Int) -> Date? { expirationDate(index, of: history.records[place]) }

    /// The product that a record is about.
    func product(of record: PurchaseRecord) -> StoreConfiguration.Product {
        catalogue[termsTable[record.terms].product]
    }

    /// The records of an account, in the order of their making.
    func records(of account: Int) -> [PurchaseRecord] {
        accounts[account].records.compactMap { history.record(of: $0) }
    }

    /// Adds a record to the store's books and to its account.
    mutating func enter(_ record: PurchaseRecord) -> Int {
        accounts[Int(record.account)].records.append(record.firstID)
        return history.insert(record)
    }

    /// Takes a record out of the books again.
    mutating func strike(_ id: UInt64) {
        guard let record = history.record(of: id) else { return }
        history.removeAll { $0.firstID == record.firstID }
        accounts[Int(record.account)].records.removeAll { $0 == record.firstID }
    }

    /// Gives a transaction a record of its own, and returns where that stands.
    mutating func isolate(_ id: UInt64) -> Int? {
        guard let before = history.record(of: id), let place = history.isolate(id) else { return nil }
        var parts: [UInt64] = []
        var next = before.firstID
        while next < before.ids.upperBound, let part = history.record(of: next) {
            parts.append(part.firstID)
            next = part.ids.upperBound
        }
        let account = Int(before.account)
        if let position = accounts[account].records.firstIndex(of: before.firstID) {
            accounts[account].records.replaceSubrange(position...position, with: parts)
        }
        return place
    }

    /// Changes a paid transaction's fate: the word about it is signed later than the one before.
    ///
    /// - Parameter reopens: Whether the app has to deal with it anew, so that it counts as unfinished.
    mutating func revise(_ id: UInt64, reopens: Bool = true, _ change: (inout PurchaseRecord) -> Void) {
        guard let place = isolate(id) else { return }
        let record = history.records[place]
        let signedDate = max(now, (record.details?.signedDate ?? purchaseDate(0, of: record)) + 0.001)
        history.update(at: place) { record in
            change(&record)
            if reopens { record.finished.remove(0) }
            record.withDetails { $0.signedDate = signedDate }
        }
    }

    /// What StoreKit makes of the signatures.
    private var verification: StoreVerification {
        if case .verification(let failure) = controls.simulatedErrors[.verification] {
            return .unverified(reason: failure.rawValue)
        }
        return controls.habits.tokenCarriage == .never ? .notChecked : .verified
    }
}

extension PurchaseRecord {
    /// The state in which the app sees it.
    var state: StoreTransactionState {
        switch standing {
        case .open: .purchasing
        case .deferred: .deferred
        case .interrupted, .failed: .failed
        case .paid: isCopy ? .restored : .purchased
        }
    }
}
