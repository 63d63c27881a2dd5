public import Foundation
import StoreKit
public import StoreManagerCore

/// The App Store through StoreKit 1: a payment queue, an app receipt, and content that the store hosts.
///
/// Apple deprecated it in favour of StoreKit 2, which `StoreManager.shared` uses; it is here for apps that still need an app
/// receipt, an opaque user name or hosted downloads. What it cannot give is listed in <doc:WhatEachStoreKitGives>.
///
/// Make one at launch, with its manager, and no other: every observer of the queue is shown every transaction.
@MainActor
public final class StoreKit1Backend: StoreBackend {
    /// No tokens, one field for user name and account token, and no offer but the promotional one.
    public nonisolated let capabilities = StoreBackendCapabilities(
        tokenCarriage: .never, offers: [.promotional], listsEntitlements: false)

    /// Whether this device, and the person at it, may pay.
    public var canMakePayments: Bool { SKPaymentQueue.canMakePayments() }

    /// The storefront that is sold from.
    public var storefront: StoreStorefront? { queue.storefront.map(StoreStorefront.init) }

    let queue = SKPaymentQueue.default()
    package let clock: any StoreClock
    nonisolated let relay = Relay()

    /// What the queue has shown.
    var shown = ShownTransactions()
    /// The products that were fetched: StoreKit makes payments of them, and transactions do not tell the kind of product.
    var products: [String: SKProduct] = [:]
    /// Requests that wait for their answer. StoreKit keeps neither them nor their delegates alive.
    var requests: [RequestToken: RunningRequest] = [:]
    /// The first is under way, the others follow: the queue does not say which restore it lists for.
    var restores: [Restore] = []
    /// Purchases that somebody began in the store and that have not gone on, by the identifiers of their intents.
    var storePayments: [StorePurchaseIntent.ID: HeldPayment] = [:]
    /// How many there were.
    var storePaymentCount = 0
    /// The nonces of the offers of those that went on.
    var storeOfferNonces: Set<UUID> = []
    /// The latest transaction of each product that was paid.
    var lastPaid: [String: StoreTransaction] = [:]
    /// When products were taken back that have not been bought again since.
    var revocations: [String: Date] = [:]

    /// Answers the queue's questions; the queue holds it weakly.
    var queueDelegate: (any SKPaymentQueueDelegate)?
    /// How many events were reported, for tests that wait until there are no more.
    package private(set) var reportCount = 0

    private let receiptURL: URL?
    private weak var observer: (any StoreBackendObserver)?
    private(set) var queueObserver: QueueObserver?

    /// Makes a backend; it shows itself to the queue when a manager begins to observe it.
    ///
    /// - Parameters:
    ///   - receiptURL: Where the app receipt lies; nil: where the system says.
    ///   - clock: What time it is when StoreKit does not tell a date.
    public nonisolated init(receiptURL: URL? = nil, clock: any StoreClock = SystemStoreClock()) {
        self.receiptURL = receiptURL
        self.clock = clock
        Task { @MainActor [weak self, calls = relay.calls] in
            for await call in calls {
                if let self { call(self) }
            }
        }
    }

    deinit {
        relay.finish()
        // StoreKit does not retain its observers, and does not say that it notices when one is gone.
        if let queueObserver { SKPaymentQueue.default().remove(queueObserver) }
    }

    // MARK: Observing

    /// Begins to report to the observer, with whatever is in the queue; requests of an earlier one are given up.
    public func startObserving(_ observer: any StoreBackendObserver) {
        forgetObserver()
        let queueObserver = QueueObserver(relay: relay)
        self.observer = observer
        self.queueObserver = queueObserver
        queue.add(queueObserver)
    }

    /// Ends all reports to the observer; nothing where another has begun to observe since.
    public func stopObserving(_ observer: any StoreBackendObserver) {
        if self.observer === observer { forgetObserver() }
    }

    private func forgetObserver() {
        observer = nil
        if let queueObserver { queue.remove(queueObserver) }
        queueObserver = nil
        for request in requests.values { request.cancel() }
        requests = [:]
        restores = []
    }

    func report(_ event: StoreBackendEvent) {
        reportCount += 1
        observer?.storeBackend(self, didReport: event)
    }

    // MARK: Buying

    /// Puts a payment into the queue: the store's own where it continues one.
    public func add(_ payment: StorePayment) {
        do throws(StoreError) {
            queue.add(try queuePayment(for: payment))
        } catch {
            report(.purchaseEnded(error, for: payment.token))
        }
    }

    private func queuePayment(for payment: StorePayment) throws(StoreError) -> SKPayment {
        guard let intent = payment.intent else {
            return try SKMutablePayment(payment, product: products[payment.product.id])
        }
        guard let held = storePayments.removeValue(forKey: intent.id) else {
            throw .unsupported("going on with a purchase that went on already, or that was begun in an earlier run")
        }
        if let offer = held.payment.paymentDiscount { storeOfferNonces.insert(offer.nonce) }
        return held.payment
    }

    /// Takes a transaction, and whatever the queue shows as a copy of it, from the queue. One that is still purchasing or
    /// deferred is left alone: StoreKit ends the process of an app that finishes it.
    public func finish(_ transaction: StoreTransaction) {
        let finishable = shown.beginFinishing(transaction.id)
        for transaction in finishable { queue.finishTransaction(transaction) }
        if !shown.isInQueue(transaction.id) { report(.transactionFinished(transaction.id)) }
    }

    // MARK: The receipt and hosted content

    /// The app receipt; nil where there is none yet.
    public func receiptData() -> Data? {
        (receiptURL ?? AppReceipt.url).flatMap { try? Data(contentsOf: $0) }
    }

    /// Fails: StoreKit 1 tells what is owned only in the app receipt, which has to be verified first, and in a restore, for
    /// which the person may have to sign in.
    public func readCurrentEntitlements(for token: RequestToken) {
        report(.entitlementsRead(.failure(.unsupported("reading what is owned without a restore")), for: token))
    }

    /// Starts, pauses, resumes or cancels downloads. One whose transaction has left the queue is reported as failed.
    public func perform(_ command: StoreDownloadCommand, on downloads: [StoreDownload]) {
        var missing: [StoreDownload] = []
        for (id, downloads) in Dictionary(grouping: downloads, by: \.transactionID) {
            let content = Set(downloads.map(\.id))
            let found = shown.transactions(id).reduce(into: Set<StoreDownload.ID>()) { found, transaction in
                // Several objects may stand for one transaction; one of them is enough.
                found.formUnion(transaction.hosting.perform(command, onContent: content.subtracting(found), in: queue))
            }
            missing += downloads.filter { !found.contains($0.id) }
        }
        guard !missing.isEmpty else { return }
        report(.downloadsUpdated(missing.map { $0.failed(because: "The store's queue does not have it any more.") }))
    }

    /// Returns when everything that StoreKit has called back with so far was reported.
    package func settle() async {
        await withCheckedContinuation { continuation in relay.post { _ in continuation.resume() } }
    }
}

extension StoreBackend where Self == StoreKit1Backend {
    /// The App Store through StoreKit 1; a new backend each time.
    public nonisolated static var storeKit1: StoreKit1Backend { StoreKit1Backend() }
}

extension StoreStorefront {
    fileprivate init(_ storefront: SKStorefront) {
        self.init(id: storefront.identifier, countryCode: storefront.countryCode)
    }
}

extension StoreDownload {
    fileprivate func failed(because reason: String) -> StoreDownload {
        var download = self
        download.state = .failed
        download.failure = reason
        return download
    }
}
