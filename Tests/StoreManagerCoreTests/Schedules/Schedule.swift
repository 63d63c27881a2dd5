import Foundation
import StoreManagerCore
import StoreSimulator
import TestSupport

/// A manager over a scripted store, what happens to it by chance, and a model of what must come of it.
///
/// One seed gives one schedule, whatever the machine does: all that happens is on the main actor, and what chance decides is
/// decided in the order of the calls.
@MainActor
final class Schedule {
    /// What a receiver hears.
    enum Word {
        case products
        case success(StoreTransaction), restore(StoreTransaction), revoke(StoreTransaction)
        case failure(StoreTransaction?, StoreError)
        case cancel, deferral
        case restored(RestoreResult)
    }

    let seed: UInt64
    var random: SplitMix64
    let clock = TestClock()
    let backend: ScriptedBackend
    let manager: StoreManager
    let persistence: TestPersistence?
    var requests: [ScheduledRequest] = []
    var transactions: [ScheduledTransaction] = []
    var standing: ScheduledRequest?
    /// What the store has not answered.
    var openPayments: [(payment: StorePayment, request: ScheduledRequest)] = []
    var deferredPayments: [(payment: StorePayment, request: ScheduledRequest, date: Date)] = []
    var openFetches: [RequestToken] = []
    var openListings: [RequestToken] = []
    var unansweredFinishes: [StoreTransaction.ID] = []
    /// The purchases that had a verify closure: what they bought is never valid unasked.
    var needsVerdict: Set<RequestToken> = []
    /// In the end everybody answers everything, and at once.
    var isDraining = false
    private(set) var faults: [String] = []
    private(set) var log: [String] = []
    private let isLogged: Bool
    private var isInsideCall = false
    private var lastNumber = 0

    /// - Parameter isLogged: whether ``log`` is kept; to be asked for when something was wrong.
    init(seed: UInt64, isLogged: Bool = false) {
        self.seed = seed
        self.isLogged = isLogged
        random = SplitMix64(seed: seed)
        backend = ScriptedBackend(
            capabilities: StoreBackendCapabilities(tokenCarriage: seed % 2 == 0 ? .always : .unlessDeferred))
        manager = StoreManager(backend: backend, clock: clock)
        persistence = seed % 4 == 1 || seed % 8 == 2 ? TestPersistence() : nil
        manager.persistence = persistence
        backend.answer = { [unowned self] in answer($0) }
    }

    /// Runs the schedule to its end. What was wrong is in ``faults``.
    func run() async {
        // Little happens at a time in some, and much in others.
        let pauses: Double = pick([0.1, 0.4, 0.7]) ?? 1
        for _ in 1...Int.random(in: 8...28, using: &random) {
            step()
            if chance(pauses) { await settle() }
        }
        await drain()
        check()
        if let persistence { await check(persistence) }
    }

    /// Waits until the manager has dealt with everything so far.
    func settle() async {
        await manager.settle()
        for transaction in transactions where transaction.isRemoved { transaction.isKnownToBeRemoved = true }
    }

    // MARK: Chance

    func chance(_ probability: Double) -> Bool { Double.random(in: 0..<1, using: &random) < probability }

    func pick<Element>(_ elements: [Element]) -> Element? { elements.randomElement(using: &random) }

    func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    /// A date that names a word of the store; each is later than all before.
    func nextDate() -> Date { clock.now.addingTimeInterval(Double(nextNumber()) / 1000) }

    // MARK: The record

    func note(_ line: @autoclosure () -> String) { if isLogged { log.append(line()) } }

    func fault(_ line: String) {
        note("FAULT \(line)")
        faults.append(line)
    }

    /// Calls the manager, from outside or from a handler. No handler may be called meanwhile.
    func call<Value>(_ line: @autoclosure () -> String, _ body: () -> Value) -> Value {
        note(line())
        let wasInside = isInsideCall
        isInsideCall = true
        defer { isInsideCall = wasInside }
        return body()
    }

    // MARK: What receivers hear

    /// A receiver heard something.
    func heard(_ word: Word, by request: ScheduledRequest, _ token: RequestToken? = nil) {
        note("   \(request.name) heard \(word.line)")
        if isInsideCall { fault("\(request.name) was called from inside a call") }
        if !request.mayBeCalled {
            fault("\(request.name) was called though it is cancelled, released or not returned yet")
        }
        if let token, request.kind != .standing, token != request.token {
            fault("\(request.name) was called under \(token)")
        }
        switch word {
        case .success(let transaction): deliver(transaction, .single)
        case .restore(let transaction) where transaction.state != .scheduled: deliver(transaction, .restored)
        case .revoke(let transaction):
            deliver(transaction, .revoked)
            if request.kind != .standing { fault("\(request.name) heard of a refund") }
        case .restored(let result): heard(result, by: request)
        default: break
        }
        if case .deferral = word { return }
        if !request.endings.isEmpty { fault("\(request.name) ended again: \(word.line)") }
        request.end(word.line)
        if !isDraining, chance(0.1) { step() }
    }

    private func heard(_ result: RestoreResult, by request: ScheduledRequest) {
        // Restores that share a listing have one result.
        for transaction in result.restored { deliver(transaction, .listed) }
    }

    private func deliver(_ transaction: StoreTransaction, _ delivery: ScheduledTransaction.Delivery) {
        guard let known = transactions.first(where: { $0.id == transaction.id }) else {
            return fault("\(transaction.id) is not known")
        }
        if let problem = known.fault(in: delivery, of: transaction) { fault("transaction \(known.id): \(problem)") }
    }

    // MARK: Verdicts

    /// A receiver was asked to verify; it answers at once, or a later step does.
    func asked(_ asked: [StoreTransaction], by request: ScheduledRequest) {
        note("   \(request.name) asked \(asked.map(\.id).line)")
        if isInsideCall { fault("\(request.name) was asked from inside a call") }
        if request.isCancelled || request.isReleased { fault("\(request.name) was asked though it is gone") }
        for transaction in asked {
            guard let known = transactions.first(where: { $0.id == transaction.id }) else {
                fault("\(transaction.id) is not known")
                continue
            }
            known.needsVerdict = true
            known.ask(about: transaction)
            if isDraining {
                answer(known, .valid)
            } else if chance(0.4) {
                answer(known, randomVerdict())
            }
        }
    }

    func randomVerdict() -> VerificationVerdict {
        let number = Int.random(in: 0..<10, using: &random)
        return number < 5 ? .valid : number < 7 ? .invalid(reason: "no") : .unableToComplete(SampleError())
    }

    /// Somebody answers, asked or not.
    func answer(_ transaction: ScheduledTransaction, _ verdict: VerificationVerdict) {
        let word = transaction.word
        if call("answer \(word.id) \(verdict)", { manager.transaction(word, didVerify: verdict) }) {
            note("   which counts")
            transaction.answer(verdict)
        }
    }
}

extension Schedule.Word {
    var line: String {
        switch self {
        case .products: "products"
        case .success(let transaction): "success \(transaction.id)"
        case .restore(let transaction): "restore \(transaction.id)"
        case .revoke(let transaction): "revoke \(transaction.id)"
        case .failure(let transaction, let error): "failure \(transaction?.id ?? "-") \(error.name)"
        case .cancel: "cancel"
        case .deferral: "deferral"
        case .restored(let result): result.line
        }
    }
}
