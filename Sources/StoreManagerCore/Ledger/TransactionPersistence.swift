/// Where a manager writes down what was paid for.
///
/// A conformer keeps one ``Ledger`` and lends it out, to one caller at a time. All that can be asked of it and done to it
/// stands in extensions, the same for every conformer.
public protocol TransactionPersistence: Sendable {
    /// Lends the ledger to `body`, which reads or changes it, and returns what `body` returns. What was changed is on its
    /// medium, whole, before this returns; where that fails, or `body` throws, the ledger is as it was.
    ///
    /// - Throws: what `body` throws, or why the ledger could not be read or written, as a ``LedgerError``.
    func withLedger<Result: Sendable>(_ body: @Sendable (inout Ledger) throws -> Result) async throws -> Result
}

extension TransactionPersistence {
    /// Writes down what the store says of a purchase; see ``Ledger/record(_:)``. Doing so again changes nothing.
    public func persist(_ transaction: StoreTransaction) async throws {
        try await withLedger { $0.record(transaction) }
    }

    /// Whether the product was bought and still stands; stays true when all of it was consumed.
    public func isPurchased(_ productIdentifier: String) async throws -> Bool {
        try await withLedger { $0.isPurchased(productIdentifier) }
    }

    /// How many are left of a consumable; 1 or 0 of anything else. See ``Ledger/count(of:)``.
    public func count(of productIdentifier: String) async throws -> Int {
        try await withLedger { $0.count(of: productIdentifier) }
    }

    /// Uses up some of a consumable, from the oldest purchase on.
    ///
    /// - Returns: false, and nothing is consumed, where fewer are left. See ``Ledger/consume(_:quantity:)``.
    public func consume(_ productIdentifier: String, quantity: Int = 1) async throws -> Bool {
        try await withLedger { $0.consume(productIdentifier, quantity: quantity) }
    }

    /// The products that were bought and still stand.
    public var purchasedProductIdentifiers: Set<String> {
        get async throws { try await withLedger { $0.purchasedProductIdentifiers } }
    }

    /// The rows of a product, oldest first; what was taken back is among them, and marked.
    public func transactions(for productIdentifier: String) async throws -> [LedgerRow] {
        try await withLedger { $0.transactions(for: productIdentifier) }
    }

    /// Forgets everything, pending purchases included.
    public func removeAll() async throws {
        try await withLedger { $0.removeAll() }
    }

    /// Takes over purchases that are known from elsewhere; see ``Ledger/importPurchases(_:from:)``.
    public func importPurchases(_ purchases: [KnownPurchase], from source: String) async throws {
        try await withLedger { $0.importPurchases(purchases, from: source) }
    }
}
