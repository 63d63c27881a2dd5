import StoreManagerCore
import TestSupport
import Testing

/// Several restores at a time.
@MainActor
struct RestoreOverlapTests {
    private let fixture = ManagerFixture()

    init() { fixture.backend.answer = { $0.finishedAtOnce } }

    private var manager: StoreManager { fixture.manager }

    private func restore(_ name: String, of username: String? = nil, verifies: Bool = false) -> RequestToken {
        manager.restorePurchases(
            ofApplicationUsername: username, handlers: fixture.recorder.restoreHandlers(name, verifies: verifies))
    }

    private func lines(_ name: String) -> [String] { fixture.recorder.lines(of: name) }

    @Test("R08 restores that overlap share one listing until it has ended, and each is answered once")
    func shared() async {
        let first = restore("a")
        let second = restore("b")
        await fixture.list("1", for: first)
        let third = restore("c")
        #expect(fixture.backend.restores.count == 1)
        await fixture.report(.restoreFinished(for: first))
        for name in ["a", "b", "c"] { #expect(lines(name) == ["\(name) restored [1] invalid [] undecided []"]) }
        #expect(fixture.backend.finished == ["1"])
        #expect([first, second, third].allSatisfy { !manager.isPending($0) })
        // Later is another one.
        _ = restore("d")
        #expect(fixture.backend.restores.count == 2)
    }

    @Test("R08 one that begins after the end of the list, while the first still waits for verdicts, starts afresh")
    func afterTheList() async {
        let first = restore("a", verifies: true)
        await fixture.list("1", for: first)
        await fixture.report(.restoreFinished(for: first))
        let second = restore("b", verifies: true)
        #expect(fixture.backend.restores.count == 2)
        await fixture.list("1", "2", for: second)
        await fixture.report(.restoreFinished(for: second))
        // What the first has asked about is not asked about again.
        #expect(lines("a") == ["a verify [1]"])
        #expect(lines("b") == ["b verify [2]"])
        manager.transaction(.sample("1"), didVerify: true)
        manager.transaction(.sample("2"), didVerify: true)
        await manager.settle()
        #expect(lines("a").last == "a restored [1] invalid [] undecided []")
        #expect(lines("b").last == "b restored [1, 2] invalid [] undecided []")
        #expect(fixture.backend.finished.sorted() == ["1", "2"])
    }

    @Test("R08 what was settled for one restore already is settled for a later one too", arguments: [true, false])
    func settledBefore(isGenuine: Bool) async {
        let first = restore("a", verifies: true)
        await fixture.list("1", "2", for: first)
        await fixture.report(.restoreFinished(for: first))
        manager.transaction(.sample("1"), didVerify: isGenuine)
        await manager.settle()
        let second = restore("b", verifies: true)
        await fixture.list("1", for: second)
        await fixture.report(.restoreFinished(for: second))
        manager.transaction(.sample("2"), didVerify: true)
        await manager.settle()
        let invalid = "invalid [1 verificationFailed] undecided []"
        #expect(
            lines("a").last == (isGenuine ? "a restored [1, 2] invalid [] undecided []" : "a restored [2] \(invalid)"))
        #expect(lines("b").last == (isGenuine ? "b restored [1] invalid [] undecided []" : "b restored [] \(invalid)"))
        #expect(!manager.isPending(second))
        #expect(fixture.backend.finished.sorted() == ["1", "2"])
    }

    @Test("R08 users have listings of their own, and what both list is asked about once", arguments: [true, false])
    func users(firstEndsFirst: Bool) async {
        let tokens = [restore("a", of: "ann", verifies: true), restore("b", of: "bob", verifies: true)]
        #expect(fixture.backend.restores.map(\.username) == ["ann", "bob"])
        await fixture.list("1", "2", for: tokens[0])
        await fixture.list("2", "3", for: tokens[1])
        for token in firstEndsFirst ? tokens : tokens.reversed() { await fixture.report(.restoreFinished(for: token)) }
        #expect(lines("a") == [firstEndsFirst ? "a verify [1, 2]" : "a verify [1]"])
        #expect(lines("b") == [firstEndsFirst ? "b verify [3]" : "b verify [2, 3]"])
        for id in ["1", "2", "3"] { #expect(manager.transaction(.sample(id), didVerify: true)) }
        await manager.settle()
        #expect(lines("a").last == "a restored [1, 2] invalid [] undecided []")
        #expect(lines("b").last == "b restored [2, 3] invalid [] undecided []")
        #expect(fixture.backend.finished.sorted() == ["1", "2", "3"])
    }

    @Test("R08 the failure of one listing takes nothing from another", arguments: [true, false])
    func failureOfOne(isAsked: Bool) async {
        let tokens = [restore("a", of: "ann", verifies: true), restore("b", of: "bob", verifies: true)]
        for token in tokens { await fixture.list("1", for: token) }
        if isAsked { await fixture.report(.restoreFinished(for: tokens[1])) }
        await fixture.report(.restoreFailed(.network(), for: tokens[0]))
        #expect(lines("a") == ["a failure network"])
        if !isAsked { await fixture.report(.restoreFinished(for: tokens[1])) }
        manager.transaction(.sample("1"), didVerify: true)
        await manager.settle()
        #expect(lines("b") == ["b verify [1]", "b restored [1] invalid [] undecided []"])
    }

    @Test("R08 the first restore that has a verify handler is asked, be it the second")
    func firstWithHandler() async {
        let first = restore("a")
        let delegate = PlainRestorer(recorder: Recorder())
        manager.restorePurchases(delegate: delegate)
        _ = restore("c", verifies: true)
        _ = restore("d", verifies: true)
        await fixture.list("1", for: first)
        await fixture.report(.restoreFinished(for: first))
        #expect(fixture.lines(exceptStoreAnd: "store") == ["c verify [1]"])
        withExtendedLifetime(delegate) {}
    }

    @Test(
        "R08 a restore that is cancelled at any time is not answered, and those who share it are",
        arguments: ["before", "listing", "verifying", "byAnother"])
    func cancelled(when: String) async {
        let second = RequestToken(kind: .restore, number: 2)
        let first = manager.restorePurchases(
            onSuccess: { [fixture] in
                fixture.recorder.record("a \($0.line)")
                if when == "byAnother" { fixture.manager.cancel(second) }
            },
            onVerify: { [fixture] in fixture.recorder.record("a verify \($0.map(\.id).line)") })
        #expect(restore("b", verifies: true) == second)
        if when == "before" { manager.cancel(second) }
        await fixture.list("1", for: first)
        if when == "listing" { manager.cancel(second) }
        await fixture.report(.restoreFinished(for: first))
        if when == "verifying" { manager.cancel(second) }
        #expect(manager.isPending(second) == (when == "byAnother"))
        manager.transaction(.sample("1"), didVerify: true)
        await manager.settle()
        #expect(lines("b") == [])
        #expect(lines("a") == ["a verify [1]", "a restored [1] invalid [] undecided []"])
        #expect(!manager.isPending(second))
    }

    @Test("R08 where the one that began is cancelled the listing goes on for the other", arguments: [true, false])
    func firstCancelled(fails: Bool) async {
        let first = restore("a")
        _ = restore("b")
        manager.cancel(first)
        await fixture.list("1", for: first)
        await fixture.report(fails ? .restoreFailed(.network(), for: first) : .restoreFinished(for: first))
        #expect(lines("a") == [])
        #expect(lines("b") == [fails ? "b failure network" : "b restored [1] invalid [] undecided []"])
    }
}
