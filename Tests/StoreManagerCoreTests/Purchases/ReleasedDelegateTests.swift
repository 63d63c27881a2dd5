import StoreManagerCore
import TestSupport
import Testing

/// P20: delegates that are gone when they are needed.
@MainActor
struct ReleasedDelegateTests {
    private let fixture = ManagerFixture()

    @Test(
        "P20 a delegate released during the purchase: the transaction waits for a default receiver, unfinished and unverified"
    )
    func releasedBeforeAnswer() async {
        fixture.manager.verifier = TestVerifier(recorder: fixture.recorder)
        let token = fixture.manager.purchase(.sample(), delegate: MinimalDelegate("d", recorder: fixture.recorder))
        await fixture.answer(token, with: .sample())
        #expect(fixture.lines == ["store purchase coins"])

        let receiver = MinimalDelegate("default", recorder: fixture.recorder)
        fixture.manager.defaultDelegate = receiver
        await fixture.manager.settle()
        #expect(
            fixture.lines == ["store purchase coins", "verifier 1", "default success 1 \(token)", "store finish 1"])
    }

    @Test(
        "P20 a delegate released after the verdict: the transaction waits before delivery, and is not asked about again"
    )
    func releasedAfterVerdict() async {
        let gate = Gate()
        fixture.manager.persistence = TestPersistence(gate: gate)
        gate.open()
        var delegate: RecordingDelegate? = RecordingDelegate("d", recorder: fixture.recorder)
        let token = fixture.manager.purchase(.sample(), delegate: delegate!)
        await fixture.answer(token, with: .sample())
        gate.close()
        fixture.manager.transaction(.sample(), didVerify: true)
        await gate.arrival(gate.arrivals + 1)
        delegate = nil
        gate.open()
        await fixture.manager.settle()
        #expect(fixture.handlerLines == ["d verify 1 \(token)"])
        #expect(!fixture.manager.isPending(token))

        fixture.manager.defaultHandlers = fixture.recorder.purchaseHandlers("default", verifies: true)
        await fixture.manager.settle()
        #expect(fixture.lines.suffix(2) == ["default success 1", "store finish 1"])
    }

    @Test(
        "P20 a failure of a released delegate goes to the default receiver", arguments: [StoreAnswer.failed, .nothing])
    func releasedBeforeFailure(answer: StoreAnswer) async {
        fixture.manager.purchase(.sample(), delegate: MinimalDelegate("d", recorder: fixture.recorder))
        fixture.manager.defaultHandlers = fixture.recorder.purchaseHandlers("default")
        await fixture.report(answer.event(for: fixture.backend.payments[0]))
        #expect(fixture.handlerLines == ["default \(answer.line)"])
    }

    @Test("P20 a manager holds neither delegates of requests nor the default delegate")
    func delegatesAreHeldWeakly() {
        weak var (first, second): (MinimalDelegate?, MinimalDelegate?)
        do {
            let delegates = (
                MinimalDelegate("d", recorder: fixture.recorder), MinimalDelegate("e", recorder: fixture.recorder)
            )
            (first, second) = delegates
            fixture.manager.purchase(.sample(), delegate: delegates.0)
            fixture.manager.defaultDelegate = delegates.1
            #expect(fixture.manager.defaultDelegate === second)
        }
        #expect(first == nil && second == nil)
        #expect(fixture.manager.defaultDelegate == nil)
    }

    @Test("V08 a delegate that was asked and is gone: the transaction does not count as valid because nobody is left")
    func releasedWhileAsked() async {
        var delegate: RecordingDelegate? = RecordingDelegate("d", recorder: fixture.recorder)
        let token = fixture.manager.purchase(.sample(), delegate: delegate!)
        await fixture.answer(token, with: .sample())
        fixture.manager.transaction(.sample(), didVerify: .unableToComplete(SampleError()))
        delegate = nil
        fixture.manager.defaultHandlers = fixture.recorder.purchaseHandlers("default")
        await fixture.advance(by: 2)
        #expect(fixture.backend.finished == [])
        #expect(
            fixture.handlerLines == [
                "d verify 1 \(token)", "default failure 1 unableToCompleteVerification",
            ])
    }
}
