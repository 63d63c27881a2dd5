import Foundation
import StoreManagerCore
import TestSupport
import Testing

/// P13, D03, D04: the store's clock and the device's are two, and need not agree.
@MainActor
struct ClockSkewTests {
    private let fixture = ManagerFixture(capabilities: StoreBackendCapabilities(tokenCarriage: .unlessDeferred))

    init() {
        fixture.backend.answer = { $0.finishedAtOnce }
        fixture.manager.defaultHandlers = fixture.recorder.purchaseHandlers("default")
    }

    /// By how many seconds the device's clock is ahead of the store's, and whether the store signs what it says.
    struct Lead: CustomTestStringConvertible, Sendable {
        var seconds: TimeInterval
        var isSigned: Bool

        var testDescription: String { "\(seconds) s, \(isSigned ? "signed" : "unsigned")" }

        /// What the store says of a purchase that it made so many seconds after the device's clock began.
        func word(_ id: String, after delay: TimeInterval) -> StoreTransaction {
            let date = Date.start + delay - seconds
            return .sample(id, at: date).with(\.signedDate, isSigned ? date : nil)
        }

        /// Where the store signs nothing, five minutes are borne.
        static let all =
            [-86_400, -2, 0, 2, 299].flatMap {
                [Lead(seconds: $0, isSigned: true), Lead(seconds: $0, isSigned: false)]
            }
            + [3_600, 86_400, 30 * 86_400].map { Lead(seconds: $0, isSigned: true) }
    }

    @Test(
        "P13 an answer that was overtaken by itself is the purchase's, whatever the device's clock", arguments: Lead.all
    )
    func overtaking(lead: Lead) async {
        let token = fixture.manager.purchase(.sample(), handlers: fixture.recorder.purchaseHandlers("a"))
        fixture.clock.advance(by: 1)
        await fixture.answer(nil, with: lead.word("1", after: 1))
        await fixture.answer(token, with: lead.word("1", after: 1))
        #expect(fixture.handlerLines == ["a success 1"])
    }

    @Test("D04 an approval finds its request, whatever the device's clock", arguments: Lead.all)
    func approval(lead: Lead) async {
        let token = fixture.manager.purchase(.sample(), handlers: fixture.recorder.purchaseHandlers("a"))
        await fixture.report(.purchaseDeferred(for: token))
        fixture.clock.advance(by: 1)
        await fixture.answer(nil, with: lead.word("1", after: 1))
        #expect(fixture.handlerLines == ["a defer", "a success 1"])
        #expect(!fixture.manager.isPending(token))
    }

    @Test("D03 an approval finds the context of its request in the next run, whatever the device's clock")
    func context() async throws {
        let persistence = MemoryPersistence()
        fixture.manager.persistence = persistence
        let context = PurchaseContext(data: Data([1]))
        fixture.manager.purchase(.sample(), options: PurchaseOptions(context: context), handlers: PurchaseHandlers())
        await fixture.manager.settle()

        let next = ManagerFixture()
        var received: [PurchaseContext?] = []
        next.manager.persistence = persistence
        next.manager.defaultHandlers = PurchaseHandlers(onSuccess: { received.append($0.context) })
        await next.answer(nil, with: .sample("1", at: .start - 2))
        await next.answer(nil, with: .sample("2", at: .start - 2))
        #expect(received == [context, nil])
    }

    @Test("D03 what was dealt with before takes no context, however shortly before")
    func noContextForTheOld() async throws {
        let persistence = MemoryPersistence()
        let old = StoreTransaction.sample("old", at: .start - 2)
        fixture.manager.persistence = persistence
        await fixture.answer(nil, with: old)
        let context = PurchaseContext(data: Data([1]))
        fixture.manager.purchase(.sample(), options: PurchaseOptions(context: context), handlers: PurchaseHandlers())
        await fixture.manager.settle()

        let next = ManagerFixture()
        var received: [PurchaseContext?] = []
        next.manager.persistence = persistence
        next.manager.defaultHandlers = PurchaseHandlers(onSuccess: { received.append($0.context) })
        await next.answer(nil, with: old)
        await next.answer(nil, with: .sample("1"))
        #expect(received == [context])
    }

    @Test(
        "P13 D04 what was seen before the request is never its answer, however shortly before",
        arguments: [true, false])
    func seenBefore(isDeferred: Bool) async {
        let old = StoreTransaction.sample("old").with(\.signedDate, .start)
        await fixture.answer(nil, with: old)
        let token = fixture.manager.purchase(.sample(), handlers: fixture.recorder.purchaseHandlers("a"))
        if isDeferred { await fixture.report(.purchaseDeferred(for: token)) }
        await fixture.answer(nil, with: old.with(\.signedDate, .start + 1))
        await fixture.answer(nil, with: old.with(\.expirationDate, .start + 100).with(\.signedDate, .start + 2))
        #expect(fixture.recorder.lines(of: "a") == (isDeferred ? ["a defer"] : []))
        #expect(fixture.manager.isPending(token))
    }

    @Test("D04 once the store has shown how late it is, what was bought before the request is no approval")
    func knownClock() async {
        // The store has spoken before, and its clock agrees with the device's.
        await fixture.answer(nil, with: .sample("other", of: "gems").with(\.signedDate, .start))
        let token = fixture.manager.purchase(.sample(), handlers: fixture.recorder.purchaseHandlers("a"))
        await fixture.report(.purchaseDeferred(for: token))
        let old = Date.start - 3_600
        await fixture.answer(nil, with: .sample("old", at: old).with(\.signedDate, old))
        #expect(fixture.handlerLines == ["default success other", "a defer", "default success old"])
        #expect(fixture.manager.isPending(token))
    }
}
