import StoreManagerCore
import TestSupport
import Testing

/// One restore: what it brings, and when.
@MainActor
struct RestoreTests {
    private let fixture = ManagerFixture()
    private let restorer: PlainRestorer

    init() {
        restorer = PlainRestorer(recorder: fixture.recorder)
        fixture.backend.answer = { $0.finishedAtOnce }
    }

    /// Who restores.
    enum Form: CaseIterable, Sendable { case closures, delegate, awaited }

    /// Begins a restore; its lines are recorded as `a ...`, whatever the form.
    private func restore(_ form: Form, username: String? = nil) -> Task<Void, Never> {
        let (manager, recorder) = (fixture.manager, fixture.recorder)
        switch form {
        case .closures:
            manager.restorePurchases(ofApplicationUsername: username, handlers: recorder.restoreHandlers("a"))
            return Task {}
        case .delegate:
            manager.restorePurchases(ofApplicationUsername: username, delegate: restorer)
            return Task {}
        case .awaited:
            return Task {
                do {
                    recorder.record("a \(try await manager.restorePurchases(ofApplicationUsername: username).line)")
                } catch {
                    recorder.record("a failure \((error as? StoreError)?.name ?? "\(error)")")
                }
            }
        }
    }

    private var answers: [String] { fixture.recorder.lines(of: "a") }

    @Test(
        "R01 a restore answers once, after verdicts, ledger and downloads; then all are finished",
        arguments: Form.allCases)
    func order(form: Form) async {
        let recorder = fixture.recorder
        fixture.manager.verifier = TestVerifier(recorder: recorder)
        fixture.manager.persistence = TestPersistence(recorder: recorder)
        fixture.manager.contentDownloader = TestDownloader(recorder: recorder)
        let task = restore(form)
        await fixture.manager.settle()
        let token = fixture.backend.restores[0].token
        await fixture.list("1", "2", for: token)
        #expect(fixture.lines.sorted() == ["store entitlements", "store restore"])
        recorder.clear()
        for _ in 1...2 { await fixture.report(.restoreFinished(for: token)) }
        await task.value

        let perTransaction = ["1", "2"].map { id in fixture.lines.filter { $0.hasSuffix(" \(id)") } }
        #expect(
            perTransaction
                == ["1", "2"].map { ["verifier \($0)", "ledger write \($0)", "download \($0)", "store finish \($0)"] })
        #expect(answers == ["a restored [1, 2] invalid [] undecided []"])
        // A task that waits goes on a turn later.
        if form != .awaited { #expect(fixture.lines.suffix(3) == [answers[0], "store finish 1", "store finish 2"]) }
        #expect(!fixture.manager.isPending(token))
    }

    @Test(
        "R02 nothing to restore is a success with empty lists, and nobody is asked to verify", arguments: Form.allCases)
    func nothing(form: Form) async {
        let task = restore(form)
        await fixture.manager.settle()
        await fixture.report(.restoreFinished(for: fixture.backend.restores[0].token))
        await task.value
        fixture.manager.restorePurchases(handlers: fixture.recorder.restoreHandlers("b", verifies: true))
        await fixture.report(.restoreFinished(for: fixture.backend.restores[1].token))
        #expect(answers == ["a restored [] invalid [] undecided []"])
        #expect(fixture.recorder.lines(of: "b") == ["b restored [] invalid [] undecided []"])
        #expect(fixture.backend.finished == [])
    }

    @Test(
        "R04 without a verify handler the verifier is asked, else all count as valid", arguments: Form.allCases,
        [true, false])
    func verifier(form: Form, hasVerifier: Bool) async {
        if hasVerifier {
            fixture.manager.verifier = TestVerifier { $0.id == "1" ? .valid : .invalid(reason: "no") }
        }
        let task = restore(form)
        await fixture.manager.settle()
        let token = fixture.backend.restores[0].token
        await fixture.list("1", "2", for: token)
        await fixture.report(.restoreFinished(for: token))
        await task.value
        #expect(
            answers == [
                hasVerifier
                    ? "a restored [1] invalid [2 verificationFailed] undecided []"
                    : "a restored [1, 2] invalid [] undecided []"
            ])
        #expect(fixture.backend.finished == ["1", "2"])
    }

    @Test("R05 a transaction that is listed twice counts once")
    func twice() async {
        let token = fixture.manager.restorePurchases(handlers: fixture.recorder.restoreHandlers("a", verifies: true))
        await fixture.list("1", "2", "1", for: token)
        await fixture.list("2", for: token)
        await fixture.report(.restoreFinished(for: token))
        for id in ["1", "2"] { fixture.manager.transaction(.sample(id), didVerify: true) }
        await fixture.manager.settle()
        // Late is not again.
        await fixture.list("1", for: token)
        #expect(answers == ["a verify [1, 2]", "a restored [1, 2] invalid [] undecided []"])
        #expect(fixture.backend.finished == ["1", "2", "1"])
    }

    @Test("R07 cancelling the sign-in fails the restore once", arguments: Form.allCases)
    func cancelledSignIn(form: Form) async {
        let task = restore(form)
        await fixture.manager.settle()
        for _ in 1...2 {
            await fixture.report(.restoreFailed(.cancelled(), for: fixture.backend.restores[0].token))
        }
        await task.value
        #expect(answers == ["a failure cancelled"])
    }

    @Test(
        "R07 what a restore had listed before it failed goes to the default receiver, and a late failure fails nothing")
    func failedHalfWay() async {
        fixture.manager.defaultHandlers = fixture.recorder.purchaseHandlers("default")
        let token = fixture.manager.restorePurchases(handlers: fixture.recorder.restoreHandlers("a"))
        await fixture.list("1", for: token)
        await fixture.report(.restoreFailed(.network(), for: token))
        #expect(fixture.lines(exceptStoreAnd: "") == [])
        #expect(fixture.recorder.lines(of: "a") == ["a failure network"])
        #expect(fixture.recorder.lines(of: "default") == ["default restore 1"])

        let next = fixture.manager.restorePurchases(handlers: fixture.recorder.restoreHandlers("b", verifies: true))
        await fixture.list("2", for: next)
        await fixture.report(.restoreFinished(for: next), .restoreFailed(.network(), for: next))
        fixture.manager.transaction(.sample("2"), didVerify: true)
        await fixture.manager.settle()
        #expect(fixture.recorder.lines(of: "b") == ["b verify [2]", "b restored [2] invalid [] undecided []"])
    }

    @Test("R10 the application user name is passed on", arguments: Form.allCases)
    func username(form: Form) async {
        let task = restore(form, username: "somebody")
        await fixture.manager.settle()
        #expect(fixture.backend.restores.map(\.username) == ["somebody"])
        await fixture.report(.restoreFinished(for: fixture.backend.restores[0].token))
        await task.value
    }

    @Test("R11 a restore started inside a restore's handler works", arguments: ["success", "failure", "verify"])
    func inside(handler: String) async {
        let (manager, recorder) = (fixture.manager, fixture.recorder)
        func again() { manager.restorePurchases(handlers: recorder.restoreHandlers("b")) }
        let token = manager.restorePurchases(
            onSuccess: { _ in if handler == "success" { again() } },
            onFailure: { _ in if handler == "failure" { again() } },
            onVerify: { transactions in
                if handler == "verify" { again() }
                manager.transaction(transactions[0], didVerify: true)
            })
        await fixture.list("1", for: token)
        await fixture.report(
            handler == "failure" ? .restoreFailed(.network(), for: token) : .restoreFinished(for: token))
        #expect(fixture.backend.restores.count == 2)
        await fixture.list("2", for: fixture.backend.restores[1].token)
        await fixture.report(.restoreFinished(for: fixture.backend.restores[1].token))
        #expect(recorder.lines(of: "b") == ["b restored [2] invalid [] undecided []"])
    }

    @Test(
        "R01 without a success closure, or with its delegate gone, each restored transaction goes to the default receiver",
        arguments: ["closures", "delegate", "cancelled"])
    func nobodyThere(who: String) async {
        fixture.manager.defaultHandlers = fixture.recorder.purchaseHandlers("default")
        let token: RequestToken
        switch who {
        case "closures": token = fixture.manager.restorePurchases(onSuccess: nil)
        case "delegate":
            token = fixture.manager.restorePurchases(delegate: PlainRestorer(recorder: fixture.recorder))
        default:
            token = fixture.manager.restorePurchases(handlers: fixture.recorder.restoreHandlers("a"))
            fixture.manager.cancel(token)
            #expect(!fixture.manager.isPending(token))
        }
        await fixture.list("1", "2", for: token)
        await fixture.report(.restoreFinished(for: token))
        #expect(answers == [])
        #expect(fixture.recorder.lines(of: "default") == ["default restore 1", "default restore 2"])
        #expect(fixture.backend.finished == ["1", "2"])
    }
}

/// A restoration delegate with the required methods only.
@MainActor
final class PlainRestorer: RestorationDelegate {
    private let recorder: Recorder

    init(recorder: Recorder) { self.recorder = recorder }

    func storeManager(_ manager: StoreManager, didFinishRestoring result: RestoreResult, for token: RequestToken) {
        recorder.record("a \(result.line)")
    }

    func storeManager(_ manager: StoreManager, didFailToRestore error: StoreError, for token: RequestToken) {
        recorder.record("a failure \(error.name)")
    }
}
