import Foundation
import StoreManagerCore
import TestSupport
import Testing

/// P13: a store that tells of a purchase's transaction on two ways, and perhaps first on the one that carries no token.
@MainActor
struct OvertakingTests {
    private let fixture: ManagerFixture
    private let token: RequestToken

    init() { self.init(.unlessDeferred) }

    private init(_ carriage: StoreBackendCapabilities.TokenCarriage) {
        fixture = ManagerFixture(capabilities: StoreBackendCapabilities(tokenCarriage: carriage))
        fixture.manager.defaultHandlers = fixture.recorder.purchaseHandlers("default")
        token = fixture.manager.purchase(.sample(), handlers: fixture.recorder.purchaseHandlers("a"))
    }

    @Test(
        "P13 a transaction that comes by itself ahead of the purchase's answer is the purchase's, once",
        arguments: [0.0, 9.9])
    func overtaking(seconds: TimeInterval) async {
        for _ in 1...2 { await fixture.answer(nil, with: .sample()) }
        await fixture.advance(by: seconds)
        #expect(fixture.handlerLines == [])
        for _ in 1...2 { await fixture.answer(token, with: .sample()) }
        await fixture.report(.transactionFinished("1"))
        await fixture.advance(by: 10)
        #expect(fixture.handlerLines == ["a success 1"])
    }

    @Test("P13 U02 if it was not the answer it goes to the default receiver, as soon as there is another answer")
    func anotherAnswer() async {
        await fixture.answer(nil, with: .sample("other"))
        await fixture.answer(token, with: .sample("1"))
        #expect(fixture.handlerLines == ["a success 1", "default success other"])
    }

    @Test(
        "P13 P16 if the purchase ends otherwise it goes to the default receiver",
        arguments: [StoreAnswer.failed, .cancelledWithoutTransaction, .nothing])
    func otherEnd(answer: StoreAnswer) async {
        await fixture.answer(nil, with: .sample("other"))
        await fixture.report(answer.event(for: fixture.backend.payments[0]))
        #expect(fixture.handlerLines == ["a \(answer.line)", "default success other"])
    }

    @Test("P13 an answer that does not come holds it up for 10 s")
    func noAnswer() async {
        await fixture.answer(nil, with: .sample())
        await fixture.advance(by: 10)
        #expect(fixture.handlerLines == ["default success 1"])
        #expect(fixture.manager.isPending(token))
    }

    @Test("P13 D04 what came before a purchase was deferred is not its approval, but may be that of an earlier one")
    func deferral() async {
        await fixture.answer(nil, with: .sample("1"))
        await fixture.report(.purchaseDeferred(for: token))
        #expect(fixture.handlerLines == ["a defer", "default success 1"])

        let later = fixture.manager.purchase(.sample(), handlers: fixture.recorder.purchaseHandlers("b"))
        await fixture.answer(nil, with: .sample("2"))
        #expect(fixture.handlerLines.last == "a success 2")
        #expect(fixture.manager.isPending(later))
    }

    @Test("P13 U02 what cannot be the answer waits for nobody")
    func others() async {
        let transactions = [
            StoreTransaction.sample("1", of: "gems"), .sample("2", at: .start - 301),
            .sample("3").with(\.reason, .renewal), .sample("4").with(\.ownership, .familyShared),
            .sample("5").with(\.appAccountToken, UUID()), .sample("6", state: .restored),
        ]
        for transaction in transactions { await fixture.answer(nil, with: transaction) }
        await fixture.answer(nil, with: .sample("7").with(\.revocationDate, .start))
        #expect(
            fixture.handlerLines
                == (1...5).map { "default success \($0)" } + ["default restore 6", "default revoke 7"])
    }

    @Test(
        "P13 a store whose transactions tell their purchase holds nothing up",
        arguments: [StoreBackendCapabilities.TokenCarriage.always, .never])
    func otherStores(carriage: StoreBackendCapabilities.TokenCarriage) async {
        let test = OvertakingTests(carriage)
        await test.fixture.answer(nil, with: .sample())
        #expect(test.fixture.handlerLines == ["default success 1"])
    }

    @Test("P13 a refund that comes while the purchase waits for its answer wins over what is held")
    func refundMeanwhile() async {
        let transaction = StoreTransaction.sample().with(\.signedDate, .start)
        await fixture.answer(nil, with: transaction)
        await fixture.answer(nil, with: transaction.with(\.signedDate, .start + 1).with(\.revocationDate, .start + 1))
        await fixture.advance(by: 10)
        #expect(fixture.handlerLines == ["default revoke 1"])
    }

    @Test("P13 P15 what another component removes while it is held is delivered, and not finished")
    func removedMeanwhile() async {
        await fixture.answer(nil, with: .sample())
        await fixture.report(.transactionsRemoved(["1"]))
        await fixture.advance(by: 10)
        #expect(fixture.handlerLines == ["default success 1"])
        #expect(fixture.backend.finished == [])
    }
}
