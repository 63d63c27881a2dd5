import Foundation
import StoreManagerCore
import TestSupport
import Testing

/// How what the user is entitled to is verified: once a round, within the time limit, and again where nobody could tell.
@MainActor
struct EntitlementVerificationTests {
    private let fixture = ManagerFixture()
    private let persistence = TestPersistence()
    private let gate = Gate()

    private var manager: StoreManager { fixture.manager }

    private func owned(_ id: String) -> StoreTransaction { .sample(id, of: "p\(id)", .nonConsumable, state: .restored) }

    private var reads: [RequestToken] {
        fixture.backend.commands.compactMap { if case .entitlements(let token) = $0 { token } else { nil } }
    }

    private var asked: [String] { fixture.recorder.lines(of: "verifier") }

    /// A manager with a ledger that has asked the store for the entitlements; what it tells of them is recorded: `read [1]`.
    private func launch(
        gate: Gate? = nil, verdict: @escaping @Sendable (StoreTransaction) -> VerificationVerdict = { _ in .valid }
    ) async -> Task<Void, Never> {
        fixture.backend.answer = { $0.finishedAtOnce }
        manager.persistence = persistence
        manager.verifier = TestVerifier(recorder: fixture.recorder, gate: gate, verdict: verdict)
        let stream = manager.events
        let task = Task { [recorder = fixture.recorder] in
            for await event in stream {
                if case .entitlementsRead(let transactions) = event {
                    recorder.record("read \(transactions.map(\.id).line)")
                }
            }
        }
        await manager.settle()
        return task
    }

    private func list(_ transactions: StoreTransaction..., for read: RequestToken? = nil) {
        fixture.backend.report(.entitlementsRead(.success(transactions), for: read ?? reads[0]))
    }

    @Test("T05 the verifier is asked about all at once")
    func concurrently() async throws {
        let events = await launch(gate: gate)
        list(owned("1"), owned("2"), owned("3"))
        await gate.arrival(3)
        gate.open()
        await fixture.recorder.wait(for: "read [1, 2, 3]")
        #expect(try await persistence.purchasedProductIdentifiers == ["p1", "p2", "p3"])
        events.cancel()
    }

    @Test(
        "V07 T05 a verifier that never answers holds up neither the reading nor what else is genuine; a late yes counts"
    )
    func silentVerifier() async throws {
        manager.verificationTimeout = 7
        let verifier = HalfSilentVerifier(gate: gate)
        let events = await launch()
        manager.verifier = verifier
        list(owned("1"), owned("silent"))
        await verifier.asked.arrival(2)
        fixture.clock.advance(by: 7)
        await fixture.recorder.wait(for: "read [1]")
        #expect(try await persistence.purchasedProductIdentifiers == ["p1"])
        gate.open()
        await fixture.recorder.wait(for: "read [1, silent]")
        #expect(try await persistence.purchasedProductIdentifiers == ["p1", "psilent"])
        events.cancel()
    }

    @Test("V04 T05 what nobody could decide on is asked about again with growing pauses, until it is decided")
    func pauses() async throws {
        let verdicts = Locked<[String: VerificationVerdict]>([:])
        let events = await launch { transaction in
            verdicts.withLock { $0[transaction.id] } ?? .unableToComplete(SampleError())
        }
        verdicts.withLock { $0["1"] = .valid }
        list(owned("1"), owned("2"), owned("3"))
        await fixture.recorder.wait(for: "read [1]")
        for pause in [2.0, 4, 8, 16, 32, 64, 128, 256, 300, 300] {
            await manager.settle()
            fixture.recorder.clear()
            await fixture.advance(by: pause - 0.5)
            #expect(asked == [], "before \(pause) s")
            await fixture.advance(by: 0.5)
            #expect(asked.sorted() == ["verifier 2", "verifier 3"], "after \(pause) s")
        }
        verdicts.withLock { $0["2"] = .valid }
        verdicts.withLock { $0["3"] = .invalid(reason: "a test") }
        fixture.recorder.clear()
        manager.retryPendingVerifications()
        await fixture.recorder.wait(for: "read [1, 2]")
        await fixture.advance(by: 1_000)
        #expect(asked.sorted() == ["verifier 2", "verifier 3"])
        #expect(try await persistence.purchasedProductIdentifiers == ["p1", "p2"])
        events.cancel()
    }

    /// Which of the two comes first: the list of entitlements, or the transaction itself.
    enum First: String, CaseIterable, Sendable { case list, transaction, together }

    @Test(
        "V04 T05 a round asks the verifier once about a transaction that is listed and delivered, in whatever order",
        arguments: First.allCases, [true, false])
    func once(first: First, isValid: Bool) async throws {
        let events = await launch(gate: gate) { _ in isValid ? .valid : .invalid(reason: "a test") }
        manager.defaultHandlers = fixture.recorder.purchaseHandlers("default")
        if first != .together { gate.open() }
        let transaction = owned("1")
        if first == .transaction { await fixture.answer(nil, with: transaction) }
        list(transaction)
        if first == .list { await manager.settle() }
        if first != .transaction {
            fixture.backend.report(
                .transactionsUpdated([StoreTransactionUpdate(transaction), StoreTransactionUpdate(transaction)]))
        }
        if first == .together {
            await gate.arrival()
            gate.open()
        }
        await fixture.recorder.wait(for: isValid ? "read [1]" : "read []")
        await manager.settle()
        await fixture.answer(nil, with: transaction)
        #expect(asked == ["verifier 1"])
        #expect(
            fixture.recorder.lines(of: "default")
                == [isValid ? "default restore 1" : "default failure 1 verificationFailed"])
        #expect(try await persistence.isPurchased("p1") == isValid)
        events.cancel()
    }

    @Test("V04 T05 a transaction that is undecided by itself is asked about in its own pauses alone")
    func sharedPauses() async {
        let verdict = Locked<VerificationVerdict>(.unableToComplete(SampleError()))
        let events = await launch { _ in verdict.withLock { $0 } }
        manager.defaultHandlers = fixture.recorder.purchaseHandlers("default")
        await fixture.answer(nil, with: owned("1"))
        list(owned("1"))
        await manager.settle()
        #expect(asked == ["verifier 1"])
        for count in 2...5 {
            await fixture.advance(by: pow(2, Double(count - 1)))
            #expect(asked.count == count)
        }
        verdict.withLock { $0 = .valid }
        manager.retryPendingVerifications()
        await fixture.recorder.wait(for: "read [1]")
        #expect(asked.count == 6)
        events.cancel()
    }

    @Test("V01 V04 what its own verify handler has not decided on is not written down because the store lists it")
    func ownHandler() async throws {
        let events = await launch()
        manager.verifier = nil
        let token = manager.purchase(
            .sample("p1", .nonConsumable), handlers: fixture.recorder.purchaseHandlers("a", verifies: true))
        await fixture.answer(token, with: owned("1").with(\.state, .purchased))
        list(owned("1"), owned("2"))
        await manager.settle()
        #expect(try await persistence.purchasedProductIdentifiers == [])
        manager.transaction(owned("1"), didVerify: true)
        await fixture.recorder.wait(for: "read [1, 2]")
        #expect(try await persistence.purchasedProductIdentifiers == ["p1", "p2"])
        #expect(fixture.recorder.lines(of: "a") == ["a verify 1", "a success 1"])
        events.cancel()
    }

    @Test("T05 a newer list takes the place of one that only waits to be asked about again")
    func newerList() async throws {
        let events = await launch { $0.id == "1" ? .unableToComplete(SampleError()) : .valid }
        list(owned("1"))
        await fixture.recorder.wait(for: "read []")
        let reading = Task { [manager] in try await manager.refreshEntitlements().map(\.id) }
        await manager.settle()
        list(owned("2"), for: reads[1])
        #expect(try await reading.value == ["2"])
        fixture.recorder.clear()
        await fixture.advance(by: 1_000)
        #expect(asked == [])
        events.cancel()
    }
}

/// A verifier that answers at once, but for the transaction `silent`, on which it waits at a gate.
private struct HalfSilentVerifier: TransactionVerifier {
    let gate: Gate
    let asked = Gate()

    init(gate: Gate) {
        self.gate = gate
        asked.open()
    }

    func verify(_ transaction: StoreTransaction) async -> VerificationVerdict {
        await asked.pass()
        if transaction.id == "silent" { await gate.pass() }
        return .valid
    }
}
