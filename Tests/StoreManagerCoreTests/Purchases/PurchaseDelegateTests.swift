import StoreManagerCore
import TestSupport
import Testing

/// Delegates of purchases: what they must implement, what they may, and of what they hear.
@MainActor
struct PurchaseDelegateTests {
    private let fixture = ManagerFixture()

    // MARK: Required and optional methods

    @Test(
        "P09 a delegate with the required methods alone: the others fall back to them", arguments: StoreAnswer.allCases)
    func minimalDelegate(answer: StoreAnswer) async {
        let delegate = MinimalDelegate("d", recorder: fixture.recorder)
        let token = fixture.manager.purchase(.sample(), delegate: delegate)
        await fixture.report(.purchaseDeferred(for: token), answer.event(for: fixture.backend.payments[0]))
        let line =
            switch answer {
            case .restored, .scheduled: "success 1"
            case .cancelled: "failure 1 cancelled"
            case .cancelledWithoutTransaction: "failure - cancelled"
            default: answer.line
            }
        #expect(fixture.handlerLines == ["d \(line) \(token)"])
        withExtendedLifetime(delegate) {}
    }

    @Test("P09 V08 a delegate without a verify method: the manager's verifier is asked", arguments: [true, false])
    func minimalDelegateAndVerifier(isValid: Bool) async {
        fixture.manager.verifier = TestVerifier(recorder: fixture.recorder) { _ in
            isValid ? .valid : .invalid(reason: "sample")
        }
        let delegate = MinimalDelegate("d", recorder: fixture.recorder)
        let token = fixture.manager.purchase(.sample(), delegate: delegate)
        await fixture.answer(token, with: .sample())
        #expect(
            fixture.handlerLines == [
                "verifier 1", isValid ? "d success 1 \(token)" : "d failure 1 verificationFailed \(token)",
            ])
        withExtendedLifetime(delegate) {}
    }

    @Test(
        "P09 optional methods are called wherever they are written: in the class, in an extension, in an overriding subclass"
    )
    func placesOfOptionalMethods() async throws {
        let recorder = Recorder()
        let delegates: [any PurchaseDelegate] = [
            InClass(recorder), InExtension(recorder), Overriding(recorder), Adding(recorder),
        ]
        for delegate in delegates {
            let fixture = ManagerFixture()
            for answer in [StoreAnswer.restored, .cancelled] {
                fixture.manager.purchase(.sample("\(answer)"), delegate: delegate)
                let payment = try #require(fixture.backend.payments.last)
                await fixture.report(.purchaseDeferred(for: payment.token), answer.event(for: payment))
                fixture.manager.transaction(.sample(), didVerify: true)
                await fixture.report(.transactionFinished("1"))
            }
        }
        #expect(
            recorder.lines == [
                "InClass defer", "InClass verify", "InClass restore", "InClass defer", "InClass cancel",
                "InExtension defer", "InExtension verify", "InExtension restore", "InExtension defer",
                "InExtension cancel",
                "Overriding defer", "Overriding verify", "Overriding restore", "Overriding defer", "Overriding cancel",
                // What only a subclass adds is not called.
                "Adding success", "Adding failure",
            ])
    }

    @Test(
        "P09 a delegate that verifies by itself may pass a transaction on to the verifier, at once or later",
        arguments: [true, false])
    func passingOn(isLater: Bool) async {
        let verifier = TestVerifier(recorder: fixture.recorder)
        fixture.manager.verifier = verifier
        let delegate = RecordingDelegate("d", recorder: fixture.recorder)
        if !isLater { delegate.onVerify = { manager, transactions in manager.verifyByDefault(transactions) } }
        let token = fixture.manager.purchase(.sample(), delegate: delegate)
        await fixture.answer(token, with: .sample())
        if isLater {
            #expect(fixture.handlerLines == ["d verify 1 \(token)"])
            fixture.manager.verifyByDefault([.sample()])
            await fixture.manager.settle()
        }
        #expect(fixture.handlerLines == ["d verify 1 \(token)", "verifier 1", "d success 1 \(token)"])
    }

    // MARK: Whose it is

    @Test("P10 a delegate hears only of what it started, and tells its requests apart by their tokens")
    func requestsOfSeveralDelegates() async {
        let (first, second) = (
            MinimalDelegate("d", recorder: fixture.recorder), MinimalDelegate("e", recorder: fixture.recorder)
        )
        let tokens = [first, second, first].map { fixture.manager.purchase(.sample(), delegate: $0) }
        #expect(Set(tokens).count == 3)
        for (index, token) in tokens.enumerated().reversed() {
            await fixture.answer(token, with: .sample("\(index)"))
        }
        #expect(
            fixture.handlerLines == [
                "d success 2 \(tokens[2])", "e success 1 \(tokens[1])", "d success 0 \(tokens[0])",
            ])
    }
}

// MARK: Delegates

/// The required methods, which record; what is optional is recorded by those below.
@MainActor
private class Base: PurchaseDelegate {
    let recorder: Recorder

    init(_ recorder: Recorder) { self.recorder = recorder }

    func record(_ line: String) { recorder.record("\(Self.self) \(line)") }

    func storeManager(_ manager: StoreManager, didSucceed transaction: StoreTransaction, for token: RequestToken) {
        record("success")
    }

    func storeManager(
        _ manager: StoreManager, didFail transaction: StoreTransaction?, with error: StoreError, for token: RequestToken
    ) {
        record("failure")
    }
}

/// Optional methods that only a subclass of the conforming class has.
private final class Adding: Base {
    func storeManager(_ manager: StoreManager, didRestore transaction: StoreTransaction, for token: RequestToken) {
        record("restore")
    }

    func storeManager(_ manager: StoreManager, didCancel transaction: StoreTransaction?, for token: RequestToken) {
        record("cancel")
    }

    func storeManager(_ manager: StoreManager, didDefer token: RequestToken) { record("defer") }

    func storeManager(
        _ manager: StoreManager, needsVerification transaction: StoreTransaction, for token: RequestToken
    ) {
        record("verify")
    }
}

/// All methods in the class.
@MainActor
private class InClass: PurchaseDelegate {
    let recorder: Recorder

    init(_ recorder: Recorder) { self.recorder = recorder }

    func record(_ line: String) { recorder.record("\(Self.self) \(line)") }

    func storeManager(_ manager: StoreManager, didSucceed transaction: StoreTransaction, for token: RequestToken) {
        record("success")
    }

    func storeManager(
        _ manager: StoreManager, didFail transaction: StoreTransaction?, with error: StoreError, for token: RequestToken
    ) {
        record("failure")
    }

    func storeManager(_ manager: StoreManager, didRestore transaction: StoreTransaction, for token: RequestToken) {
        record("restore")
    }

    func storeManager(_ manager: StoreManager, didCancel transaction: StoreTransaction?, for token: RequestToken) {
        record("cancel")
    }

    func storeManager(_ manager: StoreManager, didDefer token: RequestToken) { record("defer") }

    func storeManager(
        _ manager: StoreManager, needsVerification transaction: StoreTransaction, for token: RequestToken
    ) {
        record("verify")
    }
}

/// Overrides of what the base class declares.
private final class Overriding: InClass {
    override func record(_ line: String) { recorder.record("Overriding \(line)") }

    override func storeManager(
        _ manager: StoreManager, didRestore transaction: StoreTransaction, for token: RequestToken
    ) {
        record("restore")
    }
}

/// All methods in an extension.
@MainActor
private final class InExtension {
    let recorder: Recorder

    init(_ recorder: Recorder) { self.recorder = recorder }
}

extension InExtension: PurchaseDelegate {
    func record(_ line: String) { recorder.record("\(Self.self) \(line)") }

    func storeManager(_ manager: StoreManager, didSucceed transaction: StoreTransaction, for token: RequestToken) {
        record("success")
    }

    func storeManager(
        _ manager: StoreManager, didFail transaction: StoreTransaction?, with error: StoreError, for token: RequestToken
    ) {
        record("failure")
    }

    func storeManager(_ manager: StoreManager, didRestore transaction: StoreTransaction, for token: RequestToken) {
        record("restore")
    }

    func storeManager(_ manager: StoreManager, didCancel transaction: StoreTransaction?, for token: RequestToken) {
        record("cancel")
    }

    func storeManager(_ manager: StoreManager, didDefer token: RequestToken) { record("defer") }

    func storeManager(
        _ manager: StoreManager, needsVerification transaction: StoreTransaction, for token: RequestToken
    ) {
        record("verify")
    }
}
