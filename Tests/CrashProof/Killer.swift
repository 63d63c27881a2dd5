#if os(macOS) || os(Linux)
import Foundation
import StoreManagerCore
import StoreSimulator

/// Starts an app, kills it at a random instant, and starts it again on the same files; at the end of each round it compares.
struct Killer {
    private let seed: UInt64
    private var chance: SplitMix64

    /// So many kills go to one set of files: a process that has a long history to read spends its life reading.
    private static let killsPerRound = 25

    init(seed: UInt64) {
        self.seed = seed
        chance = SplitMix64(seed: seed)
    }

    /// Kills so often. Returns the status to exit with: 0 if all agrees.
    mutating func run(kills: Int) async throws -> Int32 {
        print("CrashProof: \(kills) kills, seed \(seed)")
        var total = Audit()
        while total.kills < kills {
            let folder = FileManager.default.temporaryDirectory.appending(path: "CrashProof-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let count = min(Self.killsPerRound, kills - total.kills)
            for _ in 1...count { try startAndKill(in: folder) }
            try finish(in: folder)
            var audit = try await Audit(Files(folder: folder))
            audit.kills = count
            total += audit
            print("\(total.kills) of \(kills) kills: \(audit.line)")
            guard audit.faults.isEmpty else {
                for fault in audit.faults { print("✗ \(fault)") }
                print("Not as it should. The files are kept in \(folder.path); again with: CrashProof --seed \(seed)")
                return 1
            }
            try FileManager.default.removeItem(at: folder)
        }
        print("Nothing was lost, and nothing counted twice: \(total.line).")
        return 0
    }

    /// Starts the app, and kills it a little after it has come to a random point of its work.
    private mutating func startAndKill(in folder: URL) throws {
        let process = try start(in: folder)
        var rest = Int.random(in: 0...120, using: &chance)
        while rest > 0, let some = try process.output.read(upToCount: rest), !some.isEmpty { rest -= some.count }
        // Real time must pass here: the kill is to hit whatever the process does next.
        usleep(UInt32.random(in: 0...4000, using: &chance))
        kill(process.process.processIdentifier, SIGKILL)
        _ = try process.output.readToEnd()
        process.process.waitUntilExit()
        guard process.process.terminationReason == .uncaughtSignal else {
            throw UnexpectedExit(status: process.process.terminationStatus)
        }
    }

    /// Lets the app deal with what is left.
    private mutating func finish(in folder: URL) throws {
        let process = try start(in: folder, "--last")
        _ = try process.output.readToEnd()
        process.process.waitUntilExit()
        guard process.process.terminationStatus == 0 else {
            throw UnexpectedExit(status: process.process.terminationStatus)
        }
    }

    private mutating func start(in folder: URL, _ more: String...) throws -> (process: Process, output: FileHandle) {
        let process = Process()
        let output = Pipe()
        process.executableURL = Bundle.main.executableURL
        process.arguments = ["--buyer", folder.path, "--seed", "\(chance.next() >> 1)"] + more
        process.standardOutput = output
        try process.run()
        return (process, output.fileHandleForReading)
    }
}

/// The app ended by itself.
private struct UnexpectedExit: Error { var status: Int32 }
#endif
