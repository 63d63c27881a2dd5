import StoreSimulator
import TestSupport
import Testing

@testable import StoreManagerCore

/// What must hold however inputs follow each other: sense, nonsense, late, twice.
struct LifecycleInvariantTests {
    @Test(
        "S01 S03 nothing is finished unverified, unwritten or undelivered, and nothing is handed over twice",
        arguments: TransactionLifecycle.Origin.allCases, [false, true])
    func randomSequences(origin: TransactionLifecycle.Origin, finishesManually: Bool) {
        for seed in UInt64(0)..<300 {
            var witness = LifecycleWitness(origin: origin, finishesManually: finishesManually)
            var generator = SplitMix64(seed: seed)
            for _ in 0..<40 { witness.take(witness.likelyInput(using: &generator)) }
            guard let violation = witness.violation else { continue }
            Issue.record("seed \(seed): \(violation)\n\(witness.story)")
            return
        }
    }

    @Test("the random sequences come to an end of every kind")
    func reach() {
        var endings: Set<String> = []
        for origin in TransactionLifecycle.Origin.allCases {
            for seed in UInt64(0)..<1_000 {
                var witness = LifecycleWitness(origin: origin, finishesManually: false)
                var generator = SplitMix64(seed: seed)
                for _ in 0..<40 { witness.take(witness.likelyInput(using: &generator)) }
                if witness.hasEnded { endings.insert(witness.lastOutcome) }
            }
        }
        #expect(
            endings.isSuperset(of: [
                "nothing", "purchased", "restored", "scheduled", "cancelled", "revoked", "upgraded",
                "failed verificationFailed", "failed unknown", "failed unfinishedTransaction",
                "failed transactionRemoved",
            ]), "\(endings.sorted())")
    }
}

/// Watches a lifecycle from outside: it knows what went in and what came out, and nothing else.
struct LifecycleWitness {
    private var lifecycle: TransactionLifecycle
    private let finishesManually: Bool
    /// What went in, and what came out.
    private var steps: [(TransactionLifecycle.Phase, TransactionLifecycle.Input, [TransactionLifecycle.Effect])] = []
    /// The first thing that must not happen.
    private(set) var violation: String?
    private(set) var hasEnded = false
    private var outcome: TransactionOutcome?
    private var question: TransactionLifecycle.Effect?
    private var isWrittenDown = false
    private var verdict: VerificationVerdict?
    private var hasBeenDealtWith = false
    private var isHandedOver = false
    private var isBeingHandedOver = false
    private var finishIsAskedFor = false
    private var transaction: StoreTransaction?
    private var hasFailed = false

    init(origin: TransactionLifecycle.Origin, finishesManually: Bool) {
        lifecycle = TransactionLifecycle(origin: origin, finishesManually: finishesManually)
        self.finishesManually = finishesManually
    }

    /// The whole story in print.
    var story: String {
        steps.map { "\($0) \($1.name): \($2.map(\.name).joined(separator: ", "))" }.joined(separator: "\n")
    }

    /// The name of the last outcome that was handed over.
    var lastOutcome: String { outcome?.name ?? "nothing" }

    /// Mostly an answer to what was asked for last, now and then anything at all.
    func likelyInput(using generator: inout SplitMix64) -> TransactionLifecycle.Input {
        let isLikely = Int.random(in: 0..<10, using: &generator) < 7
        let inputs = TransactionLifecycle.Input.samples
        let answers = isLikely ? inputs.filter { $0.answers(question) } : []
        return (answers.isEmpty ? inputs : answers).randomElement(using: &generator) ?? .retry
    }

    /// Puts an input in and looks at what comes out.
    mutating func take(_ input: TransactionLifecycle.Input) {
        let phase = lifecycle.phase
        let effects = lifecycle.handle(input)
        steps.append((phase, input, effects))
        if hasEnded, !effects.isEmpty { return violate("it does something after its end") }
        learn(from: input, in: phase, changing: lifecycle.phase != phase || !effects.isEmpty)
        for effect in effects { judge(effect) }
    }

    private mutating func learn(
        from input: TransactionLifecycle.Input, in phase: TransactionLifecycle.Phase, changing: Bool
    ) {
        guard changing else { return }
        switch input {
        case .arrived(let transaction):
            learn(transaction)
        case .listed where input.transaction(after: self.transaction) == self.transaction:
            // The same state: what is known of it stands.
            break
        case .listed(let transaction):
            learn(transaction)
        case .failed: hasFailed = true
        case .abandoned: if let transaction { learn(transaction) }
        case .verdict(let given): verdict = given
        case .persisted: isWrittenDown = true
        // A restore delivers again what was handed over before, and asks about it.
        case .known(.handled): hasBeenDealtWith = lifecycle.origin != .restore
        case .known(.refused): hasBeenDealtWith = true
        case .finishRequested: finishIsAskedFor = true
        case .delivered:
            if isHandedOver { violate("it is handed over twice") }
            isHandedOver = true
            isBeingHandedOver = false
        case .noReceiver: isBeingHandedOver = false
        default: break
        }
    }

    private mutating func learn(_ newer: StoreTransaction) {
        transaction = newer
        (verdict, isWrittenDown, hasBeenDealtWith, isHandedOver) = (nil, false, false, false)
    }

    private mutating func judge(_ effect: TransactionLifecycle.Effect) {
        question = effect
        switch effect {
        case .finish: judgeFinish()
        case .persist where !isValid && !isWithdrawn: violate("it is written down unverified")
        case .download where !isWrittenDown: violate("its content is fetched before it is written down")
        case .deliver(let outcome):
            self.outcome = outcome
            // What was dealt with before may be told again; nothing new is handed over then.
            guard outcome.isSuccess, !hasBeenDealtWith else { return }
            if isHandedOver || isBeingHandedOver { violate("it is handed over twice") }
            if !isValid || !isWrittenDown { violate("it is handed over unverified or unwritten") }
            isBeingHandedOver = true
        case .settle(.restored) where !isValid || !isWrittenDown: violate("it is restored unverified or unwritten")
        case .end:
            if hasEnded { violate("it ends twice") }
            hasEnded = true
        default:
            if hasEnded { violate("it does something after its end") }
        }
    }

    private mutating func judgeFinish() {
        if hasBeenDealtWith || hasFailed { return }
        if finishesManually, !finishIsAskedFor, !isUpgraded {
            return violate("the manager finishes what the app is to finish")
        }
        if case .invalid = verdict { return }
        let isComplete = (isValid || isWithdrawn) && isWrittenDown && isHandedOver
        if !isComplete { violate("it is finished unverified, unwritten or undelivered") }
    }

    private var isWithdrawn: Bool { transaction?.deliveryState.grants == false }

    private var isUpgraded: Bool { transaction?.isUpgraded == true && transaction?.revocationDate == nil }

    private var isValid: Bool { if case .valid = verdict { true } else { false } }

    private mutating func violate(_ what: String) { violation = violation ?? what }
}

extension TransactionLifecycle.Input {
    /// Whether this may be the answer to what was asked for last; nil: to the beginning.
    fileprivate func answers(_ question: TransactionLifecycle.Effect?) -> Bool {
        switch (question, self) {
        case (nil, .arrived), (nil, .deferred), (nil, .scheduled), (nil, .failed), (nil, .verdict): true
        case (.announceDeferral, .arrived), (.announceDeferral, .failed): true
        case (.lookUp, .known), (.lookUp, .lookUpFailed), (nil, .known): true
        case (.verify, .verdict), (.verify, .noReceiver), (.scheduleRetry, .verdict), (.scheduleRetry, .retry): true
        case (.persist, .persisted), (.persist, .persistFailed): true
        case (.download, .downloaded), (.download, .downloadFailed), (.download, .arrived): true
        case (.deliver, .delivered), (.deliver, .noReceiver), (.settle, .delivered), (.settle, .noReceiver): true
        case (.reportWaiting, .listed), (.scheduleRetry, .listed), (.publish, .listed): true
        case (.reportWaiting, .receiverAppeared), (.reportWaiting, .adopted): true
        case (.finish, .finished), (.finish, .finishTimedOut): true
        case (.publish, .finishRequested), (.publish, .retry), (.publish, .adopted): true
        default: false
        }
    }
}
