import Foundation
import StoreManagerCore
import TestSupport
import Testing

/// What the user is entitled to, read from the store without a prompt.
@MainActor
struct ReadingEntitlementsTests {
    private let fixture = ManagerFixture()
    private let persistence = TestPersistence()

    private var manager: StoreManager { fixture.manager }

    private func owned(_ id: String) -> StoreTransaction { .sample(id, of: "p\(id)", .nonConsumable, state: .restored) }

    private var reads: [RequestToken] {
        fixture.backend.commands.compactMap { if case .entitlements(let token) = $0 { token } else { nil } }
    }

    /// The first event that tells of entitlements.
    private func told(by stream: AsyncStream<StoreEvent>) async -> String? {
        for await event in stream {
            switch event {
            case .entitlementsRead(let transactions): return "read \(transactions.map(\.id).line)"
            case .entitlementsFailed(let error): return "failed \(error.name)"
            default: continue
            }
        }
        return nil
    }

    @Test("T05 at start they are read into the ledger, once, and nothing is delivered, finished or prompted for")
    func atStart() async throws {
        manager.persistence = persistence
        manager.defaultHandlers = fixture.recorder.purchaseHandlers("default")
        let stream = manager.events
        await manager.settle()
        #expect(reads.count == 1)
        manager.retryPendingVerifications()
        await fixture.report(.entitlementsRead(.success([owned("1"), owned("2")]), for: reads[0]))
        #expect(try await persistence.purchasedProductIdentifiers == ["p1", "p2"])
        #expect(await told(by: stream) == "read [1, 2]")
        #expect(fixture.lines == ["store entitlements"])
    }

    @Test("T05 a store that does not list them is not asked at start, only on demand")
    func storeThatListsNone() async {
        let fixture = ManagerFixture(capabilities: StoreBackendCapabilities(listsEntitlements: false))
        fixture.manager.persistence = persistence
        await fixture.manager.settle()
        #expect(fixture.lines == [])
        fixture.backend.answer = { command in
            guard case .entitlements(let token) = command else { return [] }
            return [.entitlementsRead(.failure(.unsupported("this")), for: token)]
        }
        let error = await #expect(throws: StoreError.self) { try await fixture.manager.refreshEntitlements() }
        #expect(error?.name == "unsupported")
    }

    @Test("T05 without a ledger they are read on demand only")
    func withoutLedger() async throws {
        await manager.settle()
        #expect(fixture.lines == [])
        let reading = Task { [manager] in try await manager.refreshEntitlements().map(\.id) }
        await manager.settle()
        await fixture.report(.entitlementsRead(.success([owned("1")]), for: reads[0]))
        #expect(try await reading.value == ["1"])
    }

    @Test("T05 on demand they are read again, and counted once")
    func onDemand() async throws {
        manager.persistence = persistence
        fixture.backend.answer = { command in
            if case .entitlements(let token) = command {
                return [
                    .entitlementsRead(.success([.sample("1"), .sample("2", of: "pro", .nonConsumable)]), for: token)
                ]
            }
            return []
        }
        for _ in 1...3 { #expect(try await manager.refreshEntitlements().map(\.id) == ["1", "2"]) }
        #expect(try await persistence.count(of: "coins") == 1)
        #expect(try await persistence.isPurchased("pro"))
    }

    @Test("T05 what the verifier does not find valid, or the store's own library doubts, is left out")
    func verified() async throws {
        manager.persistence = persistence
        manager.verifier = TestVerifier(recorder: fixture.recorder) { transaction in
            switch transaction.id {
            case "1": .valid
            case "2": .invalid(reason: "no")
            default: .unableToComplete(SampleError())
            }
        }
        let doubtful = owned("4").with(\.storeVerification, .unverified(reason: "no"))
        let reading = Task { [manager] in try await manager.refreshEntitlements().map(\.id) }
        await manager.settle()
        for read in reads {
            await fixture.report(
                .entitlementsRead(.success([owned("1"), owned("2"), owned("3"), doubtful]), for: read))
        }
        #expect(try await reading.value == ["1"])
        #expect(try await persistence.purchasedProductIdentifiers == ["p1"])
        #expect(Set(fixture.recorder.lines(of: "verifier")) == ["verifier 1", "verifier 2", "verifier 3"])
    }

    @Test("T05 a transaction that is read is still delivered when it comes, once, and counts once")
    func stillDelivered() async throws {
        manager.persistence = persistence
        await manager.settle()
        fixture.backend.answer = { $0.finishedAtOnce }
        await fixture.report(.entitlementsRead(.success([.sample("1")]), for: reads[0]))
        manager.defaultHandlers = fixture.recorder.purchaseHandlers("default")
        for _ in 1...2 { await fixture.answer(nil, with: .sample("1")) }
        #expect(fixture.recorder.lines(of: "default") == ["default success 1"])
        #expect(try await persistence.count(of: "coins") == 1)
    }

    @Test("T05 an older list does not bring back what was taken away since")
    func olderList() async throws {
        manager.persistence = persistence
        manager.defaultHandlers = fixture.recorder.purchaseHandlers("default")
        await manager.settle()
        let refund = owned("1").with(\.signedDate, .start + 2).with(\.revocationDate, .start)
        await fixture.answer(nil, with: refund)
        await fixture.report(.entitlementsRead(.success([owned("1").with(\.signedDate, .start)]), for: reads[0]))
        #expect(try await persistence.isPurchased("p1") == false)
    }

    /// What may go wrong.
    enum Trouble: CaseIterable, Sendable { case store, ledger }

    @Test("T05 trouble of the store or the ledger is thrown, and told as an event", arguments: Trouble.allCases)
    func trouble(trouble: Trouble) async throws {
        await manager.settle()
        manager.persistence = persistence
        persistence.isBroken = true
        let stream = manager.events
        let reading = Task { [manager] in try await manager.refreshEntitlements() }
        await manager.settle()
        await fixture.report(
            .entitlementsRead(trouble == .store ? .failure(.network()) : .success([owned("1")]), for: reads[0]))
        let name = trouble == .store ? "network" : "persistenceFailed"
        await #expect(throws: StoreError.self) { try await reading.value }
        #expect(await told(by: stream) == "failed \(name)")
    }
}
