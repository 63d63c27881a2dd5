import Foundation

@testable import StoreManagerCore

/// The system's files, of which one operation fails; and a journal of all that was asked for.
final class FaultyFileSystem: LedgerFileSystem, @unchecked Sendable {  // all that changes is guarded by `lock`
    enum Fault: CaseIterable {
        /// The operation does nothing and fails, the next ones work: a full disk, a read-only folder.
        case error
        /// A write gets half of its bytes out before it fails.
        case halfWritten
        /// The process dies in the operation: it, and all that would follow, does nothing.
        case death
        /// The process dies with half of the bytes out.
        case deathHalfWritten
    }

    private let lock = NSLock()
    private let system = SystemFileSystem()
    private let fault: Fault
    private let failing: Int
    private var entries: [String] = []

    /// - Parameter failing: the number of the operation that fails, from 1 on; 0 for none.
    init(failing: Int = 0, _ fault: Fault = .error) {
        self.failing = failing
        self.fault = fault
    }

    /// The operations so far, each with the last part of its path.
    var journal: [String] { lock.withLock { entries } }

    func createFolder(_ path: String) throws {
        try perform("createFolder", path) { try system.createFolder(path) }
    }

    func withLock<Result>(onFolder path: String, _ body: () throws -> Result) throws -> Result {
        try perform("lock", path) {}
        return try system.withLock(onFolder: path, body)
    }

    func read(_ path: String, upTo count: Int) throws -> Data? {
        try perform("read", path) { try system.read(path, upTo: count) }
    }

    func writeSynced(_ data: Data, to path: String) throws {
        do {
            try perform("write", path) { try system.writeSynced(data, to: path) }
        } catch {
            if fault == .halfWritten || fault == .deathHalfWritten {
                try system.writeSynced(data.prefix(data.count / 2), to: path)
            }
            throw error
        }
    }

    func rename(_ path: String, to newPath: String) throws {
        try perform("rename", newPath) { try system.rename(path, to: newPath) }
    }

    func syncFolder(_ path: String) throws {
        try perform("syncFolder", path) { try system.syncFolder(path) }
    }

    func remove(_ path: String) {
        try? perform("remove", path) { system.remove(path) }
    }

    private func perform<Result>(_ name: String, _ path: String, _ body: () throws -> Result) throws -> Result {
        let number = lock.withLock {
            entries.append("\(name) \(URL(filePath: path).lastPathComponent)")
            return entries.count
        }
        let isDead = failing > 0 && number > failing && (fault == .death || fault == .deathHalfWritten)
        if number == failing || isDead {
            throw NSError(domain: NSPOSIXErrorDomain, code: 28, userInfo: [NSLocalizedDescriptionKey: "no space left"])
        }
        return try body()
    }
}
