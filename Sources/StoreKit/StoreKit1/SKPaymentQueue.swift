public import Foundation
import StoreManagerCore
import StoreSimulator

// `@unchecked Sendable` is right because an object has no state of its own; only being `open` keeps the compiler from
// seeing it.
/// The queue of payments between an app and the store.
///
/// It keeps every transaction until it is finished, and shows those that are there to each new observer. All commands are
/// asynchronous. There is one queue: each object of the class is a window to it.
open class SKPaymentQueue: NSObject, @unchecked Sendable {
    private static let shared = SKPaymentQueue()

    /// A window to the queue.
    public override init() {}

    /// The queue. It is no subclass: asked of one, the process ends.
    open class func `default`() -> Self {
        guard let queue = shared as? Self else {
            preconditionFailure("The queue is an SKPaymentQueue, and no \(self).")
        }
        return queue
    }

    /// Whether this device, and the person at it, may pay. Without a store nobody forbids it: a payment says what is missing.
    open class func canMakePayments() -> Bool { StoreLink.read { $0.store?.canMakePayments ?? true } }

    /// Who decides what the queue shall do about a transaction. Held weakly.
    open var delegate: (any SKPaymentQueueDelegate)? {
        get { StoreLink.shared.queueFace.delegate.object as? any SKPaymentQueueDelegate }
        set { StoreLink.shared.queueFace.delegate.object = newValue }
    }

    /// The storefront that is sold from.
    open var storefront: SKStorefront? {
        StoreLink.read { $0.store?.storefront }.map { SKStorefront(countryCode: $0.countryCode, identifier: $0.id) }
    }

    /// All transactions that are not finished, the oldest first.
    open var transactions: [SKPaymentTransaction] { StoreLink.shared.queueFace.transactions }

    /// All observers.
    open var transactionObservers: [any SKPaymentTransactionObserver] { StoreLink.shared.queueFace.observers }

    /// Adds a payment; the queue takes a copy.
    open func add(_ payment: SKPayment) {
        let copy = SKPayment.Content(of: payment)
        StoreLink.shared.post { $0.desk.add(copy) }
    }

    /// Adds an observer, which is held weakly, and shows it all transactions that are there. One that is there already is
    /// not added again.
    open func add(_ observer: any SKPaymentTransactionObserver) {
        guard StoreLink.shared.queueFace.add(observer) else { return }
        let newcomer = WeakObject<AnyObject>(observer)
        StoreLink.shared.post { $0.desk.welcome(newcomer) }
    }

    /// Removes an observer.
    open func remove(_ observer: any SKPaymentTransactionObserver) { StoreLink.shared.queueFace.remove(observer) }

    /// Takes a transaction from the queue, because the app has dealt with it. One that is `purchasing` cannot be finished:
    /// the process ends.
    open func finishTransaction(_ transaction: SKPaymentTransaction) {
        let state = transaction.transactionState
        precondition(state != .purchasing, "Cannot finish a transaction that is in the state purchasing.")
        StoreLink.shared.post { $0.desk.finish(transaction, seenAs: state) }
    }

    /// Asks for all that the account owns: transactions come as `restored`, then the end or the failure is told.
    open func restoreCompletedTransactions() { restoreCompletedTransactions(withApplicationUsername: nil) }

    /// Asks for all that the account owns.
    open func restoreCompletedTransactions(withApplicationUsername username: String?) {
        StoreLink.shared.post { $0.desk.restore(applicationUsername: username) }
    }

    /// Shows the sheet that asks for consent to a higher price, where the delegate had it wait.
    open func showPriceConsentIfNeeded() { StoreLink.shared.post { $0.showPriceConsent() } }

    /// Shows the sheet to redeem an offer code.
    open func presentCodeRedemptionSheet() { StoreLink.shared.post { $0.present(.offerCodeRedemption) } }

    /// Begins downloads.
    open func start(_ downloads: [SKDownload]) { perform(.start, on: downloads) }
    /// Stops downloads for now.
    open func pause(_ downloads: [SKDownload]) { perform(.pause, on: downloads) }
    /// Goes on with downloads.
    open func resume(_ downloads: [SKDownload]) { perform(.resume, on: downloads) }
    /// Gives downloads up.
    open func cancel(_ downloads: [SKDownload]) { perform(.cancel, on: downloads) }

    private func perform(_ command: StoreDownloadCommand, on downloads: [SKDownload]) {
        let values = downloads.map(\.latest)
        StoreLink.shared.post { $0.store?.perform(command, on: values) }
    }
}

extension SKPayment.Content {
    /// What a payment says, in the words of its properties, which a subclass may have overridden.
    init(of payment: SKPayment) {
        productIdentifier = payment.productIdentifier
        quantity = payment.quantity
        applicationUsername = payment.applicationUsername
        requestData = payment.requestData
        simulatesAskToBuyInSandbox = payment.simulatesAskToBuyInSandbox
        paymentDiscount = payment.paymentDiscount
        intent = payment.content.intent
    }
}
