import StoreManagerCore

/// What outlives a process: the ledger, on a disk that may be full.
@MainActor
final class Disk {
    fileprivate(set) var ledger = Ledger()
    /// How many of the next visits to the ledger fail.
    var failures = 0
    /// The number of the process whose visit failed last.
    fileprivate(set) var lastFailure = 0
}

/// A process's way to the ledger. One that has ended changes nothing any more.
struct DiskPersistence: TransactionPersistence {
    let disk: Disk
    let process: Int
    let isAlive: @MainActor @Sendable () -> Bool

    @MainActor
    func withLedger<Result: Sendable>(_ body: @Sendable (inout Ledger) throws -> Result) async throws -> Result {
        guard isAlive() else { throw SoakError(what: "the process has ended") }
        if disk.failures > 0 {
            disk.failures -= 1
            disk.lastFailure = process
            throw SoakError(what: "the disk is full")
        }
        var changed = disk.ledger
        let result = try body(&changed)
        disk.ledger = changed
        return result
    }
}

extension Disk {
    /// Uses up coins, as the app does.
    func use(_ quantity: Int) -> Bool { ledger.consume("coins", quantity: quantity) }
}
