public import Foundation

/// Buys, restores and delivers in-app purchases, and sees to it that each request gets its own answer, once.
///
/// Every fetch, purchase and restore has its own closures, its own delegate, or is awaited; ``RequestToken`` names it. What
/// nobody asked for (renewals, approved purchases, what an earlier run left behind) goes to the default receiver,
/// ``defaultDelegate`` or ``defaultHandlers``, and waits, unfinished, until there is one. So make a manager at launch, and set
/// the default receiver soon after.
///
/// A purchase is verified, written to the ledger, downloaded, handed over and finished, in this order. All handlers are called
/// on the main actor, never before the call that registered them has returned.
@MainActor
public final class StoreManager {
    /// Who finishes what was handed over.
    public enum FinishingPolicy: String, Hashable, Sendable, CaseIterable {
        /// The manager, as soon as the receiver returned.
        case automatic
        /// The app, by ``StoreManager/finish(_:)``.
        case manual
    }

    // MARK: What an app sets

    /// Who is asked whether a purchase is genuine, where the request has no verify handler. Nil: it counts as valid.
    public var verifier: (any TransactionVerifier)? {
        didSet { verifierTable.forgetVerdicts() }
    }

    /// Where purchases are written down. Set it before the first transaction arrives, in the same turn that makes the manager.
    public var persistence: (any TransactionPersistence)?

    /// Fetches what belongs to a purchase from the app's own server. Nil: there is nothing to fetch.
    public var contentDownloader: (any ContentDownloader)?

    /// Receives what no live request owns. Held weakly; goes before ``defaultHandlers``.
    public weak var defaultDelegate: (any PurchaseDelegate)? {
        didSet { receiverAppeared() }
    }

    /// Receives what no live request owns.
    public var defaultHandlers: PurchaseHandlers? {
        didSet { receiverAppeared() }
    }

    /// How long a verdict may take before it counts as could-not-tell, in seconds.
    public var verificationTimeout: TimeInterval = 60

    /// How long the store may take to answer a fetch, in seconds.
    public var productFetchTimeout: TimeInterval = 30

    /// How long the store may say nothing to a restore before that fails with `.timedOut`, in seconds. It may be asking the
    /// person to sign in all the while. What it lists after that goes to the default receiver.
    public var restoreTimeout: TimeInterval = 300

    /// Who finishes what was handed over.
    public let finishing: FinishingPolicy

    /// Closures that see the store's queue as it comes.
    public var queueHandlers = StoreQueueHandlers()

    /// Where events are posted as notifications.
    public var notificationCenter = NotificationCenter.default

    // MARK: What an app asks

    /// Whether this device, and the person at it, may pay. Fetching works in any case.
    public var canMakePayments: Bool { backend.canMakePayments }

    /// The storefront that is sold from, where it is known.
    public var storefront: StoreStorefront? { backend.storefront }

    /// Everything that happens, for any number of readers on any thread. Each call gives a stream of its own, which has all
    /// events from then on. Reading takes nothing away and finishes nothing.
    public nonisolated var events: AsyncStream<StoreEvent> { hub.makeStream() }

    /// Whether the request still waits for its end. A deferred purchase does.
    public func isPending(_ token: RequestToken) -> Bool {
        purchases[token] != nil || fetchRequests[token] != nil || restores.isPending(token)
    }

    /// Detaches a request's handlers, so that none is called any more. A payment goes on, and its transaction goes to the
    /// default receiver; callers who share a fetch or a restore are unaffected. One that has ended is not asked any more whether
    /// its transaction is genuine.
    public func cancel(_ token: RequestToken) {
        switch token.kind {
        case .purchase: detachPurchase(token)
        case .fetch: detachFetch(token)
        case .restore: detachRestore(token)
        case .update, .receipt, .entitlements: break
        }
    }

    // MARK: What the manager is made of

    package let backend: any StoreBackend
    let clock: any StoreClock
    nonisolated let inbox = Inbox()
    nonisolated let questions = OpenQuestions()
    nonisolated let hub = EventHub()

    var cache = ProductCache()
    var fetches = FetchTable()
    var fetchRequests: [RequestToken: FetchRequest] = [:]
    var purchases: [RequestToken: PurchaseReceiver] = [:]
    var transactions = TransactionTable()
    var restores = RestoreTable()
    var gate = FinishGate()
    var latecomers: [StoreTransaction.ID: [StoreTransactionUpdate]] = [:]
    /// What left the store's queue while a word of it was waiting to be looked at.
    var removed: Set<StoreTransaction.ID> = []
    var overtakers: [Overtaker] = []
    /// The purchases that the store has not answered, where its answer may be overtaken.
    var unanswered = DeferredPairing()
    var queuePairing = QueuePairing()
    var deferredPairing = DeferredPairing()
    var storeTime = StoreTime()
    var timers = TimerTable()
    /// Sleeps until the first timer is due.
    var alarm: (deadline: Date, task: Task<Void, Never>)?
    /// What a delegate that is being asked to verify, in this very call, passes on to the verifier; nil outside such a call.
    var passedOn: Set<StoreTransaction.ID>?
    /// Purchases that were begun in the store, as long as nobody is there to hear of them.
    var heldIntents: [StorePurchaseIntent] = []
    /// All that the store has told of in this run: it may repeat itself.
    var knownIntents: Set<StorePurchaseIntent.ID> = []
    var contentDownloads = ContentDownloadTable()
    var downloads = DownloadTable()
    var observers: [WeakObserver] = []
    var receiptReplies: [Reply<Void>] = []
    var entitlementReplies: [RequestToken: Reply<[StoreTransaction]>] = [:]
    var entitlementReadings: [RequestToken: EntitlementReading] = [:]
    var verifierTable = VerifierTable()
    /// What waits for the ledger.
    var errands: [LedgerErrand] = []
    /// What interrupted purchases were started with, where there is no ledger to keep it.
    var interrupted = Ledger()
    /// Whether somebody is with the ledger.
    var isVisitingLedger = false
    var runningEffects = 0
    var settleWaiters: [CheckedContinuation<Void, Never>] = []
    /// Called before and after every effect: a test looks there what would be left if the process ended in this instant.
    package var effectProbe: (@MainActor (TransactionLifecycle.Effect, EffectMoment) -> Void)?

    private var listener: StoreListener?
    private var lastTokenNumber: UInt64 = 0

    /// Makes a manager over a store, and begins to observe it in a turn of the main actor soon after.
    public nonisolated init(
        backend: any StoreBackend, clock: any StoreClock = SystemStoreClock(), finishing: FinishingPolicy = .automatic
    ) {
        self.backend = backend
        self.clock = clock
        self.finishing = finishing
        Task { @MainActor [weak self] in self?.startObserving() }
    }

    deinit {
        hub.finish()
        alarm?.task.cancel()
        contentDownloads.cancelAll()
        if let listener { Task { @MainActor in listener.stop() } }
    }

    /// Begins to hear from the store; every command does it first, so that nothing the store answers is missed.
    package func startObserving() {
        guard listener == nil else { return }
        listener = StoreListener(for: self, to: backend)
        post(
            .perform { manager in
                guard manager.persistence != nil else { return }
                manager.strikeOutStalePurchases()
                if manager.backend.capabilities.listsEntitlements { manager.readEntitlements() }
            })
    }

    func makeToken(_ kind: RequestToken.Kind) -> RequestToken {
        lastTokenNumber += 1
        return RequestToken(kind: kind, number: lastTokenNumber)
    }
}
