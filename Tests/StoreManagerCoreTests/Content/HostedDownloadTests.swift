import StoreManagerCore
import TestSupport
import Testing

/// Content that the store hosts.
@MainActor
struct HostedDownloadTests {
    private let fixture = ManagerFixture()

    init() { fixture.backend.answer = { $0.finishedAtOnce } }

    private var manager: StoreManager { fixture.manager }
    private var answers: [String] { fixture.recorder.lines(of: "a") }
    private var starts: [String] { fixture.recorder.lines(of: "store").filter { $0.hasPrefix("store start") } }

    private func download(_ id: String, _ state: StoreDownload.State, progress: Double = 0) -> StoreDownload {
        StoreDownload(id: id, transactionID: "1", state: state, progress: progress)
    }

    private func transaction(_ states: StoreDownload.State...) -> StoreTransaction {
        let ids = ["x", "y", "z"]
        return .sample("1").with(\.downloads, zip(ids, states).map { download($0, $1) })
    }

    /// Buys, and answers with a transaction that has downloads.
    private func buy(_ transaction: StoreTransaction) async {
        let token = manager.purchase(.sample(), handlers: fixture.recorder.purchaseHandlers("a"))
        await fixture.answer(token, with: transaction)
    }

    private func report(_ downloads: StoreDownload...) async { await fixture.report(.downloadsUpdated(downloads)) }

    @Test("L02 downloads are started after the ledger; waiting, active and paused end nothing")
    func order() async {
        manager.persistence = TestPersistence(recorder: fixture.recorder)
        await manager.settle()
        fixture.recorder.clear()
        await buy(transaction(.waiting, .waiting))
        #expect(fixture.lines == ["store purchase coins", "ledger write 1", "store start [x, y]"])
        for state in [StoreDownload.State.waiting, .active, .paused, .active] {
            await report(download("x", state), download("y", state))
        }
        await report(download("x", .finished, progress: 1))
        await fixture.advance(by: 100_000)
        #expect(answers == [])
        await report(download("y", .finished, progress: 1))
        await report(download("y", .finished, progress: 1))
        #expect(fixture.lines.suffix(2) == ["a success 1", "store finish 1"])
        #expect(answers.count == 1)
    }

    @Test(
        "L02 it is a success only if all have finished",
        arguments: [StoreDownload.State.finished, .failed, .cancelled],
        [StoreDownload.State.finished, .failed, .cancelled])
    func endings(first: StoreDownload.State, second: StoreDownload.State) async {
        await buy(transaction(.waiting, .waiting))
        await report(download("x", first))
        #expect(answers == [])
        await report(download("y", second))
        let states = [first, second]
        let expected =
            states.contains(.failed)
            ? "a failure 1 downloadFailed"
            : states.contains(.cancelled) ? "a failure 1 downloadCancelled" : "a success 1"
        #expect(answers == [expected])
        #expect(fixture.backend.finished.isEmpty == (expected != "a success 1"))
    }

    @Test("L02 the app's commands reach the store as they are", arguments: StoreDownloadCommand.allCases)
    func commands(command: StoreDownloadCommand) async {
        manager.perform(command, on: [download("x", .active), download("y", .paused)])
        #expect(fixture.lines == ["store \(command.rawValue) [x, y]"])
    }

    @Test("L02 what an earlier run has fetched is not started again, what failed then is")
    func earlierRun() async {
        await buy(transaction(.finished, .failed, .cancelled))
        #expect(starts == ["store start [y, z]"])
        await report(download("y", .finished))
        #expect(answers == [])
        await report(download("z", .finished))
        #expect(answers == ["a success 1"])
    }

    @Test("L02 where all is there already nothing is started")
    func allThere() async {
        await buy(transaction(.finished, .finished))
        #expect(starts == [])
        #expect(answers == ["a success 1"])
    }

    @Test("L02 what failed is tried again, without what has arrived, and is delivered once")
    func again() async {
        manager.defaultHandlers = fixture.recorder.purchaseHandlers("default")
        await buy(transaction(.waiting, .waiting))
        await report(download("x", .finished), download("y", .failed))
        #expect(answers == ["a failure 1 downloadFailed"])
        manager.retryPendingVerifications()
        await manager.settle()
        #expect(starts == ["store start [x, y]", "store start [y]"])
        await report(download("y", .finished))
        #expect(fixture.recorder.lines(of: "default") == ["default success 1"])
        #expect(fixture.backend.finished == ["1"])
    }

    @Test("L02 downloads of others, and those of transactions that nobody waits for, change nothing")
    func strangers() async {
        await buy(transaction(.waiting))
        await report(StoreDownload(id: "x", transactionID: "2", state: .finished), download("q", .finished))
        #expect(answers == [])
    }

    @Test("L01 L02 the app's own content comes first, then the store's")
    func both() async {
        manager.contentDownloader = TestDownloader(recorder: fixture.recorder)
        await buy(transaction(.waiting))
        #expect(fixture.lines.suffix(2) == ["download 1", "store start [x]"])
        await report(download("x", .finished))
        #expect(answers == ["a success 1"])
    }
}
