import Foundation
import StoreManagerCore
import TestSupport
import Testing

/// What the store takes back, and sometimes gives again.
@MainActor
struct RevocationTests {
    private let fixture = ManagerFixture()
    private let persistence = MemoryPersistence()

    init() { setUp(fixture, persistence: persistence) }

    private func setUp(_ fixture: ManagerFixture, persistence: MemoryPersistence?) {
        fixture.backend.answer = { $0.finishedAtOnce }
        fixture.manager.persistence = persistence
        fixture.manager.defaultHandlers = fixture.recorder.purchaseHandlers("default")
    }

    /// A word of the store about transaction 1: signed at `date`, where the store signs, and taken back or not.
    private func word(_ date: Double?, isRevoked: Bool = false, of id: String = "1") -> StoreTransaction {
        StoreTransaction.sample(id, of: "pro", .nonConsumable)
            .with(\.signedDate, date.map { .start + $0 })
            .with(\.revocationDate, isRevoked ? .start + 50 : nil)
    }

    private func say(_ words: StoreTransaction...) async {
        for word in words { await fixture.answer(nil, with: word) }
    }

    private var told: [String] { fixture.recorder.lines(of: "default") }

    private func isOwned() async throws -> Bool { try await persistence.isPurchased("pro") }

    @Test("U04 a refund is reported once, with its transaction, and nobody is asked to verify it")
    func reported() async throws {
        fixture.manager.verifier = TestVerifier(recorder: fixture.recorder)
        let stream = fixture.manager.events
        await say(word(1), word(1, of: "2"))
        fixture.recorder.clear()
        await say(word(2, isRevoked: true), word(2, isRevoked: true), word(3, isRevoked: true))
        #expect(told == ["default revoke 1"])
        #expect(fixture.recorder.lines(of: "verifier") == [])
        for await event in stream {
            guard case .revoked(let transaction, _) = event else { continue }
            #expect(transaction.id == "1" && transaction.productIdentifier == "pro")
            break
        }
        let rows = try await persistence.transactions(for: "pro")
        #expect(rows.map(\.id) == ["1", "2"])
        #expect(rows.map { $0.revocationDate == nil } == [false, true])
        #expect(try await isOwned())
    }

    @Test("U04 a refund of something never heard of is reported too, and its row is kept, marked")
    func unknown() async throws {
        await say(word(2, isRevoked: true))
        #expect(told == ["default revoke 1"])
        #expect(try await persistence.transactions(for: "pro").map(\.isStanding) == [false])
    }

    /// A store that signs its words and one that does not; a manager with a ledger, without one, and with one after a relaunch.
    enum Memory: CaseIterable, Sendable { case run, ledger, relaunch }

    @Test("U04 an older copy that comes late grants nothing", arguments: Memory.allCases, [true, false])
    func olderCopy(memory: Memory, isSigned: Bool) async throws {
        if memory == .run { fixture.manager.persistence = nil }
        await say(word(isSigned ? 1 : nil), word(isSigned ? 2 : nil, isRevoked: true))
        let later = memory == .relaunch ? ManagerFixture() : fixture
        if memory == .relaunch { setUp(later, persistence: persistence) }
        later.recorder.clear()
        await later.answer(nil, with: word(isSigned ? 1 : nil))
        await later.answer(nil, with: word(isSigned ? 2 : nil, isRevoked: true))
        #expect(later.recorder.lines(of: "default") == [])
        if memory != .run { #expect(try await isOwned() == false) }
    }

    @Test("U04 a reversed refund counts again, and is delivered again", arguments: Memory.allCases)
    func reversed(memory: Memory) async throws {
        if memory == .run { fixture.manager.persistence = nil }
        await say(word(1), word(2, isRevoked: true))
        let later = memory == .relaunch ? ManagerFixture() : fixture
        if memory == .relaunch { setUp(later, persistence: persistence) }
        later.recorder.clear()
        for _ in 1...2 { await later.answer(nil, with: word(3)) }
        #expect(later.recorder.lines(of: "default") == ["default success 1"])
        if memory != .run { #expect(try await isOwned()) }
    }

    @Test("U04 a refund that is reversed before anybody could hear of it counts again", arguments: Memory.allCases)
    func reversedUnheard(memory: Memory) async throws {
        if memory == .run { fixture.manager.persistence = nil }
        await say(word(1))
        fixture.manager.defaultHandlers = nil
        await say(word(2, isRevoked: true))
        if memory != .run { #expect(try await isOwned() == false) }
        let later = memory == .relaunch ? ManagerFixture() : fixture
        if memory == .relaunch { setUp(later, persistence: persistence) }
        later.manager.defaultHandlers = nil
        await later.answer(nil, with: word(3))
        later.recorder.clear()
        later.manager.defaultHandlers = later.recorder.purchaseHandlers("default")
        await later.manager.settle()
        #expect(later.recorder.lines(of: "default") == ["default success 1"])
        if memory != .run { #expect(try await isOwned()) }
    }

    @Test("U04 a refund that waits for a receiver is not replaced by an older copy")
    func waiting() async throws {
        fixture.manager.defaultHandlers = nil
        await say(word(2, isRevoked: true), word(1))
        fixture.manager.defaultHandlers = fixture.recorder.purchaseHandlers("default")
        await fixture.manager.settle()
        #expect(told == ["default revoke 1"])
        #expect(try await isOwned() == false)
    }

    @Test(
        "U04 the newest word wins, in whatever order they come",
        arguments: [[1, 2, 3], [1, 3, 2], [3, 1, 2], [3, 2, 1], [2, 1, 3], [2, 3, 1]])
    func order(dates: [Int]) async throws {
        for date in dates { await say(word(Double(date), isRevoked: date == 2)) }
        #expect(try await isOwned())
        #expect(told.last == "default success 1")
        // What is older than the newest word is not told any more.
        #expect(
            told.filter { $0.contains("revoke") }.count == (dates.firstIndex(of: 2)! < dates.firstIndex(of: 3)! ? 1 : 0)
        )
    }

    @Test("U04 a refund that comes while the purchase is being verified is told after it", arguments: [true, false])
    func whileVerifying(isDecided: Bool) async throws {
        let token = fixture.manager.purchase(
            .sample("pro", .nonConsumable), handlers: fixture.recorder.purchaseHandlers("a", verifies: true))
        await fixture.answer(token, with: word(1))
        await say(word(2, isRevoked: true))
        #expect(told == [])
        fixture.manager.transaction(word(1), didVerify: isDecided ? .valid : .unableToComplete(SampleError()))
        await fixture.manager.settle()
        let outcome = isDecided ? "a success 1" : "a failure 1 unableToCompleteVerification"
        #expect(fixture.recorder.lines(of: "a") == ["a verify 1", outcome])
        #expect(told == ["default revoke 1"])
        #expect(try await isOwned() == false)
    }

    @Test("U04 of two words that both stand the older one, repeated, does not make the newer one news again")
    func olderRepeated() async {
        fixture.manager.persistence = nil
        let short = StoreTransaction.sample("1", of: "pro", .autoRenewable).with(\.signedDate, .start)
        let long = short.with(\.expirationDate, .start + 100).with(\.signedDate, .start + 1)
        await say(short, long)
        fixture.recorder.clear()
        await say(short, long, short, long)
        #expect(told == [])
    }

    @Test(
        "S03 U04 the store is told to finish once, after the newer word that came meanwhile", arguments: [true, false])
    func finishedAfterNewerWord(isGenuine: Bool) async {
        let token = fixture.manager.purchase(
            .sample("pro", .nonConsumable), handlers: fixture.recorder.purchaseHandlers("a", verifies: true))
        await fixture.answer(token, with: word(1))
        await say(word(2, isRevoked: true))
        fixture.recorder.clear()
        fixture.manager.transaction(word(1), didVerify: isGenuine)
        await fixture.manager.settle()
        let outcome = isGenuine ? "a success 1" : "a failure 1 verificationFailed"
        #expect(fixture.lines == [outcome, "default revoke 1", "store finish 1"])
    }

    @Test(
        "U04 the same state signed later, while the purchase is verified, outdates a refund that comes late",
        arguments: [true, false])
    func signedAnew(isRefundAtOnce: Bool) async throws {
        let token = fixture.manager.purchase(
            .sample("pro", .nonConsumable), handlers: fixture.recorder.purchaseHandlers("a", verifies: true))
        await fixture.answer(token, with: word(1))
        await say(word(3))
        if isRefundAtOnce { await say(word(2, isRevoked: true)) }
        fixture.manager.transaction(word(1), didVerify: true)
        await fixture.manager.settle()
        if !isRefundAtOnce { await say(word(2, isRevoked: true)) }
        #expect(told == [])
        #expect(try await isOwned())
    }

    @Test("U04 a refund that waits and is signed later outdates a reversal that comes late")
    func refundSignedAnew() async throws {
        let token = fixture.manager.purchase(
            .sample("pro", .nonConsumable), handlers: fixture.recorder.purchaseHandlers("a", verifies: true))
        await fixture.answer(token, with: word(1))
        await say(word(2, isRevoked: true), word(4, isRevoked: true), word(3))
        fixture.manager.transaction(word(1), didVerify: true)
        await fixture.manager.settle()
        #expect(told == ["default revoke 1"])
        #expect(try await isOwned() == false)
    }

    @Test("V03 V08 what was refused is not handed over unasked when it answers another purchase after its reversal")
    func refusedAndReversed() async throws {
        let refused = fixture.manager.purchase(
            .sample("pro", .nonConsumable), handlers: fixture.recorder.purchaseHandlers("a", verifies: true))
        await fixture.answer(refused, with: word(1))
        fixture.manager.transaction(word(1), didVerify: false)
        await fixture.manager.settle()
        await say(word(2, isRevoked: true))
        let token = fixture.manager.purchase(
            .sample("pro", .nonConsumable), handlers: fixture.recorder.purchaseHandlers("b"))
        await fixture.answer(token, with: word(3))
        #expect(fixture.recorder.lines(of: "b") == ["b failure 1 unableToCompleteVerification"])
        #expect(try await isOwned() == false)
    }
}
