import Foundation
import StoreManagerCore
import TestSupport
import Testing

/// A restore of what is under way already.
@MainActor
struct RestoreBesideOthersTests {
    private let fixture = ManagerFixture()
    private let gate = Gate()

    init() { fixture.backend.answer = { $0.finishedAtOnce } }

    private var manager: StoreManager { fixture.manager }

    private func lines(_ name: String) -> [String] { fixture.recorder.lines(of: name) }

    private func beginRestore(verifies: Bool = false) -> RequestToken {
        manager.restorePurchases(handlers: fixture.recorder.restoreHandlers("restore", verifies: verifies))
    }

    private func listed(_ id: String = "1", of product: String = "coins") -> StoreTransaction {
        .sample(id, of: product, state: .restored)
    }

    @Test("R07 what was ready to be delivered with a restore that fails goes to the default receiver")
    func readyWhenTheRestoreFails() async {
        manager.defaultHandlers = PurchaseHandlers(onSuccess: { _ in }, onVerify: { _ in })
        await fixture.answer(nil, with: .sample("1"))
        manager.defaultHandlers = nil
        manager.transaction(.sample("1"), didVerify: true)
        await manager.settle()

        let restore = beginRestore()
        await fixture.list([.sample("1")], for: restore)
        await fixture.report(.restoreFailed(.network(), for: restore))
        manager.defaultHandlers = fixture.recorder.purchaseHandlers("default")
        await manager.settle()
        #expect(lines("default") == ["default restore 1"])
        #expect(fixture.backend.finished == ["1"])
    }

    @Test("R09 a restore answers no purchase of the same product, and a purchase no restore")
    func neither() async {
        let purchase = manager.purchase(.sample(), handlers: fixture.recorder.purchaseHandlers("purchase"))
        let restore = beginRestore()
        await fixture.list([listed()], for: restore)
        await fixture.report(.restoreFinished(for: restore))
        #expect(lines("restore") == ["restore restored [1] invalid [] undecided []"])
        #expect(lines("purchase") == [])

        let again = beginRestore()
        await fixture.answer(purchase, with: .sample("2"))
        #expect(lines("purchase") == ["purchase success 2"])
        #expect(manager.isPending(again))
        await fixture.report(.restoreFinished(for: again))
        #expect(lines("restore").last == "restore restored [] invalid [] undecided []")
    }

    @Test(
        "R09 what a restore lists is answered by it alone, though the store repeats it through updates",
        arguments: ["before", "between", "after"])
    func repeated(when: String) async {
        manager.defaultHandlers = fixture.recorder.purchaseHandlers("default")
        let restore = beginRestore(verifies: true)
        await manager.settle()
        if when == "before" { await fixture.answer(nil, with: .sample("1")) }
        await fixture.list([listed()], for: restore)
        if when == "between" { await fixture.answer(nil, with: .sample("1")) }
        await fixture.report(.restoreFinished(for: restore))
        if when == "after" { await fixture.answer(nil, with: .sample("1")) }
        manager.transaction(.sample("1"), didVerify: true)
        await manager.settle()
        await fixture.answer(nil, with: .sample("1"))
        #expect(lines("restore") == ["restore verify [1]", "restore restored [1] invalid [] undecided []"])
        #expect(lines("default") == [])
    }

    @Test(
        "R09 what comes by itself while the store lists, and is not listed, is delivered when the list has ended",
        arguments: [true, false])
    func unlisted(fails: Bool) async {
        manager.defaultHandlers = fixture.recorder.purchaseHandlers("default")
        let restore = beginRestore()
        await fixture.answer(nil, with: .sample("2"))
        // A refund, and the answer to a purchase, do not wait for that.
        let purchase = manager.purchase(.sample("gems"), handlers: fixture.recorder.purchaseHandlers("purchase"))
        await fixture.answer(purchase, with: .sample("3", of: "gems"))
        await fixture.answer(nil, with: .sample("4").with(\.revocationDate, .start))
        #expect(lines("purchase") == ["purchase success 3"])
        #expect(lines("default") == ["default revoke 4"])
        await fixture.report(fails ? .restoreFailed(.network(), for: restore) : .restoreFinished(for: restore))
        #expect(lines("default") == ["default revoke 4", "default success 2"])
    }

    /// Where a transaction stands when a restore lists it, and what the restore makes of it.
    enum Standing: String, CaseIterable, Sendable {
        case lookedUp, waitingForReceiver, verifying, undecided, writing, unwritten, downloading, waitingForDelivery
        case awaitingFinish, finishing, handledBefore, unverified
    }

    @Test(
        "R01 R09 whatever stage a transaction is in when it is listed, the restore is answered with it, once",
        arguments: Standing.allCases)
    func standing(standing: Standing) async {
        let isManual = standing == .awaitingFinish
        let fixture = isManual ? ManagerFixture(finishing: .manual) : self.fixture
        let manager = fixture.manager
        let persistence = TestPersistence(gate: gate)
        let handlers = fixture.recorder.purchaseHandlers("default")
        fixture.backend.answer = { standing == .finishing ? [] : $0.finishedAtOnce }
        gate.open()
        var transaction = StoreTransaction.sample("1")
        switch standing {
        case .lookedUp, .writing:
            manager.persistence = persistence
        case .unwritten:
            manager.persistence = persistence
            persistence.isBroken = true
            manager.defaultHandlers = handlers
        case .verifying, .undecided:
            manager.verifier = TestVerifier(gate: gate) { _ in
                standing == .undecided ? .unableToComplete(SampleError()) : .valid
            }
            if standing == .verifying { gate.close() }
            manager.defaultHandlers = handlers
        case .downloading:
            manager.contentDownloader = TestDownloader(gate: gate)
            gate.close()
            manager.defaultHandlers = handlers
        case .waitingForDelivery:
            manager.verifier = TestVerifier(recorder: fixture.recorder, gate: gate)
            gate.close()
            manager.defaultHandlers = handlers
        case .awaitingFinish, .finishing, .handledBefore:
            manager.defaultHandlers = handlers
        case .unverified:
            transaction.storeVerification = .unverified(reason: "no")
        case .waitingForReceiver:
            break
        }
        await manager.settle()
        if standing == .lookedUp || standing == .writing { gate.close() }
        if standing == .writing { manager.defaultHandlers = handlers }
        let arrivals = gate.arrivals
        fixture.backend.report(.transactionsUpdated([StoreTransactionUpdate(transaction)]))
        switch standing {
        case .lookedUp, .verifying, .downloading:
            await gate.arrival(arrivals + 1)
        case .writing:
            await gate.arrival(arrivals + 1)
            gate.open()
            gate.close()
            await gate.arrival(arrivals + 2)
        case .waitingForDelivery:
            await gate.arrival(arrivals + 1)
            manager.defaultHandlers = nil
            gate.open()
            await manager.settle()
        default:
            await manager.settle()
        }

        let token = manager.restorePurchases(handlers: fixture.recorder.restoreHandlers("restore"))
        var listed = transaction
        listed.state = .restored
        fixture.backend.report(
            .transactionsUpdated([StoreTransactionUpdate(listed, token: token)]), .restoreFinished(for: token))
        persistence.isBroken = false
        gate.open()
        await manager.settle()

        let isUndecided = standing == .undecided || standing == .unverified
        let error = standing == .undecided ? "unableToCompleteVerification" : "verificationFailed"
        let expected =
            isUndecided ? "restored [] invalid [] undecided [1 \(error)]" : "restored [1] invalid [] undecided []"
        #expect(fixture.recorder.lines(of: "restore") == ["restore \(expected)"])
        let successes = fixture.recorder.lines(of: "default").filter { !$0.contains("failure") }
        let goesOn: Set<Standing> = [.verifying, .writing, .downloading, .awaitingFinish, .finishing, .handledBefore]
        #expect(successes == (goesOn.contains(standing) ? ["default success 1"] : []))
        #expect(fixture.backend.finished.isEmpty == (isUndecided || isManual))
        if standing == .waitingForDelivery { #expect(fixture.recorder.lines(of: "verifier") == ["verifier 1"]) }
    }

    @Test("R09 an old copy of what was taken back since is not restored", arguments: [true, false])
    func takenBack(isKnownBefore: Bool) async {
        manager.defaultHandlers = fixture.recorder.purchaseHandlers("default")
        let refund = StoreTransaction.sample("1").with(\.revocationDate, .start + 5).with(\.signedDate, .start + 6)
        let old = listed().with(\.signedDate, .start)
        let restore = beginRestore(verifies: true)
        if isKnownBefore { await fixture.answer(nil, with: refund) }
        await fixture.list([old, listed("2")], for: restore)
        await fixture.report(.restoreFinished(for: restore))
        if !isKnownBefore {
            await fixture.answer(nil, with: refund)
            manager.transaction(old, didVerify: true)
        }
        manager.transaction(listed("2"), didVerify: true)
        await manager.settle()
        #expect(lines("restore").last == "restore restored [2] invalid [] undecided []")
        #expect(lines("default") == ["default revoke 1"])
    }

    @Test(
        "P14 R09 a payment that the store answers with what a restore lists is answered when the restore is",
        arguments: [VerificationVerdict.valid, .unableToComplete(SampleError())])
    func paymentAnswered(verdict: VerificationVerdict) async {
        let restore = beginRestore(verifies: true)
        let owned = StoreTransaction.sample("1", of: "pro", .nonConsumable)
        let purchase = manager.purchase(
            .sample("pro", .nonConsumable), handlers: fixture.recorder.purchaseHandlers("purchase"))
        await fixture.list([owned], for: restore)
        await fixture.report(.restoreFinished(for: restore))
        await fixture.answer(purchase, with: owned)
        #expect(lines("purchase") == [])
        manager.transaction(owned, didVerify: verdict)
        await manager.settle()
        guard case .unableToComplete = verdict else {
            #expect(lines("restore") == ["restore verify [1]", "restore restored [1] invalid [] undecided []"])
            #expect(lines("purchase") == ["purchase restore 1"])
            return
        }
        // It is the purchase's from then on, and whoever was asked before is asked again.
        let undecided = "restore restored [] invalid [] undecided [1 unableToCompleteVerification]"
        #expect(lines("restore").sorted() == [undecided, "restore verify [1]", "restore verify [1]"])
        manager.transaction(owned, didVerify: true)
        await manager.settle()
        #expect(lines("purchase") == ["purchase success 1"])
    }
}
