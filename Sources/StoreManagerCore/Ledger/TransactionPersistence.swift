/// Where a manager writes down what was paid for.
///
/// A conformer keeps one ``Ledger`` and lends it out, to one caller at a time. All that can be asked of it and done to it
/// stands in extensions, the same for every conformer.
public protocol TransactionPersistence: Sendable {
    /// Lends the ledger to `body`, which reads or changes it, and returns what `body` returns. What was changed is on its
    /// medium, whole, before this returns; where that fails, or `body` throws, the ledger is as it was.
    ///
    /// - Throws: what `body` throws, or why the ledger could not be read or written.
    func withLedger<Result: Sendable>(_ body: @Sendable (inout Ledger) throws -> Result) async throws -> Result
}
