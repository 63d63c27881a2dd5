import StoreManagerCore

/// A request of a random schedule, or one of its default receivers, and what it was told.
@MainActor
final class ScheduledRequest {
    enum Kind: String { case fetch, purchase, restore, standing }

    /// What the store said of a payment first.
    enum Answer: Equatable {
        case paid(ScheduledTransaction)
        case failed, cancelled, scheduled

        static func == (one: Answer, other: Answer) -> Bool {
            switch (one, other) {
            case (.paid(let one), .paid(let other)): one === other
            case (.failed, .failed), (.cancelled, .cancelled), (.scheduled, .scheduled): true
            default: false
            }
        }
    }

    let kind: Kind
    let number: Int
    /// Whether it has a success closure, and one to verify.
    let receivesSuccess: Bool
    let verifies: Bool
    /// Known when the call that registered it has returned.
    var token: RequestToken?
    /// Where it is a delegate; let go when the schedule says so.
    var delegate: ScheduledDelegate?
    var isReleased = false
    var isCancelled = false
    /// What ended it.
    private(set) var endings: [String] = []
    var product: StoreProduct?
    var answer: Answer?

    init(_ kind: Kind, _ number: Int, receivesSuccess: Bool = true, verifies: Bool = false) {
        self.kind = kind
        self.number = number
        self.receivesSuccess = receivesSuccess
        self.verifies = verifies
    }

    /// Whether the manager may call it.
    var mayBeCalled: Bool { !isCancelled && !isReleased && (kind == .standing || token != nil) }

    /// It was told its end.
    func end(_ line: String) { if kind != .standing { endings.append(line) } }

    var name: String { "\(kind.rawValue) \(number)" }
}

/// What a schedule asks its manager for as a delegate.
@MainActor
final class ScheduledDelegate: StoreManagerDelegate {
    private unowned let schedule: Schedule
    private let request: ScheduledRequest

    init(_ request: ScheduledRequest, of schedule: Schedule) {
        self.request = request
        self.schedule = schedule
    }

    func storeManager(_ manager: StoreManager, didFetch response: ProductFetchResponse, for token: RequestToken) {
        schedule.heard(.products, by: request, token)
    }

    func storeManager(_ manager: StoreManager, didFailToFetch error: StoreError, for token: RequestToken) {
        schedule.heard(.failure(nil, error), by: request, token)
    }

    func storeManager(_ manager: StoreManager, didSucceed transaction: StoreTransaction, for token: RequestToken) {
        schedule.heard(.success(transaction), by: request, token)
    }

    func storeManager(
        _ manager: StoreManager, didFail transaction: StoreTransaction?, with error: StoreError, for token: RequestToken
    ) {
        schedule.heard(.failure(transaction, error), by: request, token)
    }

    func storeManager(_ manager: StoreManager, didRestore transaction: StoreTransaction, for token: RequestToken) {
        schedule.heard(.restore(transaction), by: request, token)
    }

    func storeManager(_ manager: StoreManager, didCancel transaction: StoreTransaction?, for token: RequestToken) {
        schedule.heard(.cancel, by: request, token)
    }

    func storeManager(_ manager: StoreManager, didDefer token: RequestToken) {
        schedule.heard(.deferral, by: request, token)
    }

    func storeManager(
        _ manager: StoreManager, needsVerification transaction: StoreTransaction, for token: RequestToken
    ) {
        guard request.verifies else { return manager.verifyByDefault([transaction]) }
        schedule.asked([transaction], by: request)
    }

    func storeManager(_ manager: StoreManager, didRevoke transaction: StoreTransaction, for token: RequestToken) {
        schedule.heard(.revoke(transaction), by: request, token)
    }

    func storeManager(_ manager: StoreManager, didFinishRestoring result: RestoreResult, for token: RequestToken) {
        schedule.heard(.restored(result), by: request, token)
    }

    func storeManager(_ manager: StoreManager, didFailToRestore error: StoreError, for token: RequestToken) {
        schedule.heard(.failure(nil, error), by: request, token)
    }

    func storeManager(
        _ manager: StoreManager, needsVerificationOfRestored transactions: [StoreTransaction], for token: RequestToken
    ) {
        guard request.verifies else { return manager.verifyByDefault(transactions) }
        schedule.asked(transactions, by: request)
    }
}
