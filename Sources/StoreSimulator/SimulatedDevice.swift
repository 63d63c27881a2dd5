public import Foundation
public import StoreManagerCore

/// A further device in a simulated store, on an account of its own or on one that it shares.
@MainActor
public final class SimulatedDevice: SimulatedBackend {
    /// The store.
    public let store: SimulatedStore
    /// The number of the device.
    public let deviceIndex: Int

    init(store: SimulatedStore, index: Int) {
        self.store = store
        deviceIndex = index
    }
}

/// A device in a simulated store, to a manager a store like any other; ``SimulatedStore`` itself is the first.
@MainActor
public protocol SimulatedBackend: StoreBackend {
    /// The store.
    var store: SimulatedStore { get }
    /// The number of the device.
    var deviceIndex: Int { get }
}

// MARK: What a test does to a device

extension SimulatedBackend {
    /// The person at the device, with the answers to the store's questions.
    public var buyer: StoreBuyer {
        get { store.engine.accounts[accountIndex].buyer }
        set { store.perform(.setBuyer(newValue, account: accountIndex)) }
    }

    /// The app's process ends, as if it was killed: it hears nothing any more, its requests are forgotten, and the next one
    /// that observes is told of all that is unfinished.
    public func relaunch() {
        store.setObserver(nil, backend: self, device: deviceIndex)
        store.perform(.relaunch(device: deviceIndex))
    }

    /// Presses "buy" on the app's page in the store.
    ///
    /// - Throws: ``SimulatorError`` where there is no such product or offer.
    public func sendPurchaseIntent(productIdentifier: String, offerID: String? = nil) throws(SimulatorError) {
        try store.attempt(.sendIntent(product: productIdentifier, offerID: offerID, device: deviceIndex))
    }

    /// All transactions of the account, the oldest first: also failed ones, those that wait for approval, and finished ones.
    public var allTransactions: [StoreTransaction] {
        let engine = store.engine
        return engine.records(of: accountIndex).flatMap { record in
            (0..<record.count).map { engine.transaction($0, of: record) }
        }
    }

    /// The account's transactions that the app has not finished, the oldest first.
    public var unfinishedTransactions: [StoreTransaction] {
        store.engine.unfinishedTransactions(of: accountIndex).compactMap { store.engine.transaction($0) }
    }

    /// What the account is entitled to now.
    public var currentEntitlements: [StoreTransaction] {
        store.engine.currentEntitlements(of: accountIndex).compactMap { store.engine.transaction($0) }
    }

    var accountIndex: Int { store.engine.devices[deviceIndex].account }
}

// MARK: What a manager asks of a device

extension SimulatedBackend {
    /// What the store can do, as ``StoreHabits/tokenCarriage`` says.
    public var capabilities: StoreBackendCapabilities {
        let carriage = store.controls.habits.tokenCarriage
        return StoreBackendCapabilities(tokenCarriage: carriage, requiresUUIDUsername: carriage == .unlessDeferred)
    }

    /// Whether the device may pay.
    public var canMakePayments: Bool { store.controls.canMakePayments }

    /// The storefront that is sold from.
    public var storefront: StoreStorefront? { store.engine.storefront }

    /// Begins to report to the observer, and forgets the requests of any earlier one.
    public func startObserving(_ observer: any StoreBackendObserver) {
        store.setObserver(observer, backend: self, device: deviceIndex)
        store.perform(.observe(device: deviceIndex))
    }

    /// Ends all reports.
    public func stopObserving() {
        store.setObserver(nil, backend: self, device: deviceIndex)
        store.perform(.stopObserving(device: deviceIndex))
    }

    /// Looks products up; unknown ones are absent.
    public func fetchProducts(withIdentifiers identifiers: [String], for token: RequestToken) {
        store.perform(.fetch(identifiers, device: deviceIndex, token: SavedToken(token)))
    }

    /// Asks the buyer for the payment.
    public func add(_ payment: StorePayment) {
        store.perform(.pay(PaymentRequest(payment), device: deviceIndex, token: SavedToken(payment.token)))
    }

    /// Lists what the account owns.
    public func restorePurchases(applicationUsername: String?, for token: RequestToken) {
        store.perform(
            .restore(applicationUsername: applicationUsername, device: deviceIndex, token: SavedToken(token)))
    }

    /// Takes a transaction off the list of what is unfinished.
    public func finish(_ transaction: StoreTransaction) {
        store.perform(.finish(transaction.id, device: deviceIndex))
    }

    /// Reads what the account is entitled to.
    public func readCurrentEntitlements(for token: RequestToken) {
        store.perform(.readEntitlements(device: deviceIndex, token: SavedToken(token)))
    }

    /// The device's receipt; nil, because nobody signs one.
    public func receiptData() -> Data? { nil }

    /// Renews the device's receipt.
    public func refreshReceipt(for token: RequestToken) {
        store.perform(.refreshReceipt(device: deviceIndex, token: SavedToken(token)))
    }

    /// Does nothing: the store hosts no content.
    public func perform(_ command: StoreDownloadCommand, on downloads: [StoreDownload]) {}
}
