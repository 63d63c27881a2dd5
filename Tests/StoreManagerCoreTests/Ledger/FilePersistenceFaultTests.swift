import Foundation
import TestSupport
import Testing

@testable import StoreManagerCore

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A ledger in a file on a disk that fails.
final class FilePersistenceFaultTests {
    let folder: TemporaryFolder
    let url: URL

    init() throws {
        folder = try TemporaryFolder()
        url = folder.url.appending(path: "ledger")
    }

    @Test("S07 the new file is synced before it takes the old one's place, and the folder after")
    func order() async throws {
        let files = FaultyFileSystem()
        try await FilePersistence(url: url, fileSystem: files).persist(.bought("coins"))
        let name = folder.url.lastPathComponent
        #expect(
            files.journal == [
                "createFolder \(name)", "lock \(name)", "read ledger", "write ledger.new", "rename ledger",
                "syncFolder \(name)",
            ])
    }

    @Test(
        "S02 S07 whatever operation fails, or kills, the file holds the old ledger or the new one",
        arguments: FaultyFileSystem.Fault.allCases)
    func everyOperation(fault: FaultyFileSystem.Fault) async throws {
        for isFirst in [true, false] {
            for failing in 1...8 {
                try? FileManager.default.removeItem(at: url)
                if !isFirst { try await FilePersistence(url: url).persist(.bought("coins", id: "1")) }
                let old = isFirst ? 0 : 1
                let files = FaultyFileSystem(failing: failing, fault)
                let ledger = FilePersistence(url: url, fileSystem: files)
                let comment: Comment = "\(fault), operation \(failing): \(files.journal)"
                do {
                    try await ledger.persist(.bought("coins", id: "2"))
                    #expect(files.journal.count < failing, comment)
                    #expect(try await FilePersistence(url: url).count(of: "coins") == old + 1, comment)
                } catch {
                    #expect(error is LedgerError, comment)
                    #expect(String(describing: error).contains(url.path), comment)
                    let mayBeNew = files.journal.contains { $0.hasPrefix("syncFolder") }
                    let count = try await FilePersistence(url: url).count(of: "coins")
                    #expect(count == old || (mayBeNew && count == old + 1), comment)
                    try await FilePersistence(url: url).persist(.bought("coins", id: "2"))
                    #expect(try await FilePersistence(url: url).count(of: "coins") == old + 1, comment)
                }
            }
        }
    }

    @Test("S02 an instance whose write failed goes on with what the file holds", arguments: 1...7)
    func goesOn(failing: Int) async throws {
        try await FilePersistence(url: url).persist(.bought("coins", id: "1"))
        let ledger = FilePersistence(url: url, fileSystem: FaultyFileSystem(failing: failing, .halfWritten))
        try? await ledger.persist(.bought("coins", id: "2"))
        let held = try await FilePersistence(url: url).count(of: "coins")
        #expect(try await ledger.count(of: "coins") == held)
        try await ledger.persist(.bought("coins", id: "3"))
        #expect(try await FilePersistence(url: url).count(of: "coins") == held + 1)
        #expect(try folder.names == ["ledger"])
    }

    @Test("S02 a full disk is told as what it is, and removes what was half written")
    func fullDisk() async throws {
        try await FilePersistence(url: url).persist(.bought("coins", id: "1"))
        let ledger = FilePersistence(url: url, fileSystem: FaultyFileSystem(failing: 5, .halfWritten))
        await #expect(
            performing: {
                try await ledger.persist(.bought("coins", id: "2"))
            },
            throws: {
                guard case LedgerError.unwritable(self.url.path, let error) = $0 else { return false }
                return (error as NSError).domain == NSPOSIXErrorDomain && (error as NSError).code == Int(ENOSPC)
            })
        #expect(try folder.names == ["ledger"])
    }

    @Test(
        "S02 in a read-only folder the ledger can be read, and writing is an error",
        .enabled(if: geteuid() != 0, "root may write anywhere"))
    func readOnlyFolder() async throws {
        try await FilePersistence(url: url).persist(.bought("coins", id: "1"))
        chmod(folder.url.path, 0o500)
        defer { chmod(folder.url.path, 0o700) }
        let ledger = FilePersistence(url: url)
        #expect(try await ledger.count(of: "coins") == 1)
        await #expect(
            performing: {
                try await ledger.persist(.bought("coins", id: "2"))
            },
            throws: {
                if case LedgerError.unwritable(self.url.path, _) = $0 { true } else { false }
            })
        #expect(try await ledger.count(of: "coins") == 1)
    }
}
