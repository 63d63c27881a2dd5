import Foundation
import StoreManagerCore
import StoreSimulator

/// One process of the app: its manager, its requests, and all that they hear.
@MainActor
final class AppProcess {
    /// What a receiver hears.
    enum Word {
        case products(ProductFetchResponse)
        case success(StoreTransaction), restore(StoreTransaction), revoke(StoreTransaction), scheduled(StoreTransaction)
        case failure(StoreTransaction?, StoreError)
        case cancel, deferral
        case restored(RestoreResult)
    }

    let number: Int
    let manager: StoreManager
    private(set) var requests: [SoakRequest] = []
    /// The transactions that somebody was asked about, in order, until an answer counts.
    var questions: [StoreTransaction] = []
    var receiver: SoakRequest?
    /// In the end everybody answers everything, and at once.
    var isDraining = false

    private unowned let life: Life
    private let store: SimulatedStore
    private let door: ProcessDoor
    private var isInsideCall = false
    /// The requests of which an answer of the store was lost, and whether one was lost that named none.
    private(set) var lostAnswers: Set<String> = []
    private(set) var hasLostAny = false

    init(number: Int, in life: Life) {
        self.number = number
        self.life = life
        store = life.store
        door = ProcessDoor(to: store)
        manager = StoreManager(backend: door, clock: store.clock, finishing: life.setup.finishing)
        if life.setup.keepsLedger {
            manager.persistence = DiskPersistence(disk: life.disk, process: number) { [weak self] in
                self?.isDead == false
            }
        }
        if life.setup.verification == .verifier {
            manager.verifier = SoakVerifier { [weak self] in self?.verdict(on: $0) ?? .valid }
        }
        door.onReport = { [weak life] transaction in
            life?.fates[transaction.id, default: TransactionFate()].report(transaction)
            life?.noteIfLeftAlone(transaction)
        }
        manager.effectProbe = { [weak life] effect, moment in
            if moment == .before { life?.tell("  manager: \("\(effect)".prefix { $0 != "(" })") }
        }
        manager.startObserving()
    }

    /// Whether the process has ended, and hears and does nothing any more.
    var isDead: Bool { door.isShut || store.hasCrashed }

    func die() {
        door.shut()
        for request in requests { request.task?.cancel() }
        manager.defaultHandlers = nil
        manager.defaultDelegate = nil
    }

    func noteLoss(of token: String?) {
        hasLostAny = true
        if let token { lostAnswers.insert(token) }
    }

    /// Whether somebody awaits a restore, or the purchase of a product.
    func isAwaiting(_ product: String?) -> Bool {
        requests.contains { request in
            request.style == .awaited && request.isOpen
                && (request.kind == .restore || product.map(request.identifiers.contains) ?? false)
        }
    }

    // MARK: Asking

    /// Makes a request, and registers it.
    func begin(_ request: SoakRequest, _ line: @autoclosure () -> String, _ register: () -> RequestToken?) {
        requests.append(request)
        call("\(request.kind) \(request.number) \(request.style)\(request.verifies ? " verifies" : ""): \(line())") {
            request.token = register()
        }
        request.isRegistered = true
    }

    /// Calls the manager. No handler may be called meanwhile.
    func call<Value>(_ line: @autoclosure () -> String, _ body: () -> Value) -> Value {
        life.tell("  \(line())")
        let wasInside = isInsideCall
        isInsideCall = true
        defer { isInsideCall = wasInside }
        return body()
    }

    // MARK: Hearing

    /// A receiver heard something.
    func heard(_ word: Word, by request: SoakRequest, _ token: RequestToken? = nil) {
        guard !isDead else { return }
        life.tell("  \(request.name) hears \(word.line)")
        if isInsideCall { life.fault("F11 \(request.name) was called from inside a call") }
        if !request.isRegistered { life.fault("F11 \(request.name) was called before its call returned") }
        if request.isCancelled { life.fault("P21 \(request.name) was called though it is cancelled") }
        if request.isReleased { life.fault("P20 \(request.name) was called though it is released") }
        if let token, request.kind != .standing, token != request.token {
            life.fault("P10 \(request.name) was called under \(token)")
        }
        switch word {
        case .deferral:
            if request.wasDeferred { life.fault("D01 \(request.name) was deferred twice") }
            request.wasDeferred = true
            if request.ending != nil { life.fault("D01 \(request.name) was deferred after its end") }
            return
        case .success(let transaction): received(transaction, as: .single, by: request)
        case .restore(let transaction) where transaction.state != .scheduled:
            received(transaction, as: .restored, by: request)
        case .revoke(let transaction):
            if request.kind != .standing { life.fault("U04 \(request.name) heard of a refund") }
            deliver(transaction, .revoked)
            finishByHand(transaction)
        case .restored(let result): check(result, of: request)
        case .products(let response): check(response, of: request)
        case .failure(let transaction?, .verificationFailed): finishByHand(transaction)
        case .restore, .scheduled, .failure, .cancel: break
        }
        if !request.end(word.line) {
            life.fault("P07 \(request.name) ended again: \(word.line); before: \(request.ending ?? "")")
        }
    }

    private func received(
        _ transaction: StoreTransaction, as delivery: TransactionFate.Delivery, by request: SoakRequest
    ) {
        // Where a habit makes the store say restored of what was bought, it is the first word about it.
        deliver(transaction, transaction.state == .restored ? .restored : delivery)
        checkOwner(of: transaction, request)
        finishByHand(transaction)
    }

    /// Where the manager leaves that to the app, the app finishes at once.
    private func finishByHand(_ transaction: StoreTransaction) {
        if life.setup.finishing == .manual { life.attempt { try manager.finish(transaction) } }
    }

    private func deliver(_ transaction: StoreTransaction, _ delivery: TransactionFate.Delivery) {
        let id = transaction.id
        if let problem = life.fates[id, default: TransactionFate()].deliver(delivery, of: transaction, in: number) {
            life.fault("\(problem): transaction \(id)")
        }
        guard life.setup.keepsLedger else { return }
        let row = life.disk.ledger.transactions(for: transaction.productIdentifier).first {
            $0.id == transaction.originalID
        }
        if row == nil { life.fault("S01 transaction \(id) was handed over before it was written down") }
        // A ledger that could not be read when it was asked does not know anything.
        if delivery == .single, life.disk.ledger.isFinished(transaction), life.disk.lastFailure != number {
            life.fault("P13 transaction \(id) was handed over though the ledger knows it as finished")
        }
    }

    /// Whoever bought a transaction is to have it, if he still listens.
    private func checkOwner(of transaction: StoreTransaction, _ request: SoakRequest) {
        // A store may answer a payment with what is owned, and some do with what is not finished yet.
        guard let mark = transaction.appAccountToken, transaction.state != .restored,
            transaction.productType == .consumable || transaction.productType == .nonRenewable,
            !life.setup.habits.repeatsUnfinishedConsumables
        else { return }
        if request.kind == .purchase, let own = request.options.appAccountToken, own != mark {
            life.fault("P03 \(request.name) received what another request bought: transaction \(transaction.id)")
        }
        let owner = requests.first { $0.options.appAccountToken == mark }
        if let owner, owner !== request, owner.isOpen, owner.receivesSuccess, !hasSeveral(mark),
            !hasAnswerOnItsWay(owner)
        {
            life.fault("P03 \(owner.name) is open, but \(request.name) received its transaction \(transaction.id)")
        }
        if request.kind == .purchase, request.options.appAccountToken == mark,
            transaction.quantity != request.options.quantity
        {
            life.fault("P05 \(request.name) asked for \(request.options.quantity), and got \(transaction.quantity)")
        }
    }

    /// Whether what the store has answered to a request is late, or lost.
    private func hasAnswerOnItsWay(_ request: SoakRequest) -> Bool {
        guard let token = request.token else { return true }
        return lostAnswers.contains("\(token)")
            || store.pendingDeliveries.contains { delivery in
                if case .transactionsUpdated(let updates) = delivery.event {
                    updates.contains { $0.token == token }
                } else {
                    delivery.interface == .purchase
                }
            }
    }

    /// Whether the store made several transactions of one payment: an interrupted one, and the one that was paid at last.
    private func hasSeveral(_ mark: UUID) -> Bool {
        store.allTransactions.count { $0.appAccountToken == mark } > 1
    }

    private func check(_ response: ProductFetchResponse, of request: SoakRequest) {
        let known = Set(Setup.products.map(\.id))
        let expected = request.identifiers.filter(known.contains)
        if response.products.map(\.id) != expected {
            life.fault("F01 \(request.name) asked for \(request.identifiers), and got \(response.products.map(\.id))")
        }
        if response.invalidIdentifiers != request.identifiers.filter({ !known.contains($0) }) {
            life.fault("F01 \(request.name): invalid are \(response.invalidIdentifiers) of \(request.identifiers)")
        }
    }

    private func check(_ result: RestoreResult, of request: SoakRequest) {
        let ids = result.restored.map(\.id) + (result.invalid + result.undecided).map(\.transaction.id)
        if Set(ids).count != ids.count { life.fault("R05 \(request.name) has one transaction twice: \(ids)") }
        for transaction in result.restored {
            deliver(transaction, .listed)
            finishByHand(transaction)
        }
        for refusal in result.invalid { finishByHand(refusal.transaction) }
    }

    // MARK: Answering

    /// A receiver was asked to verify; it answers at once, or a later step does.
    func asked(_ transactions: [StoreTransaction], by request: SoakRequest) {
        guard !isDead else { return }
        life.tell("  \(request.name) is asked about \(transactions.map(\.id))")
        if isInsideCall { life.fault("F11 \(request.name) was asked from inside a call") }
        if request.isCancelled || request.isReleased { life.fault("P21 \(request.name) was asked though it is gone") }
        for transaction in transactions {
            life.fates[transaction.id, default: TransactionFate()].ask(in: number)
            questions.append(transaction)
            if isDraining {
                answer(transaction, .valid)
            } else if let verdict = request.verdict() {
                answer(transaction, verdict)
            }
        }
    }

    /// Somebody answers, asked or not.
    func answer(_ transaction: StoreTransaction, _ verdict: VerificationVerdict) {
        guard
            call("answers \(transaction.id): \(verdict.name)", { manager.transaction(transaction, didVerify: verdict) })
        else { return }
        life.fates[transaction.id, default: TransactionFate()].answer(verdict, in: number)
        questions.removeAll { $0.id == transaction.id }
    }

    /// What the manager's verifier says.
    private func verdict(on transaction: StoreTransaction) -> VerificationVerdict {
        guard !isDead else { return .unableToComplete(SoakError(what: "the process has ended")) }
        // One process is always told the same: entitlements are asked about too, beside what is to be handed over.
        var random = SplitMix64(seed: life.setup.storeSeed ^ (UInt64(transaction.id) ?? 0) << 20 ^ UInt64(self.number))
        let number = random.below(10)
        let verdict: VerificationVerdict =
            number == 0
            ? .invalid(reason: "no")
            : number < 3 && !isDraining ? .unableToComplete(SoakError(what: "cannot tell")) : .valid
        life.tell("  the verifier is asked about \(transaction.id): \(verdict.name)")
        life.fates[transaction.id, default: TransactionFate()].ask(in: self.number)
        life.fates[transaction.id, default: TransactionFate()].answer(verdict, in: self.number, isVerifiers: true)
        return verdict
    }
}

/// The manager's verifier.
private struct SoakVerifier: TransactionVerifier {
    let verdict: @MainActor @Sendable (StoreTransaction) -> VerificationVerdict

    func verify(_ transaction: StoreTransaction) async -> VerificationVerdict { await verdict(transaction) }
}

extension VerificationVerdict {
    var name: String {
        switch self {
        case .valid: "valid"
        case .invalid: "invalid"
        case .unableToComplete: "cannot tell"
        }
    }
}

extension AppProcess.Word {
    var line: String {
        switch self {
        case .products(let response): "products \(response.products.map(\.id))"
        case .success(let transaction): "success \(transaction.id)"
        case .restore(let transaction): "restore \(transaction.id) \(transaction.state)"
        case .scheduled(let transaction): "scheduled \(transaction.id)"
        case .revoke(let transaction): "revoke \(transaction.id)"
        case .failure(let transaction, let error): "failure \(transaction?.id ?? "-") \(error)"
        case .cancel: "cancel"
        case .deferral: "deferral"
        case .restored(let result):
            "restored \(result.restored.map(\.id)) invalid \(result.invalid.map(\.transaction.id)) undecided \(result.undecided.map(\.transaction.id))"
        }
    }
}
