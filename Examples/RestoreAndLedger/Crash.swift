import ExampleSupport
import Foundation
import StoreManagerCore

/// How far a purchase is.
enum Stage: String, CaseIterable, Sendable {
    case verify, persist, deliver, finish
}

/// Kills the process when the purchase is so far: an app has no say in when it ends.
struct Crash: Sendable {
    private let stage: Stage?

    init(after stage: Stage?) { self.stage = stage }

    /// The purchase has come to a stage.
    func reach(_ stage: Stage) {
        guard stage == self.stage else { return }
        print("   ✗ killed after: \(stage)")
        fflush(nil)
        kill(getpid(), SIGKILL)
    }
}

extension Crash: TransactionVerifier, ContentDownloader {
    func verify(_ transaction: StoreTransaction) async -> VerificationVerdict {
        reach(.verify)
        return .valid
    }

    /// There is nothing to download, but this is where the ledger has the purchase, and nobody else.
    func download(for transaction: StoreTransaction, progress: @escaping @Sendable (Double) -> Void) async throws {
        reach(.persist)
    }
}

/// Counts the transactions that the store was told to finish.
@MainActor
final class Finishes: StoreObserver {
    private let crash: Crash
    private var count = 0
    private var expected: (count: Int, report: @MainActor (Int) -> Void)?

    init(_ crash: Crash) { self.crash = crash }

    /// Reports when so many more are finished.
    func expect(_ count: Int, report: @escaping @MainActor (Int) -> Void) {
        self.count = 0
        expected = (count, report)
    }

    func storeManager(_ manager: StoreManager, didPublish event: StoreEvent) {
        guard case .transactionFinished = event else { return }
        crash.reach(.finish)
        count += 1
        guard let expected, expected.count == count else { return }
        self.expected = nil
        expected.report(count)
    }
}

extension Command {
    /// The stage of that name; another name is reported and ends the process.
    func stage(_ name: String?) -> Stage? {
        guard let name else { return nil }
        guard let stage = Stage(rawValue: name) else {
            let stages = Stage.allCases.map(\.rawValue).joined(separator: ", ")
            fail(UsageError(description: "\"\(name)\" is no stage of a purchase; the stages are \(stages)"))
        }
        return stage
    }

    /// What `open` returns; its error is reported and ends the process.
    func opening<Value>(_ open: () throws -> Value) -> Value {
        do { return try open() } catch { fail("\(error)", status: 1) }
    }
}
