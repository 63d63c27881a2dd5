import Foundation
import StoreManagerCore
import TestSupport
import Testing

/// What a purchase holds alive, and until when.
@MainActor
struct ReleaseTests {
    private let fixture = ManagerFixture()

    /// Something that closures hold.
    private final class Thing: Sendable {}

    /// Closures that hold a thing, all of them or all but the one that verifies.
    private func handlers(holding thing: Thing, verifyHolding other: Thing? = nil) -> PurchaseHandlers {
        var handlers = PurchaseHandlers(
            onSuccess: { _ in _ = thing }, onRestore: { _ in _ = thing }, onFailure: { _, _ in _ = thing },
            onCancel: { _ = thing }, onDefer: { _ = thing }, onRevoke: { _ in _ = thing },
            onPurchaseIntent: { _ in _ = thing })
        if let other { handlers.onVerify = { _ in _ = other } }
        return handlers
    }

    @Test(
        "P07 the closures of a purchase are released when it has ended, however it ended",
        arguments: StoreAnswer.allCases)
    func ended(answer: StoreAnswer) async {
        weak var held: Thing?
        do {
            let thing = Thing()
            held = thing
            fixture.manager.purchase(.sample(), handlers: handlers(holding: thing))
        }
        #expect(held != nil)
        await fixture.report(answer.event(for: fixture.backend.payments[0]))
        #expect(held == nil)
    }

    @Test("P21 the closures of a purchase are released at once when it is cancelled", arguments: [nil, false, true])
    func cancelled(isAsked: Bool?) async {
        weak var held: Thing?
        let token: RequestToken
        do {
            let thing = Thing()
            held = thing
            token = fixture.manager.purchase(.sample(), handlers: handlers(holding: thing, verifyHolding: thing))
        }
        if isAsked == true { await fixture.answer(token, with: .sample()) }
        if isAsked == false { await fixture.report(.purchaseDeferred(for: token)) }
        fixture.manager.cancel(token)
        #expect(held == nil)
    }

    @Test(
        "V04 of a purchase that nobody could tell of the verify closure alone is kept, until the verdict is final",
        arguments: [true, false])
    func undecided(isValid: Bool) async {
        weak var (held, heldToVerify): (Thing?, Thing?)
        let token: RequestToken
        do {
            let (thing, other) = (Thing(), Thing())
            (held, heldToVerify) = (thing, other)
            token = fixture.manager.purchase(
                .sample(), handlers: handlers(holding: thing, verifyHolding: other))
        }
        await fixture.answer(token, with: .sample())
        fixture.manager.transaction(.sample(), didVerify: .unableToComplete(SampleError()))
        await fixture.manager.settle()
        #expect(held == nil)
        #expect(heldToVerify != nil)

        fixture.manager.defaultHandlers = PurchaseHandlers(onSuccess: { _ in })
        await fixture.advance(by: 2)
        fixture.manager.transaction(.sample(), didVerify: isValid)
        await fixture.manager.settle()
        #expect(heldToVerify == nil)
    }

    @Test("V04 the verify closure is released by a final verdict, before anything is written, fetched or received")
    func finalVerdict() async {
        let gate = Gate()
        gate.open()
        fixture.manager.persistence = TestPersistence(gate: gate)
        weak var held: Thing?
        let token: RequestToken
        do {
            let thing = Thing()
            held = thing
            token = fixture.manager.purchase(
                .sample(), handlers: PurchaseHandlers(onSuccess: { _ in }, onVerify: { _ in _ = thing }))
        }
        await fixture.answer(token, with: .sample())
        #expect(held != nil)
        gate.close()
        fixture.manager.transaction(.sample(), didVerify: true)
        await gate.arrival(gate.arrivals + 1)
        #expect(held == nil)
        #expect(fixture.manager.isPending(token))
        gate.open()
        await fixture.manager.settle()
    }

    @Test("M03 P21 an awaited purchase whose task is cancelled leaves nothing behind")
    func cancelledTask() async {
        weak var held: Thing?
        let task: Task<Void, any Error>
        do {
            let thing = Thing()
            held = thing
            task = Task { [fixture] in
                _ = try await fixture.manager.purchase(.sample())
                _ = thing
            }
        }
        await fixture.backend.firstPayment()
        task.cancel()
        _ = await task.result
        await fixture.manager.settle()
        #expect(held == nil)
    }

    @Test("M03 a released manager releases the closures of all its requests, and no late timer or answer finds it")
    func releasedManager() async {
        weak var (held, manager): (Thing?, StoreManager?)
        let (backend, clock) = (ScriptedBackend(), TestClock())
        do {
            let (thing, released) = (Thing(), StoreManager(backend: backend, clock: clock))
            (held, manager) = (thing, released)
            released.defaultHandlers = handlers(holding: thing)
            let tokens = (1...3).map { _ in
                released.purchase(.sample(), handlers: handlers(holding: thing, verifyHolding: thing))
            }
            backend.report(.transactionsUpdated([StoreTransactionUpdate(.sample(), token: tokens[0])]))
            await released.settle()
        }
        #expect(manager == nil)
        #expect(held == nil)
    }
}
