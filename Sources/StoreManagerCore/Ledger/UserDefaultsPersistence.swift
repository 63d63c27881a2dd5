public import Foundation

/// A ledger in the user defaults, for apps that keep little.
///
/// What the defaults can promise, and no more: on Apple's systems a change outlives a crash of the app, not surely one of the
/// machine, and nothing is told of a full disk. On Linux the defaults rewrite their file in place, so that a kill in that
/// instant loses it: use ``FilePersistence`` there. There is no lock either: make one instance for each key, in one process.
public actor UserDefaultsPersistence: TransactionPersistence {
    private var stored: StoredLedger<DefaultsEntry>

    /// Keeps the ledger under a key of its own.
    ///
    /// - Parameters:
    ///   - defaults: where it is kept.
    ///   - key: the ledger's key in them.
    ///   - encoding: what is done to the bytes before they are kept.
    public init(
        defaults: sending UserDefaults = .standard, key: String = "StoreKitManagerLedger",
        encoding: LedgerEncoding = .plain
    ) {
        stored = StoredLedger(medium: DefaultsEntry(defaults: defaults, key: key), encoding: encoding)
    }

    /// Lends the ledger to `body`.
    ///
    /// - Throws: what `body` throws, or a ``LedgerError``; the ledger is as it was then. A value under the key that is no whole
    ///   ledger is such an error, and is left as it is.
    public func withLedger<Result: Sendable>(_ body: @Sendable (inout Ledger) throws -> Result) throws -> Result {
        try stored.withLedger(body)
    }
}

/// A value in the user defaults.
private struct DefaultsEntry: LedgerMedium {
    let defaults: UserDefaults
    let key: String

    var place: String { "the user defaults, \(key)" }

    func read(upTo count: Int) throws -> Data? {
        guard let value = defaults.object(forKey: key) else { return nil }
        guard let data = value as? Data else {
            throw LedgerError.damaged(place: place, reason: "it is \(type(of: value)), not data")
        }
        return data.prefix(count)
    }

    func write(_ data: Data) throws {
        defaults.set(data, forKey: key)
        // Apple's systems write by themselves, which could not be run here.
        #if !canImport(Darwin)
        if !defaults.synchronize() { throw CocoaError(.fileWriteUnknown) }
        #endif
    }
}
