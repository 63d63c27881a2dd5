public import Foundation

/// One original transaction of one product, as a ledger keeps it.
///
/// Renewals, refunds and restored copies of the original do not add rows, they update this one.
public struct LedgerRow: Hashable, Codable, Sendable, Identifiable {
    /// The identifier of the first purchase; for a purchase known from elsewhere without one, made by the import.
    public let originalTransactionID: StoreTransaction.ID
    /// The product that was bought.
    public let productIdentifier: String
    /// How many were bought; 0 for a consumable that this ledger knows only from a restore, having been granted elsewhere.
    public internal(set) var quantity: Int
    /// How many of them were used up.
    public internal(set) var consumed: Int
    /// When the first purchase was charged; `.distantPast` where an import did not say.
    public internal(set) var originalPurchaseDate: Date
    /// When the latest transaction was charged.
    public internal(set) var purchaseDate: Date
    /// When a subscription's paid period ends.
    public internal(set) var expirationDate: Date?
    /// The latest transaction: the purchase itself, or its last renewal. Nil as long as the store has said nothing of a
    /// purchase that was imported.
    public internal(set) var latestTransactionID: StoreTransaction.ID?
    /// When the store took the purchase back; nil while it stands.
    public internal(set) var revocationDate: Date?
    /// Whether the subscriber moved up to a better plan: the store said so of this one, or told of that one.
    public internal(set) var isUpgraded: Bool
    /// Whether it was bought by this account, or by a family member.
    public internal(set) var ownership: StoreOwnership
    /// When the store signed the word that this row follows; nil where it signs none.
    public internal(set) var signedDate: Date?
    /// Where an imported purchase was known from.
    public internal(set) var importedFrom: String?
    /// Which state of which transaction was finished last.
    var finished: [StoreTransaction.ID: StoreTransactionMark] = [:]

    /// The row is named by its original transaction.
    public var id: StoreTransaction.ID { originalTransactionID }

    /// Whether the purchase stands: neither taken back by the store nor replaced by a better plan.
    public var isStanding: Bool { revocationDate == nil && !isUpgraded }

    /// How many are left to use; 0 where the purchase does not stand.
    public var remaining: Int {
        let used = max(0, consumed)
        return isStanding && quantity > used ? quantity - used : 0
    }
}

extension LedgerRow {
    /// The first word of the store about a purchase of a product of this type.
    init(_ transaction: StoreTransaction, productType: StoreProductType) {
        originalTransactionID = transaction.originalID
        productIdentifier = transaction.productIdentifier
        // Whoever restores got a consumable's quantity when it was bought; to count it again would give it twice.
        quantity = productType == .consumable ? 0 : 1
        consumed = 0
        originalPurchaseDate = transaction.originalPurchaseDate
        purchaseDate = transaction.purchaseDate
        isUpgraded = false
        ownership = transaction.ownership
        update(with: transaction)
    }

    /// Follows a word of the store, unless a newer one is known.
    mutating func update(with transaction: StoreTransaction) {
        if transaction.state == .purchased { quantity = max(1, transaction.quantity) }
        // What is recorded anew has to be handed over anew: a refund, and the reversal that brings the former state back.
        if !isFinished(transaction) { finished[transaction.id] = nil }
        guard !isNewer(than: transaction) else { return }
        originalPurchaseDate = transaction.originalPurchaseDate
        purchaseDate = transaction.purchaseDate
        expirationDate = transaction.expirationDate
        latestTransactionID = transaction.id
        revocationDate = transaction.revocationDate
        isUpgraded = transaction.isUpgraded
        ownership = transaction.ownership
        signedDate = transaction.signedDate
    }

    /// Follows what another plan of the same subscription says of this one: charged before this one's period ended, it has taken
    /// its place.
    mutating func giveWay(to other: LedgerRow) {
        guard let latestTransactionID, let otherID = other.latestTransactionID,
            ChargeOrder(date: purchaseDate, id: latestTransactionID)
                < ChargeOrder(date: other.purchaseDate, id: otherID),
            other.purchaseDate < expirationDate ?? .distantFuture
        else { return }
        isUpgraded = true
        if let signedDate, let later = other.signedDate { self.signedDate = max(signedDate, later) }
    }

    /// Whether the row follows a later transaction, or a later word about the same one.
    func isNewer(than transaction: StoreTransaction) -> Bool {
        guard let latestTransactionID else { return false }
        if latestTransactionID != transaction.id, purchaseDate != transaction.purchaseDate {
            return purchaseDate > transaction.purchaseDate
        }
        if let signedDate, let other = transaction.signedDate, signedDate != other { return signedDate > other }
        // Without dates to go by, what took the purchase away is later than the purchase itself.
        return (revocationDate != nil && transaction.revocationDate == nil) || (isUpgraded && !transaction.isUpgraded)
    }

    /// Notes that a transaction's state was finished, unless a later one was.
    mutating func markFinished(_ transaction: StoreTransaction) {
        if let mark = finished[transaction.id], mark.isNewer(than: transaction) { return }
        finished[transaction.id] = StoreTransactionMark(transaction)
    }

    /// Whether this state of the transaction, or a later one, was finished.
    func isFinished(_ transaction: StoreTransaction) -> Bool {
        finished[transaction.id]?.covers(transaction) ?? false
    }
}
