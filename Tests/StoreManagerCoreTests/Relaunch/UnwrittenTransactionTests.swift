import Foundation
import StoreManagerCore
import TestSupport
import Testing

/// Purchases that cannot be written down.
@MainActor
struct UnwrittenTransactionTests {
    private let fixture = ManagerFixture()
    private let persistence = TestPersistence()

    init() {
        fixture.backend.answer = { $0.finishedAtOnce }
        fixture.manager.persistence = persistence
        persistence.isBroken = true
    }

    private func next() -> ManagerFixture {
        let next = ManagerFixture()
        next.backend.answer = { $0.finishedAtOnce }
        next.manager.persistence = persistence
        next.manager.defaultHandlers = next.recorder.purchaseHandlers("default")
        return next
    }

    @Test("S02 the request fails once, nothing is finished, and it comes back at the next launch")
    func nextLaunch() async throws {
        let token = fixture.manager.purchase(.sample(), handlers: fixture.recorder.purchaseHandlers("a"))
        for _ in 1...2 { await fixture.answer(token, with: .sample("1")) }
        #expect(fixture.recorder.lines(of: "a") == ["a failure 1 persistenceFailed"])
        #expect(!fixture.manager.isPending(token))
        #expect(fixture.backend.finished == [])

        persistence.isBroken = false
        let next = next()
        await next.answer(nil, with: .sample("1"))
        #expect(next.recorder.lines(of: "default") == ["default success 1"])
        #expect(next.backend.finished == ["1"])
        #expect(try await persistence.count(of: "coins") == 1)
    }

    @Test("S02 in the same run it is tried again when asked for, and nobody is asked again whether it is genuine")
    func sameRun() async {
        fixture.manager.defaultHandlers = fixture.recorder.purchaseHandlers("default")
        let token = fixture.manager.purchase(
            .sample(), handlers: fixture.recorder.purchaseHandlers("a", verifies: true))
        await fixture.answer(token, with: .sample("1"))
        fixture.manager.transaction(.sample("1"), didVerify: true)
        await fixture.manager.settle()
        fixture.manager.retryPendingVerifications()
        await fixture.manager.settle()
        #expect(fixture.recorder.lines(of: "a") == ["a verify 1", "a failure 1 persistenceFailed"])
        persistence.isBroken = false
        fixture.manager.retryPendingVerifications()
        await fixture.manager.settle()
        #expect(fixture.recorder.lines(of: "default") == ["default success 1"])
        #expect(fixture.recorder.lines(of: "a").count == 2)
        #expect(fixture.backend.finished == ["1"])
    }

    @Test("S02 what nobody asked for fails to the default receiver, once")
    func unasked() async {
        fixture.manager.defaultHandlers = fixture.recorder.purchaseHandlers("default")
        for _ in 1...2 { await fixture.answer(nil, with: .sample("1")) }
        #expect(fixture.recorder.lines(of: "default") == ["default failure 1 persistenceFailed"])
        #expect(fixture.backend.finished == [])
    }

    @Test("S02 a refund that cannot be written down is told as one when it can")
    func refund() async throws {
        fixture.manager.defaultHandlers = fixture.recorder.purchaseHandlers("default")
        await fixture.answer(nil, with: .sample("1").with(\.revocationDate, .start))
        persistence.isBroken = false
        fixture.manager.retryPendingVerifications()
        await fixture.manager.settle()
        #expect(fixture.recorder.lines(of: "default") == ["default failure 1 persistenceFailed", "default revoke 1"])
        #expect(fixture.backend.finished == ["1"])
    }
}
