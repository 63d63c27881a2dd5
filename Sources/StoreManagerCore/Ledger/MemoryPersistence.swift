/// A ledger in memory, gone with the process: for tests and previews.
public actor MemoryPersistence: TransactionPersistence {
    private var ledger: Ledger

    /// Starts with a ledger, by default an empty one.
    public init(_ ledger: Ledger = Ledger()) { self.ledger = ledger }

    /// Lends the ledger to `body`; where that throws, the ledger is as it was.
    public func withLedger<Result: Sendable>(_ body: @Sendable (inout Ledger) throws -> Result) throws -> Result {
        var changed = ledger
        let result = try body(&changed)
        ledger = changed
        return result
    }
}
