import Foundation
import StoreManagerCore
import TestSupport
import Testing

/// Purchases that somebody begins on the app's page in the store.
@MainActor
struct PurchaseIntentTests {
    private let fixture = ManagerFixture()
    private let intent = StorePurchaseIntent(id: "i", product: .sample())

    init() { fixture.backend.answer = { $0.finishedAtOnce } }

    @Test("U03 an intent that comes before anyone listens is held and delivered once", arguments: [true, false])
    func held(toDelegate: Bool) async {
        for _ in 1...2 { await fixture.report(.purchaseIntent(intent)) }
        await fixture.report(.purchaseIntent(StorePurchaseIntent(id: "j", product: .sample("gems"))))
        #expect(fixture.lines == [])

        let delegate = RecordingDelegate("default", recorder: fixture.recorder)
        if toDelegate {
            fixture.manager.defaultDelegate = delegate
        } else {
            fixture.manager.defaultHandlers = fixture.recorder.purchaseHandlers("default")
        }
        #expect(fixture.lines == [])
        await fixture.manager.settle()
        #expect(fixture.lines == ["default intent coins", "default intent gems"])

        // Neither a repetition nor another receiver brings it again.
        await fixture.report(.purchaseIntent(intent))
        fixture.manager.defaultHandlers = fixture.recorder.purchaseHandlers("another")
        await fixture.manager.settle()
        #expect(fixture.lines == ["default intent coins", "default intent gems"])
        withExtendedLifetime(delegate) {}
    }

    @Test("U03 an intent whose receiver is released by the one before it waits for the next receiver")
    func released() async {
        var delegate: IntentDelegate? = IntentDelegate(recorder: fixture.recorder)
        for id in ["i", "j"] {
            await fixture.report(.purchaseIntent(StorePurchaseIntent(id: id, product: .sample(id))))
        }
        delegate?.onIntent = { delegate = nil }
        fixture.manager.defaultDelegate = delegate
        await fixture.manager.settle()
        #expect(fixture.lines == ["delegate intent i"])
        fixture.manager.defaultHandlers = fixture.recorder.purchaseHandlers("handlers")
        await fixture.manager.settle()
        #expect(fixture.lines == ["delegate intent i", "handlers intent j"])
    }

    @Test("U03 resuming uses the store's own payment, offer included, and answers its own request")
    func resumed() async {
        var intent = intent
        intent.offer = StoreOffer(
            id: "spring", type: .promotional, paymentMode: .payUpFront, price: 1,
            period: StoreSubscriptionPeriod(value: 1, unit: .month))
        fixture.manager.defaultHandlers = PurchaseHandlers(onPurchaseIntent: { [fixture] intent in
            fixture.manager.resume(intent, handlers: fixture.recorder.purchaseHandlers("a"))
        })
        await fixture.report(.purchaseIntent(intent))
        #expect(fixture.backend.payments.map(\.intent) == [intent])
        #expect(fixture.backend.payments.map(\.product) == [intent.product])
        await fixture.answer(fixture.backend.payments[0].token, with: .sample("1"))
        #expect(fixture.recorder.lines(of: "a") == ["a success 1"])
    }

    @Test(
        "U03 where nobody decides the purchase goes on by itself, and the default receiver hears how it ends",
        arguments: [true, false], [true, false])
    func byItself(toDelegate: Bool, succeeds: Bool) async {
        let delegate = IntentDelegate(recorder: fixture.recorder)
        if toDelegate {
            fixture.manager.defaultDelegate = delegate
        } else {
            var handlers = fixture.recorder.purchaseHandlers("delegate")
            handlers.onPurchaseIntent = nil
            fixture.manager.defaultHandlers = handlers
        }
        await fixture.report(.purchaseIntent(intent))
        #expect(fixture.backend.payments.map(\.intent) == (toDelegate ? [] : [intent]))
        if toDelegate { fixture.manager.resume(intent) }
        let token = fixture.backend.payments[0].token
        if succeeds {
            await fixture.answer(token, with: .sample("1"))
        } else {
            await fixture.report(.purchaseEnded(.productUnavailable(), for: token))
        }
        let expected = succeeds ? "delegate success 1" : "delegate failure - productUnavailable"
        #expect(fixture.recorder.lines(of: "delegate").filter { !$0.contains("intent") } == [expected])
        withExtendedLifetime(delegate) {}
    }
}

/// A default delegate that does something of its own about an intent.
@MainActor
private final class IntentDelegate: PurchaseDelegate {
    private let recorder: Recorder
    var onIntent: () -> Void = {}

    init(recorder: Recorder) { self.recorder = recorder }

    func storeManager(_ manager: StoreManager, didSucceed transaction: StoreTransaction, for token: RequestToken) {
        recorder.record("delegate success \(transaction.id)")
    }

    func storeManager(
        _ manager: StoreManager, didFail transaction: StoreTransaction?, with error: StoreError, for token: RequestToken
    ) {
        recorder.record("delegate failure \(transaction?.id ?? "-") \(error.name)")
    }

    func storeManager(_ manager: StoreManager, didReceive intent: StorePurchaseIntent) {
        recorder.record("delegate intent \(intent.product.id)")
        onIntent()
    }
}
