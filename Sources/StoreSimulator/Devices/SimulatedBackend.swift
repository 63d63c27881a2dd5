public import Foundation
public import StoreManagerCore

/// A device in a simulated store, to a manager a store like any other. ``SimulatedStore`` itself is the first, and
/// ``SimulatedDevice`` every further one.
///
/// What is done to an account (buying outside the app, refunds, families) is done through any of its devices.
@MainActor
public protocol SimulatedBackend: StoreBackend {
    /// The store.
    var store: SimulatedStore { get }
    /// The number of the device in its store.
    var deviceIndex: Int { get }
}

extension SimulatedBackend {
    /// What the store can do, as ``StoreHabits/tokenCarriage`` says.
    public var capabilities: StoreBackendCapabilities {
        let carriage = store.controls.habits.tokenCarriage
        // StoreKit 1 knows no offer but the promotional one.
        return StoreBackendCapabilities(
            tokenCarriage: carriage, requiresUUIDUsername: carriage == .unlessDeferred,
            offers: carriage == .never ? [.promotional] : Set(StoreBackendCapabilities.OfferKind.allCases))
    }

    /// Whether the device may pay.
    public var canMakePayments: Bool { store.controls.canMakePayments }

    /// The storefront that is sold from.
    public var storefront: StoreStorefront? { store.engine.storefront }

    /// Begins to report to the observer, as a new process of the app: requests of an earlier one are forgotten, and what is
    /// unfinished is reported.
    public func startObserving(_ observer: any StoreBackendObserver) {
        store.startObserving(observer, on: self)
    }

    /// Ends all reports to the observer; does nothing where another has begun to observe since.
    public func stopObserving(_ observer: any StoreBackendObserver) {
        guard store.isReporting(to: observer, on: self) else { return }
        store.stopReporting(to: self)
        store.command(.stopObserving(device: deviceIndex), from: self)
    }

    /// Looks products up; unknown ones are absent.
    public func fetchProducts(withIdentifiers identifiers: [String], for token: RequestToken) {
        let identifiers = readsNothing ? [] : identifiers
        store.command(.fetch(identifiers, device: deviceIndex, token: SavedToken(token)), from: self)
    }

    /// Asks the buyer for the payment.
    public func add(_ payment: StorePayment) {
        var request = PaymentRequest(payment)
        if let offer = payment.options.offer {
            request.isOfferGenuine = store.signer?.trusts(offer, in: payment) ?? true
        }
        store.command(.pay(request, device: deviceIndex, token: SavedToken(payment.token)), from: self)
    }

    /// Lists what the account owns.
    public func restorePurchases(applicationUsername: String?, for token: RequestToken) {
        store.command(
            .restore(applicationUsername: applicationUsername, device: deviceIndex, token: SavedToken(token)),
            from: self)
    }

    /// Takes a transaction off the list of what is unfinished.
    public func finish(_ transaction: StoreTransaction) {
        store.command(.finish(transaction.id, device: deviceIndex), from: self)
    }

    /// Reads what the account is entitled to.
    public func readCurrentEntitlements(for token: RequestToken) {
        store.command(
            .readEntitlements(device: deviceIndex, token: SavedToken(token), isAnswered: !readsNothing), from: self)
    }

    /// The device's receipt; nil where the store has no ``SimulatedStore/signer``.
    public func receiptData() -> Data? {
        let paid = allTransactions.map(\.transaction).filter { $0.state == .purchased || $0.state == .restored }
        return store.signer?.receipt(of: paid, at: store.clock.now)
    }

    /// Renews the device's receipt.
    public func refreshReceipt(for token: RequestToken) {
        store.command(.refreshReceipt(device: deviceIndex, token: SavedToken(token)), from: self)
    }

    /// Starts, pauses, resumes or cancels downloads of ``StoreControls/hostedContent``.
    public func perform(_ command: StoreDownloadCommand, on downloads: [StoreDownload]) {
        let keys = downloads.compactMap { download in
            UInt64(download.transactionID).map { DownloadKey(transaction: $0, content: download.id) }
        }
        store.command(.download(command, keys, device: deviceIndex), from: self)
    }
}
