import Foundation
import TestSupport
import Testing

@testable import StoreManagerCore

/// A ledger in a file, as long as the disk does what it is told.
final class FilePersistenceTests {
    let folder: TemporaryFolder
    let url: URL

    init() throws {
        folder = try TemporaryFolder()
        url = folder.url.appending(path: "ledger")
    }

    /// The file of a ledger that holds a bit of everything.
    func writeSample() async throws -> Data {
        let ledger = FilePersistence(url: url)
        try await ledger.persist(.bought("coins", id: "1", quantity: 5))
        try await ledger.withLedger {
            $0.record(.bought("sub", .autoRenewable, id: "2", until: day(30)))
            $0.markFinished(.bought("sub", .autoRenewable, id: "2", until: day(30)))
        }
        return try Data(contentsOf: url)
    }

    @Test("S06 S07 what is written down is there for the next process")
    func roundTrip() async throws {
        let ledger = FilePersistence(url: url)
        try await ledger.persist(.bought("coins", quantity: 5))
        #expect(try await ledger.consume("coins", quantity: 2))
        let next = FilePersistence(url: url)
        #expect(try await next.count(of: "coins") == 3)
        #expect(try await next.isPurchased("coins"))
        #expect(try await next.purchasedProductIdentifiers == ["coins"])
        #expect(try await next.transactions(for: "coins").map(\.quantity) == [5])
        try await next.removeAll()
        #expect(try await ledger.count(of: "coins") == 0)
        #expect(try folder.names == ["ledger"])
    }

    @Test("S07 a missing file is an empty ledger, and reading makes none")
    func missing() async throws {
        #expect(try await FilePersistence(url: url).count(of: "coins") == 0)
        #expect(try folder.names.isEmpty)
    }

    @Test("S07 missing folders are made")
    func missingFolders() async throws {
        let url = folder.url.appending(path: "a/b/c/ledger")
        try await FilePersistence(url: url).persist(.bought("coins"))
        #expect(try await FilePersistence(url: url).count(of: "coins") == 1)
    }

    @Test("S07 what a crash left beside the file does no harm")
    func leftover() async throws {
        let data = try await writeSample()
        try data.prefix(50).write(to: url.appendingPathExtension("new"))
        let ledger = FilePersistence(url: url)
        #expect(try await ledger.count(of: "coins") == 5)
        try await ledger.persist(.bought("coins", id: "9"))
        #expect(try await FilePersistence(url: url).count(of: "coins") == 6)
        #expect(try folder.names == ["ledger"])
    }

    @Test("S07 what the body throws leaves the ledger and the file as they were")
    func bodyThrows() async throws {
        let data = try await writeSample()
        let ledger = FilePersistence(url: url)
        await #expect(throws: CancellationError.self) {
            try await ledger.withLedger {
                $0.removeAll()
                throw CancellationError()
            }
        }
        #expect(try await ledger.count(of: "coins") == 5)
        #expect(try Data(contentsOf: url) == data)
    }

    // MARK: Damage

    @Test(
        "S07 a file with any one byte changed is an error that names it, and is left as it is",
        arguments: [1, 0x20, 0x80, 0xFF])
    func flippedBytes(bits: UInt8) async throws {
        let whole = try await writeSample()
        for index in whole.indices {
            var data = whole
            data[index] ^= bits
            await expectRefusal(of: data, "byte \(index)")
        }
    }

    @Test("S07 a file cut short at any length, an empty one too, is an error that names it, and is left as it is")
    func truncations() async throws {
        let whole = try await writeSample()
        for length in 0..<whole.count { await expectRefusal(of: whole.prefix(length), "length \(length)") }
    }

    @Test("S07 a file that goes on after its end, or is something else, is an error that names it")
    func otherContent() async throws {
        let whole = try await writeSample()
        for data in [whole + [0], whole + whole, Data("{}".utf8), Data(repeating: 0, count: 4096), Data("\n".utf8)] {
            await expectRefusal(of: data, "\(data.count) bytes")
        }
    }

    @Test("S07 a folder in the file's place is an error that names it")
    func folderInPlace() async throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
        await #expect(
            performing: {
                try await FilePersistence(url: self.url).count(of: "coins")
            },
            throws: {
                guard case LedgerError.unreadable(let place, let error) = $0 else { return false }
                return place == self.url.path && (error as NSError).domain == NSPOSIXErrorDomain
            })
    }

    @Test("S07 a file of a newer format is an error that says so, and is left as it is", arguments: ["2", "10"])
    func newerFormat(number: String) async throws {
        let data = Data("StoreKitManager ledger \(number) 0123456789abcdef 6\nfuture".utf8)
        try data.write(to: url)
        await #expect(
            performing: {
                try await FilePersistence(url: self.url).persist(.bought("coins"))
            },
            throws: {
                guard case LedgerError.newerFormat(self.url.path, Int(number) ?? 0, 1) = $0 else { return false }
                return String(describing: $0).contains("format \(number)")
            })
        #expect(try Data(contentsOf: url) == data)
    }

    @Test("S07 content that is no ledger is an error that says at which key")
    func wrongContent() async throws {
        let encoding = LedgerEncoding(
            encode: { _ in Data(#"{"pendingPurchases":[],"products":{"p":{"type":"consumable","rows":{"1":{}}}}}"#.utf8)
            },
            decode: { $0 })
        let data = try LedgerFormat(place: url.path, encoding: encoding).data(for: Ledger()).data
        let error = await expectRefusal(of: data, "no ledger")
        #expect(String(describing: error).contains("products"))
    }

    /// Puts the data in the file's place, and expects that it can neither be read nor be written over.
    @discardableResult
    func expectRefusal(of data: Data, _ comment: Comment) async -> (any Error)? {
        do {
            try data.write(to: url)
            let ledger = FilePersistence(url: url)
            let reading = await #expect(throws: LedgerError.self, comment) { try await ledger.count(of: "coins") }
            let writing = await #expect(throws: LedgerError.self, comment) {
                try await ledger.persist(.bought("coins"))
            }
            #expect(String(describing: reading).contains(url.path), comment)
            #expect(String(describing: writing).contains(url.path), comment)
            #expect(try Data(contentsOf: url) == data, comment)
            return reading
        } catch {
            Issue.record(error)
            return nil
        }
    }

    // MARK: Encoding

    @Test("S07 an app's own encoding is applied to the content and undone")
    func encoding() async throws {
        let upsideDown = LedgerEncoding(
            encode: { Data($0.map { $0 ^ 0x5A }) }, decode: { Data($0.map { $0 ^ 0x5A }) })
        try await FilePersistence(url: url, encoding: upsideDown).persist(.bought("coins"))
        let data = try Data(contentsOf: url)
        #expect(data.range(of: Data("coins".utf8)) == nil)
        #expect(try await FilePersistence(url: url, encoding: upsideDown).count(of: "coins") == 1)
        await #expect(throws: LedgerError.self) { try await FilePersistence(url: self.url).count(of: "coins") }
        #expect(try Data(contentsOf: url) == data)
    }

    // MARK: Sharing

    @Test("S07 an instance sees what another one wrote, at once")
    func otherInstances() async throws {
        let one = FilePersistence(url: url)
        let other = FilePersistence(url: url)
        for number in 1...5 {
            try await one.persist(.bought("coins", id: "a\(number)"))
            try await other.persist(.bought("coins", id: "b\(number)"))
            #expect(try await one.count(of: "coins") == 2 * number)
            #expect(try await other.count(of: "coins") == 2 * number)
        }
    }

    @Test("S07 two instances that write at the same time lose nothing")
    func concurrentInstances() async throws {
        let url = url
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 1...4 {
                group.addTask {
                    let ledger = FilePersistence(url: url)
                    for number in 1...15 { try await ledger.persist(.bought("coins", id: "\(writer)-\(number)")) }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await FilePersistence(url: url).count(of: "coins") == 60)
    }

    // MARK: Cost

    @Test("S07 the file is decoded when another wrote it, and written only for a change")
    func caching() async throws {
        let decodings = Counter()
        let counting = LedgerEncoding(encode: { $0 }, decode: { decodings.count(of: $0) })
        let files = FaultyFileSystem()
        let ledger = FilePersistence(url: url, encoding: counting, fileSystem: files)
        try await FilePersistence(url: url).persist(.bought("coins"))
        for _ in 1...3 { #expect(try await ledger.isPurchased("coins")) }
        #expect(decodings.value == 1)
        try await ledger.persist(.bought("coins"))
        #expect(!files.journal.contains { $0.hasPrefix("write") })
        try await ledger.persist(.bought("coins", id: "2"))
        #expect(try await ledger.count(of: "coins") == 2)
        #expect(decodings.value == 1)
        try await FilePersistence(url: url).persist(.bought("coins", id: "3"))
        #expect(try await ledger.count(of: "coins") == 3)
        #expect(decodings.value == 2)
    }
}

/// Counts what passes through it.
private final class Counter: @unchecked Sendable {  // the number is guarded by `lock`
    private let lock = NSLock()
    private var number = 0

    var value: Int { lock.withLock { number } }

    func count(of data: Data) -> Data {
        lock.withLock { number += 1 }
        return data
    }
}
