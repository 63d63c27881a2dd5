public import Foundation

/// A purchase that was started with a context, written down so that the context survives the process.
public struct PendingPurchase: Hashable, Codable, Sendable {
    /// The product.
    public var productIdentifier: String
    /// The account token that the purchase was started with.
    public var appAccountToken: UUID?
    /// The application user name that the purchase was started with.
    public var applicationUsername: String?
    /// What shall come back with the transaction.
    public var context: PurchaseContext
    /// When the purchase was started, by the device's clock.
    public var startDate: Date

    /// Makes an entry.
    public init(
        productIdentifier: String, appAccountToken: UUID? = nil, applicationUsername: String? = nil,
        context: PurchaseContext, startDate: Date
    ) {
        self.productIdentifier = productIdentifier
        self.appAccountToken = appAccountToken
        self.applicationUsername = applicationUsername
        self.context = context
        self.startDate = startDate
    }

    /// Whether the transaction may be the end of this purchase: bought, not renewed, after it was started, of its product and
    /// under its account token. A user name is compared where the transaction carries one; not every store gives it back. The
    /// device's clock may have been five minutes ahead of the store's, so only ask about what is new to the ledger.
    func matches(_ transaction: StoreTransaction) -> Bool {
        transaction.productIdentifier == productIdentifier
            && transaction.appAccountToken == appAccountToken
            && (transaction.applicationUsername == nil || transaction.applicationUsername == applicationUsername)
            && transaction.reason == .purchase && transaction.state == .purchased
            && transaction.deliveryState.grants && transaction.purchaseDate >= startDate - StoreTime.skew
    }
}

extension Ledger {
    /// Writes down a purchase that is about to start.
    public mutating func addPendingPurchase(_ purchase: PendingPurchase) { pendingPurchases.append(purchase) }

    /// Strikes out a purchase that has ended, if it is there.
    public mutating func removePendingPurchase(_ purchase: PendingPurchase) {
        if let index = pendingPurchases.firstIndex(of: purchase) { pendingPurchases.remove(at: index) }
    }

    /// Strikes out the purchases that were started before a date: some stores never tell that one was declined.
    public mutating func removePendingPurchases(startedBefore date: Date) {
        pendingPurchases.removeAll { $0.startDate < date }
    }

    /// The purchase that a transaction ends: the oldest that fits.
    ///
    /// Nil where several fit that have different contexts: a wrong context is worse than none.
    public func pendingPurchase(for transaction: StoreTransaction) -> PendingPurchase? {
        let fitting = pendingPurchases.filter { $0.matches(transaction) }
        guard let oldest = fitting.min(by: { $0.startDate < $1.startDate }),
            fitting.allSatisfy({ $0.context == oldest.context })
        else { return nil }
        return oldest
    }

    /// Takes out the purchase that a transaction ends, as ``pendingPurchase(for:)`` finds it.
    public mutating func takePendingPurchase(for transaction: StoreTransaction) -> PendingPurchase? {
        guard let purchase = pendingPurchase(for: transaction) else { return nil }
        removePendingPurchase(purchase)
        return purchase
    }
}
