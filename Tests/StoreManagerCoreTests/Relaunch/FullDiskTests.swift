#if os(macOS) || os(Linux)
import Foundation
import StoreSimulator
import TestSupport
import Testing

@testable import StoreManagerCore

/// A manager whose ledger cannot be written because of the disk.
@MainActor
struct FullDiskTests {
    private let store = SimulatedStore(
        configuration: StoreConfiguration(products: [.init(id: "coins", type: .consumable, price: 1)]))
    private let recorder = Recorder()

    private func launch(_ ledger: FilePersistence) -> StoreManager {
        store.relaunch()
        recorder.clear()
        let manager = StoreManager(backend: store, clock: store.clock)
        manager.persistence = ledger
        manager.defaultHandlers = recorder.purchaseHandlers("default")
        return manager
    }

    private func settle(_ manager: StoreManager) async {
        var before = 0
        repeat {
            before = store.log.count
            await store.settle()
            await manager.settle()
        } while store.log.count != before
    }

    /// Buys while the ledger cannot be written, launches again, buys once more, and launches when it can be written again.
    private func check(_ url: URL, broken: FilePersistence, mend: () throws -> Void) async throws {
        let content = try Data(contentsOf: url)
        let first = launch(broken)
        first.purchase(.sample(), handlers: recorder.purchaseHandlers("a"))
        await settle(first)
        #expect(recorder.lines == ["a failure 2 persistenceFailed"])
        let next = launch(broken)
        await settle(next)
        #expect(recorder.lines == ["default failure 2 persistenceFailed"])
        #expect(store.unfinishedTransactions.map(\.id) == ["2"])
        // What the ledger had is there, and can be read.
        #expect(try Data(contentsOf: url) == content)
        #expect(try await broken.count(of: "coins") == 1)

        try mend()
        next.retryPendingVerifications()
        await settle(next)
        #expect(recorder.lines.last == "default success 2")
        #expect(store.unfinishedTransactions == [])
        #expect(try await FilePersistence(url: url).count(of: "coins") == 2)
    }

    /// Buys one coin that is written down.
    private func buy(_ url: URL) async {
        let manager = launch(FilePersistence(url: url))
        manager.purchase(.sample(), handlers: recorder.purchaseHandlers("a"))
        await settle(manager)
        #expect(recorder.lines == ["a success 1"])
    }

    @Test(
        "S02 while the disk takes nothing a purchase fails, stays unfinished, and is counted once when it can be written"
    )
    func injected() async throws {
        let folder = try TemporaryFolder(inMemory: true)
        let url = folder.url.appending(path: "ledger")
        await buy(url)
        let files = FullFileSystem()
        try await check(url, broken: FilePersistence(url: url, fileSystem: files)) { files.isFull = false }
    }

    @Test("S02 on a disk that is really full", .enabled(if: SmallDisk.isAvailable, "it takes root to mount one"))
    func full() async throws {
        let disk = try SmallDisk()
        let url = disk.url.appending(path: "ledger")
        await buy(url)
        try disk.fill()
        try await check(url, broken: FilePersistence(url: url)) { try disk.empty() }
    }

    @Test("S02 on a disk that is really read-only", .enabled(if: SmallDisk.isAvailable, "it takes root to mount one"))
    func readOnly() async throws {
        let disk = try SmallDisk()
        let url = disk.url.appending(path: "ledger")
        await buy(url)
        try disk.remount("ro")
        try await check(url, broken: FilePersistence(url: url)) { try disk.remount("rw") }
    }
}

/// The system's files, on a disk that is full until it is told otherwise.
private final class FullFileSystem: LedgerFileSystem {
    private let system = SystemFileSystem()
    private let full = Locked(true)

    var isFull: Bool {
        get { full.withLock { $0 } }
        set { full.withLock { $0 = newValue } }
    }

    func createFolder(_ path: String) throws { try system.createFolder(path) }
    func withLock<Result>(onFolder path: String, _ body: () throws -> Result) throws -> Result {
        try system.withLock(onFolder: path, body)
    }
    func read(_ path: String, upTo count: Int) throws -> Data? { try system.read(path, upTo: count) }
    func writeSynced(_ data: Data, to path: String) throws {
        guard isFull else { return try system.writeSynced(data, to: path) }
        try system.writeSynced(data.prefix(data.count / 2), to: path)
        throw CocoaError(.fileWriteOutOfSpace)
    }
    func rename(_ path: String, to newPath: String) throws { try system.rename(path, to: newPath) }
    func syncFolder(_ path: String) throws { try system.syncFolder(path) }
    func remove(_ path: String) { system.remove(path) }
}

/// A disk of 64 KiB in memory, mounted as long as this object lives.
private final class SmallDisk {
    let url: URL
    private let folder: TemporaryFolder

    /// Whether one can be mounted here: it takes Linux, root and the right to mount.
    static let isAvailable = (try? SmallDisk()) != nil

    init() throws {
        folder = try TemporaryFolder()
        url = folder.url
        try Self.run("mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", url.path)
    }

    deinit { try? Self.run("umount", url.path) }

    /// Mounts it anew, read-only (`ro`) or not (`rw`).
    func remount(_ mode: String) throws { try Self.run("mount", "-o", "remount,\(mode)", url.path) }

    /// Leaves no room for a single byte.
    func fill() throws {
        try Data().write(to: filler)
        let file = try FileHandle(forWritingTo: filler)
        defer { try? file.close() }
        while (try? file.write(contentsOf: Data(count: 1_024))) != nil {}
    }

    /// Makes room again.
    func empty() throws { try FileManager.default.removeItem(at: filler) }

    private var filler: URL { url.appending(path: "filler") }

    private static func run(_ command: String...) throws {
        #if os(Linux)
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = command
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw CocoaError(.executableRuntimeMismatch) }
        #else
        throw CocoaError(.featureUnsupported)
        #endif
    }
}
#endif
