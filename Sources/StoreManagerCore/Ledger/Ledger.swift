import Foundation

/// What was paid for: one row an original transaction of one product.
///
/// A ledger is a value and knows no time, no store and no file. Whatever is recorded may be recorded again, in any order:
/// nothing is counted twice, and of several words about one transaction the one that the store signed last is right.
/// Where it is kept is a matter of ``TransactionPersistence``.
public struct Ledger: Hashable, Codable, Sendable {
    /// Purchases that were started with a context and of which the store has said nothing yet, oldest first.
    public internal(set) var pendingPurchases: [PendingPurchase] = []
    private var products: [String: Product] = [:]

    /// Makes an empty ledger.
    public init() {}

    // MARK: Asking

    /// Whether the product was bought and neither taken back by the store nor replaced by a better plan. Stays true when
    /// all of it was consumed. An expired subscription was bought too: what gives access now, ``Entitlements`` tells.
    public func isPurchased(_ productIdentifier: String) -> Bool {
        rows(of: productIdentifier).contains(where: \.isStanding)
    }

    /// How many are left: of a consumable, and of a product whose type no store has told, all that was bought and not
    /// consumed; of anything else 1 if it is purchased, else 0.
    public func count(of productIdentifier: String) -> Int {
        guard productType(of: productIdentifier).isCounted else { return isPurchased(productIdentifier) ? 1 : 0 }
        return rows(of: productIdentifier).reduce(0) { sum, row in
            let (result, isTooLarge) = sum.addingReportingOverflow(row.remaining)
            return isTooLarge ? .max : result
        }
    }

    /// The products for which ``isPurchased(_:)`` is true.
    public var purchasedProductIdentifiers: Set<String> { Set(products.keys.filter(isPurchased)) }

    /// The rows of a product, oldest first; what was taken back is among them, and marked.
    public func transactions(for productIdentifier: String) -> [LedgerRow] {
        rows(of: productIdentifier).sorted {
            ($0.originalPurchaseDate, $0.originalTransactionID) < ($1.originalPurchaseDate, $1.originalTransactionID)
        }
    }

    /// The kind of a product as the store last told it; `.unknown` where it never did.
    public func productType(of productIdentifier: String) -> StoreProductType {
        products[productIdentifier]?.type ?? .unknown
    }

    /// Whether this state of the transaction, or a later one, is known to have been finished.
    public func isFinished(_ transaction: StoreTransaction) -> Bool {
        row(of: transaction)?.isFinished(transaction) ?? false
    }

    /// Whether a later word of the store took away what this one grants: it is an old copy that came late.
    public func isSuperseded(_ transaction: StoreTransaction) -> Bool {
        guard let row = row(of: transaction), row.latestTransactionID == transaction.id else { return false }
        let grants = transaction.revocationDate == nil && !transaction.isUpgraded
        return grants && !row.isStanding && row.isNewer(than: transaction)
    }

    // MARK: Changing

    /// Writes down what the store says of a purchase: that it was paid, renewed, upgraded, refunded, or that its refund was
    /// reversed. A transaction that is neither purchased nor restored changes nothing. That a subscription goes on with another
    /// plan before its period ended takes the place of the former plan, whether or not the store says so of that, too.
    ///
    /// Restoring never adds to a count. A refund takes back what is left of the row, a reversed refund gives it again. One that
    /// names no original transaction (StoreKit 1) takes back all that stands of the product.
    public mutating func record(_ transaction: StoreTransaction) {
        guard transaction.state == .purchased || transaction.state == .restored else { return }
        if let date = transaction.revocationDate, transaction.originalID.isEmpty {
            products[transaction.productIdentifier]?.takeBack(at: date)
            return
        }
        products[transaction.productIdentifier, default: Product()].record(transaction)
        if transaction.productType == .autoRenewable { replacePlans(of: transaction.originalID) }
    }

    /// Notes that the store was told to finish the transaction in this state. Only what is recorded can be noted.
    public mutating func markFinished(_ transaction: StoreTransaction) {
        products[transaction.productIdentifier]?.rows[transaction.originalID]?.markFinished(transaction)
    }

    /// Uses up some of a product, from the oldest purchase on.
    ///
    /// - Returns: false, and nothing is consumed, where fewer are left, the quantity is less than 1, or the product's type is
    ///   one that is not counted.
    public mutating func consume(_ productIdentifier: String, quantity: Int = 1) -> Bool {
        guard quantity >= 1, productType(of: productIdentifier).isCounted, quantity <= count(of: productIdentifier)
        else { return false }
        var missing = quantity
        for row in transactions(for: productIdentifier) where missing > 0 {
            let taken = min(missing, row.remaining)
            products[productIdentifier]?.rows[row.id]?.consumed = max(0, row.consumed) + taken
            missing -= taken
        }
        return true
    }

    /// Forgets everything, pending purchases included.
    public mutating func removeAll() { self = Ledger() }

    /// Adds a row that is known from elsewhere; one that is there already stays as it is.
    mutating func add(_ row: LedgerRow, productType: StoreProductType) {
        products[row.productIdentifier, default: Product()].add(row, type: productType)
    }

    // MARK: Rows

    /// Marks the plans of a subscription that gave way to another one.
    private mutating func replacePlans(of originalID: StoreTransaction.ID) {
        let plans = products.compactMap { $0.value.type == .autoRenewable ? $0.value.rows[originalID] : nil }
        guard plans.count > 1 else { return }
        for plan in plans {
            for other in plans { products[plan.productIdentifier]?.rows[originalID]?.giveWay(to: other) }
        }
    }

    private func rows(of productIdentifier: String) -> some Collection<LedgerRow> {
        (products[productIdentifier]?.rows ?? [:]).values
    }

    private func row(of transaction: StoreTransaction) -> LedgerRow? {
        products[transaction.productIdentifier]?.rows[transaction.originalID]
    }

    /// All that is known of one product: its rows by their original transactions.
    private struct Product: Hashable, Codable, Sendable {
        var type: StoreProductType = .unknown
        var rows: [StoreTransaction.ID: LedgerRow] = [:]

        mutating func record(_ transaction: StoreTransaction) {
            if transaction.productType != .unknown { type = transaction.productType }
            rows[transaction.originalID, default: LedgerRow(transaction, productType: type)].update(with: transaction)
        }

        /// The store took the product back, and does not say which purchase of it.
        mutating func takeBack(at date: Date) {
            for id in rows.keys where rows[id]?.isStanding == true { rows[id]?.revocationDate = date }
        }

        mutating func add(_ row: LedgerRow, type told: StoreProductType) {
            if type == .unknown { type = told }
            if rows[row.id] == nil { rows[row.id] = row }
        }
    }
}

extension StoreProductType {
    /// Whether several purchases of such a product add up. A store that does not tell the type does not tell consumables
    /// from other products either, so these are counted too.
    fileprivate var isCounted: Bool { self == .consumable || self == .unknown }
}
