#if os(macOS) || os(Linux)
import Foundation
import StoreManagerCore
import StoreSimulator
import TestSupport
import Testing

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A ledger's file and real processes: several at a time, and killed.
final class FilePersistenceProcessTests {
    let folder: TemporaryFolder
    let url: URL

    init() throws {
        folder = try TemporaryFolder()
        url = folder.url.appending(path: "ledger")
    }

    @Test("S07 two processes that write into one file lose nothing")
    func twoProcesses() async throws {
        let writers = try ["a", "b"].map { try Writer(url: url, name: $0, count: 30) }
        for writer in writers { #expect(writer.waitForExit() == 0) }
        #expect(try await FilePersistence(url: url).count(of: "coins") == 60)
    }

    @Test("S07 a process killed at any instant loses nothing that it had written down", arguments: [UInt64(20_26)])
    func killed(seed: UInt64) async throws {
        var chance = SplitMix64(seed: seed)
        var written = 0
        for round in 1...12 {
            let writer = try Writer(url: url, name: "\(round)", count: 10_000)
            let wanted = Int.random(in: 0...6, using: &chance)
            let lines = writer.killAfter(lines: wanted)
            #expect(lines >= wanted, "seed \(seed), round \(round)")
            let count = try await FilePersistence(url: url).count(of: "coins")
            // One more may be on the disk of which the process did not come to tell.
            #expect((written + lines...written + lines + 1).contains(count), "seed \(seed), round \(round)")
            written = count
        }
    }
}

/// A `LedgerWriter` at work.
private final class Writer {
    private let process = Process()
    private let output = Pipe()

    init(url: URL, name: String, count: Int) throws {
        process.executableURL = Executable(name: "LedgerWriter").url
        process.arguments = [url.path, name, String(count)]
        process.standardOutput = output
        try process.run()
    }

    /// The exit status.
    func waitForExit() -> Int32 {
        _ = try? output.fileHandleForReading.readToEnd()
        process.waitUntilExit()
        return process.terminationStatus
    }

    /// Kills the process as soon as it has printed so many lines, and tells how many it printed.
    func killAfter(lines wanted: Int) -> Int {
        var printed = Data()
        func lines() -> Int { printed.count { $0 == UInt8(ascii: "\n") } }
        while lines() < wanted, let more = try? output.fileHandleForReading.read(upToCount: 1), !more.isEmpty {
            printed += more
        }
        kill(process.processIdentifier, SIGKILL)
        printed += (try? output.fileHandleForReading.readToEnd()) ?? Data()
        process.waitUntilExit()
        return lines()
    }
}
#endif
