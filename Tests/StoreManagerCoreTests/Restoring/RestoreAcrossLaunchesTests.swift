import Foundation
import StoreManagerCore
import TestSupport
import Testing

/// What an earlier run knew of what a restore lists.
@MainActor
struct RestoreAcrossLaunchesTests {
    private let persistence = MemoryPersistence()

    private func launch() async -> ManagerFixture {
        let fixture = ManagerFixture()
        fixture.backend.answer = { $0.finishedAtOnce }
        fixture.manager.persistence = persistence
        fixture.manager.defaultHandlers = fixture.recorder.purchaseHandlers("default")
        await fixture.manager.settle()
        return fixture
    }

    private func owned(_ id: String, signedAt seconds: Double) -> StoreTransaction {
        StoreTransaction.sample(id, of: "p\(id)", .nonConsumable, state: .restored)
            .with(\.signedDate, .start + seconds)
    }

    /// What was taken away in an earlier run.
    enum Loss: CaseIterable, Sendable { case revoked, upgraded }

    @Test(
        "U04 R09 an old copy of what was taken back in an earlier run is neither restored, written down nor asked about",
        arguments: Loss.allCases, [true, false])
    func takenBackBefore(loss: Loss, isAlone: Bool) async throws {
        var latest = owned("1", signedAt: 9).with(\.state, .purchased)
        switch loss {
        case .revoked: latest.revocationDate = .start + 5
        case .upgraded: latest.isUpgraded = true
        }
        await launch().answer(nil, with: latest)

        let fixture = await launch()
        let token = fixture.manager.restorePurchases(
            handlers: RestoreHandlers(
                onSuccess: { fixture.recorder.record("restore \($0.line)") },
                onVerify: { transactions in
                    fixture.recorder.record("restore verify \(transactions.map(\.id).line)")
                    for transaction in transactions { fixture.manager.transaction(transaction, didVerify: true) }
                }))
        await fixture.list(
            [owned("1", signedAt: 1)] + (isAlone ? [] : [owned("2", signedAt: 1)]), for: token)
        await fixture.report(.restoreFinished(for: token))
        await fixture.answer(nil, with: owned("1", signedAt: 1))
        #expect(
            fixture.handlerLines
                == (isAlone ? [] : ["restore verify [2]"])
                + ["restore restored [\(isAlone ? "" : "2")] invalid [] undecided []"])
        #expect(try await persistence.isPurchased("p1") == false)
        #expect(!fixture.backend.finished.contains("1"))
    }

    @Test("R01 what was handed over and finished in an earlier run is restored again, and counted once")
    func finishedBefore() async throws {
        await launch().answer(nil, with: owned("1", signedAt: 1).with(\.state, .purchased))
        let fixture = await launch()
        let token = fixture.manager.restorePurchases(handlers: fixture.recorder.restoreHandlers("restore"))
        await fixture.list([owned("1", signedAt: 2)], for: token)
        await fixture.report(.restoreFinished(for: token))
        #expect(fixture.handlerLines == ["restore restored [1] invalid [] undecided []"])
        #expect(try await persistence.count(of: "p1") == 1)
    }

    @Test("U04 R09 a reversed refund is restored: the newer word counts")
    func reversed() async throws {
        await launch().answer(
            nil, with: owned("1", signedAt: 2).with(\.state, .purchased).with(\.revocationDate, .start + 1))
        let fixture = await launch()
        let token = fixture.manager.restorePurchases(handlers: fixture.recorder.restoreHandlers("restore"))
        await fixture.list([owned("1", signedAt: 3)], for: token)
        await fixture.report(.restoreFinished(for: token))
        #expect(fixture.handlerLines == ["restore restored [1] invalid [] undecided []"])
        #expect(try await persistence.isPurchased("p1"))
    }

    @Test(
        "R08 U04 two users' restores that list the same old copy are both answered without it",
        arguments: [true, false])
    func twoListings(endsTogether: Bool) async {
        await launch().answer(
            nil, with: owned("1", signedAt: 2).with(\.state, .purchased).with(\.revocationDate, .start + 1))
        let fixture = await launch()
        let tokens = ["a", "b"].map { name in
            fixture.manager.restorePurchases(
                ofApplicationUsername: name, handlers: fixture.recorder.restoreHandlers(name))
        }
        for token in tokens { await fixture.list([owned("1", signedAt: 1)], for: token) }
        for token in tokens {
            fixture.backend.report(.restoreFinished(for: token))
            if !endsTogether { await fixture.manager.settle() }
        }
        await fixture.manager.settle()
        #expect(fixture.handlerLines == ["a", "b"].map { "\($0) restored [] invalid [] undecided []" })
    }
}
