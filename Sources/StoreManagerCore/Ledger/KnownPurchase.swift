public import Foundation

/// A purchase that is known from elsewhere: an earlier way of keeping purchases, or the app's own server.
public struct KnownPurchase: Hashable, Codable, Sendable {
    /// The product that was bought.
    public var productIdentifier: String
    /// The kind of product, where that is known. It keeps what was restored several times from being counted several times.
    public var productType: StoreProductType
    /// The original transaction, where it is known. With it the store's later word about the purchase finds its row.
    public var transactionID: StoreTransaction.ID?
    /// When it was bought, where that is known.
    public var purchaseDate: Date?
    /// How many were bought.
    public var quantity: Int
    /// How many of them were used up.
    public var consumed: Int

    /// Makes a purchase of one piece; all but the product has a default.
    public init(
        productIdentifier: String, productType: StoreProductType = .unknown, transactionID: StoreTransaction.ID? = nil,
        purchaseDate: Date? = nil, quantity: Int = 1, consumed: Int = 0
    ) {
        self.productIdentifier = productIdentifier
        self.productType = productType
        self.transactionID = transactionID
        self.purchaseDate = purchaseDate
        self.quantity = quantity
        self.consumed = consumed
    }
}

extension Ledger {
    /// Takes over purchases that are known from elsewhere, each marked with the source's name.
    ///
    /// Importing again changes nothing: a purchase whose row is there stays as the store, or the first import, left it. Those
    /// without a transaction are told apart by their product and their place in the list, so give the same list again.
    public mutating func importPurchases(_ purchases: some Sequence<KnownPurchase>, from source: String) {
        var nameless: [String: Int] = [:]
        for purchase in purchases {
            var id = purchase.transactionID ?? ""
            if id.isEmpty {
                nameless[purchase.productIdentifier, default: 0] += 1
                id = "\(source)-\(nameless[purchase.productIdentifier, default: 0])"
            }
            add(LedgerRow(purchase, id: id, source: source), productType: purchase.productType)
        }
    }
}

extension LedgerRow {
    fileprivate init(_ purchase: KnownPurchase, id: StoreTransaction.ID, source: String) {
        originalTransactionID = id
        productIdentifier = purchase.productIdentifier
        quantity = max(0, purchase.quantity)
        consumed = min(max(0, purchase.consumed), quantity)
        originalPurchaseDate = purchase.purchaseDate ?? .distantPast
        purchaseDate = originalPurchaseDate
        isUpgraded = false
        ownership = .purchased
        importedFrom = source
    }
}
