public import Foundation

/// A ledger in a file of its own.
///
/// Whatever happens to the process or the machine, the file holds the former ledger or the new one, whole: the new one is
/// written beside it, synced, put in its place in one step, and the folder is synced too. Only then does ``withLedger(_:)``
/// return. Where the folder's sync fails an error is thrown although the new ledger may already be in place, as after a
/// crash at that instant; recording once more is always safe.
///
/// A missing file is an empty ledger. A damaged file, one of a newer format and one that cannot be read are errors that name
/// the file, and it is left as it is.
///
/// Any number of instances and processes may share one file: each change is made under a lock (`flock` on the folder), on
/// what the file holds then. A process that is stopped inside a change holds up the others; iOS ends an app that it suspends
/// while the app holds a lock in a container shared with others.
public actor FilePersistence: TransactionPersistence {
    private var stored: StoredLedger<LedgerFile>

    /// Keeps the ledger in a file. Nothing is read yet.
    ///
    /// - Parameters:
    ///   - url: the file; its folder is made when it is needed.
    ///   - encoding: what is done to the bytes; the same for everyone who opens the file.
    public init(url: URL, encoding: LedgerEncoding = .plain) {
        self.init(url: url, encoding: encoding, fileSystem: SystemFileSystem())
    }

    init(url: URL, encoding: LedgerEncoding = .plain, fileSystem: any LedgerFileSystem) {
        stored = StoredLedger(medium: LedgerFile(url: url, fileSystem: fileSystem), encoding: encoding)
    }

    /// Lends the ledger to `body`, and returns when what it changed is on the disk.
    ///
    /// - Throws: what `body` throws, or a ``LedgerError``; see above for what the file holds then.
    public func withLedger<Result: Sendable>(_ body: @Sendable (inout Ledger) throws -> Result) throws -> Result {
        try stored.medium.withLock { try stored.withLedger(body) }
    }
}

/// A file, and how it is replaced.
private struct LedgerFile: LedgerMedium {
    let path: String
    let folder: String
    let fileSystem: any LedgerFileSystem

    init(url: URL, fileSystem: any LedgerFileSystem) {
        let url = url.standardizedFileURL
        path = url.path
        folder = url.deletingLastPathComponent().path
        self.fileSystem = fileSystem
    }

    var place: String { path }

    func withLock<Value>(_ body: () throws -> Value) throws -> Value {
        let outcome: Result<Value, any Error>  // what `body` throws names the place already
        do {
            try fileSystem.createFolder(folder)
            outcome = try fileSystem.withLock(onFolder: folder) { Result(catching: body) }
        } catch {
            throw LedgerError.unreadable(place: path, underlying: error)
        }
        return try outcome.get()
    }

    func read(upTo count: Int) throws -> Data? { try fileSystem.read(path, upTo: count) }

    func write(_ data: Data) throws {
        let newPath = path + ".new"
        do {
            try fileSystem.writeSynced(data, to: newPath)
            try fileSystem.rename(newPath, to: path)
        } catch {
            fileSystem.remove(newPath)
            throw error
        }
        try fileSystem.syncFolder(folder)
    }
}
