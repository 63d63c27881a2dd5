import StoreManagerCore
import TestSupport
import Testing

/// Content from the app's own server.
@MainActor
struct ContentDownloaderTests {
    private let fixture = ManagerFixture()

    init() { fixture.backend.answer = { $0.finishedAtOnce } }

    private var manager: StoreManager { fixture.manager }

    private func downloadLines(_ count: Int, of stream: AsyncStream<StoreEvent>) async -> [String] {
        var lines: [String] = []
        for await event in stream {
            switch event {
            case .downloadProgressed(let transaction, let fraction): lines.append("\(transaction.id) at \(fraction)")
            case .downloadFinished(let transaction): lines.append("\(transaction.id) finished")
            case .downloadFailed(let transaction, let error): lines.append("\(transaction.id) \(error.name)")
            case .purchased(let transaction, _): lines.append("\(transaction.id) purchased")
            case .purchaseFailed(let transaction, let error, _, _):
                lines.append("\(transaction?.id ?? "-") failed \(error.name)")
            default: continue
            }
            if lines.count == count { break }
        }
        return lines
    }

    @Test("L01 the downloader runs after the ledger, progress reaches observers, and success comes after it has ended")
    func order() async {
        let gate = Gate()
        manager.persistence = TestPersistence(recorder: fixture.recorder)
        manager.contentDownloader = TestDownloader(recorder: fixture.recorder, gate: gate)
        let stream = manager.events
        let token = manager.purchase(.sample(), handlers: fixture.recorder.purchaseHandlers("a"))
        fixture.backend.report(.transactionsUpdated([StoreTransactionUpdate(.sample("1"), token: token)]))
        await gate.arrival()
        #expect(fixture.lines.suffix(2) == ["ledger write 1", "download 1"])
        #expect(manager.isPending(token))
        gate.open()
        await manager.settle()
        #expect(fixture.lines.suffix(2) == ["a success 1", "store finish 1"])
        #expect(await downloadLines(3, of: stream) == ["1 at 0.5", "1 finished", "1 purchased"])
    }

    /// How a purchase was begun.
    enum Form: CaseIterable, Sendable { case closures, delegate, awaited, nobody }

    @Test(
        "L01 its failure is the request's failure, once, and the transaction stays unfinished; tried again it is delivered once",
        arguments: Form.allCases)
    func failure(form: Form) async {
        let isBroken = Locked(true)
        manager.verifier = TestVerifier(recorder: fixture.recorder)
        manager.contentDownloader = TestDownloader(recorder: fixture.recorder) { _ in
            isBroken.withLock { $0 } ? SampleError() : nil
        }
        manager.defaultHandlers = fixture.recorder.purchaseHandlers("default")
        let delegate = RecordingDelegate("d", recorder: fixture.recorder)
        delegate.onVerify = { manager, transactions in manager.verifyByDefault(transactions) }
        let stream = manager.events
        var task: Task<Void, Never>?
        switch form {
        case .closures: manager.purchase(.sample(), handlers: fixture.recorder.purchaseHandlers("a"))
        case .delegate: manager.purchase(.sample(), delegate: delegate)
        case .awaited:
            task = Task { [manager, fixture] in
                do {
                    _ = try await manager.purchase(.sample())
                } catch {
                    fixture.recorder.record("awaited failure \((error as? StoreError)?.name ?? "")")
                }
            }
        case .nobody: break
        }
        await manager.settle()
        await fixture.answer(fixture.backend.payments.first?.token, with: .sample("1"))
        await task?.value
        let name: [Form: String] = [
            .closures: "a failure 1 ", .delegate: "d failure 1 ", .awaited: "awaited failure ",
            .nobody: "default failure 1 ",
        ]
        let failures = fixture.lines.filter { $0.contains("failure") }
        #expect(failures.count == 1 && failures[0].hasPrefix((name[form] ?? "") + "downloadFailed"))
        #expect(await downloadLines(3, of: stream) == ["1 at 0.5", "1 downloadFailed", "1 failed downloadFailed"])
        #expect(fixture.backend.finished == [])

        // A second failure is not told again.
        manager.retryPendingVerifications()
        await manager.settle()
        #expect(fixture.lines.filter { $0.contains("failure") }.count == 1)
        isBroken.withLock { $0 = false }
        manager.retryPendingVerifications()
        await manager.settle()
        #expect(fixture.recorder.lines(of: "download") == ["download 1", "download 1", "download 1"])
        #expect(fixture.recorder.lines(of: "verifier") == ["verifier 1"])
        #expect(fixture.recorder.lines(of: "default").last == "default success 1")
        #expect(fixture.backend.finished == ["1"])
    }

    @Test("L01 a downloader that was cancelled says so")
    func cancelled() async {
        manager.contentDownloader = TestDownloader { _ in CancellationError() }
        let token = manager.purchase(.sample(), handlers: fixture.recorder.purchaseHandlers("a"))
        await fixture.answer(token, with: .sample("1"))
        #expect(fixture.recorder.lines(of: "a") == ["a failure 1 downloadCancelled"])
    }

    @Test("L01 what failed to download is tried again at the next launch, and counts once")
    func nextLaunch() async throws {
        let persistence = TestPersistence()
        manager.persistence = persistence
        manager.contentDownloader = TestDownloader { _ in SampleError() }
        await fixture.answer(nil, with: .sample("1"))
        let next = ManagerFixture()
        next.backend.answer = { $0.finishedAtOnce }
        next.manager.persistence = persistence
        next.manager.defaultHandlers = next.recorder.purchaseHandlers("default")
        await next.answer(nil, with: .sample("1"))
        #expect(next.recorder.lines(of: "default") == ["default success 1"])
        #expect(next.backend.finished == ["1"])
        #expect(try await persistence.count(of: "coins") == 1)
    }
}
