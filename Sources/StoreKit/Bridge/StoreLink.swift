import Foundation
import StoreManagerCore
import StoreSimulator

/// The link between StoreKit's interface and the simulated store behind it: all the state that the double has.
///
/// Commands from any thread are posted and carried out one after the other on the main actor; what the store reports comes in
/// there too, and is told to StoreKit 1's payment queue (``desk``) and to StoreKit 2's sequences.
@MainActor
final class StoreLink: StoreBackendObserver {
    nonisolated static let shared = StoreLink()

    /// What of the payment queue any thread may read.
    nonisolated let queueFace = QueueFace()
    /// StoreKit 1's payment queue.
    private(set) lazy var desk = PaymentDesk(link: self)
    /// StoreKit 2's purchases that are under way.
    var purchases: [RequestToken: OpenPurchase] = [:]

    let transactionUpdates = Broadcaster<VerificationResult<Transaction>>()
    let statusUpdates = Broadcaster<Product.SubscriptionInfo.Status>()
    let storefrontUpdates = Broadcaster<Storefront>()
    let intents = Broadcaster<PurchaseIntent>()
    let messages = Broadcaster<Message>(keepsUnclaimed: true)

    /// The app that runs.
    let app = AppIdentity()
    /// Where the app's receipt lies, if there is one.
    var receiptURL = StoreLink.defaultReceiptURL
    /// The answer to ``AppTransaction/shared``, once it was read.
    var appTransaction: VerificationResult<AppTransaction>?
    /// Those who wait until a transaction is finished.
    var finishWaiters: [StoreTransaction.ID: [@MainActor () -> Void]] = [:]
    /// How many calls of StoreKit 2's wait for the store.
    private(set) var openCalls = 0
    /// How far those have got who read StoreKit 2's sequences.
    private var readings: [ReadingProgress] = []
    /// How each subscription stood when it was looked at last.
    var knownSubscriptions: [StoreTransaction.ID: SubscriptionSnapshot] = [:]
    /// Purchases that were begun in the store and that nobody took.
    var waitingIntents: [StorePurchaseIntent] = []
    /// How products are promoted.
    var promotions: [Product.PromotionInfo] = []
    /// Whether a sheet that asks for consent to a higher price waits for the app.
    var hasWaitingPriceConsent = false
    /// The sheets that were shown.
    var presentedSheets: [PresentedSheet] = []

    private var source = StoreSource.environment
    private var requests: [RequestToken: Request] = [:]
    private var requestCount: UInt64 = 0
    nonisolated private let posted = Locked(Posted())
    nonisolated let callbacks = CallbackQueue()
    /// The number of the app's process.
    nonisolated let process = Locked(1)

    nonisolated private init() {}

    // MARK: The store

    /// The store behind the interface; nil where none is configured, and ``storeError`` says why.
    var store: SimulatedStore? {
        if case .environment = source { use(.named(by: ProcessInfo.processInfo.environment)) }
        if case .store(let store) = source { return store }
        return nil
    }

    /// Why there is no store.
    var storeError: StoreError {
        if case .failure(let error) = source { return .unknown(underlying: error) }
        return .unknown()
    }

    /// Makes a store the one behind the interface. All requests of the one before end with an error; observers and listeners
    /// stay.
    func use(_ new: StoreSource) {
        if case .store(let old) = source {
            old.stopObserving(self)
            old.didChange = nil
        }
        source = new
        forgetRequests()
        messages.forgetUnclaimed()
        promotions = []
        presentedSheets = []
        guard case .store(let store) = new else { return }
        store.didChange = { [weak self] in self?.storeDidChange() }
        store.startObserving(self)
        writeReceipt()
    }

    /// The app's process ends and another begins: nobody observes or listens any more, and who does next hears of all that
    /// is unfinished.
    func relaunch() {
        process.withLock { $0 += 1 }
        queueFace.clear()
        transactionUpdates.finish()
        statusUpdates.finish()
        storefrontUpdates.finish()
        intents.finish()
        messages.finish()
        forgetRequests()
        guard let store else { return }
        store.relaunch()
        store.startObserving(self)
    }

    // MARK: Commands

    /// Reads something, from any thread.
    nonisolated static func read<Value: Sendable>(_ body: @MainActor (StoreLink) -> Value) -> Value {
        onMainActor { body(.shared) }
    }

    /// Carries something out in the order of posting, from any thread.
    nonisolated func post(_ command: @escaping @MainActor @Sendable (StoreLink) -> Void) {
        let isFirst = posted.withLock { posted in
            posted.commands.append(command)
            defer { posted.isBeingEmptied = true }
            return !posted.isBeingEmptied
        }
        if isFirst { Task { @MainActor in self.carryOutPosted() } }
    }

    /// Whether commands wait.
    nonisolated var hasPosted: Bool { posted.withLock { $0.isBeingEmptied } }

    /// Calls back in the queue that is set for it.
    nonisolated func callBack(_ body: @escaping @Sendable () -> Void) { callbacks.perform(body) }

    /// Sends a request to the store, or answers it with an error where there is none.
    ///
    /// - Parameter answer: Gets all events of the request until ``close(_:)``; an error, too, when its store goes.
    @discardableResult
    func open(
        _ kind: RequestToken.Kind,
        _ send: @MainActor (SimulatedStore, RequestToken) -> Void,
        answer: @escaping @MainActor (StoreBackendEvent, RequestToken) -> Void
    ) -> RequestToken {
        requestCount += 1
        let token = RequestToken(kind: kind, number: requestCount)
        requests[token] = Request { answer($0, token) }
        if let store {
            send(store, token)
        } else {
            close(token)
            answer(.failure(storeError, of: token), token)
        }
        return token
    }

    /// Waits for the store's answer to one call.
    func awaitAnswer<Answer: Sendable>(
        _ ask: (@escaping @MainActor (Answer) -> Void) -> Void
    ) async -> Answer {
        openCalls += 1
        return await withCheckedContinuation { continuation in
            ask { [self] answer in
                openCalls -= 1
                continuation.resume(returning: answer)
            }
        }
    }

    /// Whether all who read StoreKit 2's sequences have dealt with what they were told.
    var readersWait: Bool { readings.allSatisfy(\.isWaiting) }

    /// How many read StoreKit 2's sequences.
    var readerCount: Int { readings.count { !$0.isOver } }

    /// Follows somebody who reads one of StoreKit 2's sequences.
    func follow(_ reading: ReadingProgress) {
        readings.removeAll(where: \.isOver)
        readings.append(reading)
    }

    /// Ends a request: later events of it are nobody's.
    func close(_ token: RequestToken) { requests[token] = nil }

    /// Carries out all commands that wait.
    func carryOutPosted() {
        while let command = posted.withLock({ $0.next() }) { command(self) }
    }

    private func forgetRequests() {
        let open = requests.sorted { $0.key.number < $1.key.number }
        requests = [:]
        for (token, request) in open { request.answer(.failure(.unknown(), of: token)) }
        purchases = [:]
        desk.forget()
        waitingIntents = []
        knownSubscriptions = [:]
        appTransaction = nil
        hasWaitingPriceConsent = false
        let waiters = finishWaiters
        finishWaiters = [:]
        for waiter in waiters.values.joined() { waiter() }
    }

    // MARK: What the store reports

    func storeBackend(_ backend: any StoreBackend, didReport event: StoreBackendEvent) {
        switch event {
        case .productsFetched(_, let token), .productFetchFailed(_, let token), .purchaseDeferred(let token),
            .purchaseEnded(_, let token), .restoreFinished(let token), .restoreFailed(_, let token),
            .entitlementsRead(_, let token), .receiptRefreshed(_, let token):
            requests[token]?.answer(event)
        case .transactionsUpdated(let updates):
            if updates.contains(where: \.transaction.isPaid) { writeReceipt() }
            sort(updates)
        case .transactionsRemoved(let ids): transactionsWereRemoved(ids)
        case .transactionFinished(let id): transactionWasFinished(id)
        case .storefrontChanged(let storefront): storefrontDidChange(storefront)
        case .purchaseIntent(let intent): receive(intent)
        case .downloadsUpdated(let downloads): desk.update(downloads)
        }
    }

    /// Gives each request the updates that answer it, and everybody those that nobody asked for.
    private func sort(_ updates: [StoreTransactionUpdate]) {
        var unasked: [StoreTransactionUpdate] = []
        var answers: [(token: RequestToken, updates: [StoreTransactionUpdate])] = []
        for update in updates {
            guard let token = update.token, requests[token] != nil else {
                unasked.append(update)
                continue
            }
            if answers.last?.token == token {
                answers[answers.count - 1].updates.append(update)
            } else {
                answers.append((token, [update]))
            }
        }
        for answer in answers { requests[answer.token]?.answer(.transactionsUpdated(answer.updates)) }
        if !unasked.isEmpty { receive(unasked) }
    }

    /// A request that the store has answers to.
    private struct Request {
        var answer: @MainActor (StoreBackendEvent) -> Void
    }

    private struct Posted: Sendable {
        var commands: [@MainActor @Sendable (StoreLink) -> Void] = []
        var isBeingEmptied = false
        private var head = 0

        mutating func next() -> (@MainActor @Sendable (StoreLink) -> Void)? {
            guard head < commands.count else {
                commands = []
                head = 0
                isBeingEmptied = false
                return nil
            }
            defer { head += 1 }
            return commands[head]
        }

        init() {}
    }
}

extension StoreBackendEvent {
    /// The end of a request that the store cannot answer.
    static func failure(_ error: StoreError, of token: RequestToken) -> StoreBackendEvent {
        switch token.kind {
        case .fetch: .productFetchFailed(error, for: token)
        case .purchase, .update: .purchaseEnded(error, for: token)
        case .restore: .restoreFailed(error, for: token)
        case .receipt: .receiptRefreshed(error, for: token)
        case .entitlements: .entitlementsRead(.failure(error), for: token)
        }
    }
}
