import Foundation
import StoreManagerCore
import StoreSimulator

/// StoreKit 1's payment queue, as far as it deals with the store: which transactions it holds, and what becomes of them.
@MainActor
final class PaymentDesk {
    /// A transaction in the queue.
    struct Entry {
        let transaction: SKPaymentTransaction
        /// The payment's request, as long as the store has answers to it.
        var token: RequestToken?
        /// The store's identifier.
        var id: StoreTransaction.ID?
        var isBeingFinished = false
    }

    private unowned let link: StoreLink
    private(set) var entries: [Entry] = [] {
        didSet { link.queueFace.transactions = entries.map(\.transaction) }
    }

    init(link: StoreLink) { self.link = link }

    // MARK: Commands

    /// Puts a payment into the queue.
    func add(_ content: SKPayment.Content) {
        link.open(.purchase, needsEnd: false) { store, token in
            store.add(StorePayment(content, for: token))
        } answer: { [unowned self] event, token in
            answer(event, to: content, token)
        }
    }

    /// Asks for all that the account owns.
    func restore(applicationUsername: String?) {
        link.open(.restore, needsEnd: false) { store, token in
            store.restorePurchases(applicationUsername: applicationUsername, for: token)
        } answer: { [unowned self] event, token in
            switch event {
            case .transactionsUpdated(let updates): show(updates.map { restored($0) })
            case .restoreFinished:
                link.close(token)
                tellObservers { $0.paymentQueueRestoreCompletedTransactionsFinished($1) }
            case .restoreFailed(let error, _):
                link.close(token)
                let error = error.storeKit1Error
                tellObservers { $0.paymentQueue($1, restoreCompletedTransactionsFailedWithError: error) }
            default: break
            }
        }
    }

    /// Takes a transaction from the queue. It is gone when the store has heard of it.
    func finish(_ transaction: SKPaymentTransaction) {
        guard let place = entries.firstIndex(where: { $0.transaction === transaction }) else { return }
        // The store goes on with a payment that only waits for approval.
        guard let id = entries[place].id, transaction.transactionState != .deferred, let store = link.store else {
            return remove { $0.transaction === transaction }
        }
        entries[place].isBeingFinished = true
        store.finish(StoreTransaction(finishing: id))
    }

    /// Shows a new observer all that is in the queue.
    func welcome(_ newcomer: WeakObject<AnyObject>) {
        // Asking for the store connects it, where nobody has yet.
        _ = link.store
        link.queueFace.bringUpToDate(newcomer)
        let transactions = entries.map(\.transaction)
        if !transactions.isEmpty {
            link.callBack { [face = link.queueFace] in
                face.current(newcomer)?.paymentQueue(.default(), updatedTransactions: transactions)
            }
        }
        link.offerWaitingIntents()
    }

    // MARK: What the store says

    /// Shows transactions that nobody asked for, and tells of purchases that were taken back.
    func receive(_ updates: [StoreTransactionUpdate]) {
        let revoked = updates.filter { $0.transaction.revocationDate != nil }.map(\.transaction.productIdentifier)
        if !revoked.isEmpty {
            tellObservers { $0.paymentQueue($1, didRevokeEntitlementsForProductIdentifiers: revoked) }
        }
        show(
            updates.filter { $0.transaction.revocationDate == nil }.map { update in
                let known = entries.firstIndex { $0.id == update.transaction.id && !$0.isBeingFinished }
                return apply(update, to: known, paying: SKPayment.Content(of: update.transaction))
            })
    }

    /// The store no longer keeps these transactions: they were finished, here or elsewhere.
    func transactionsWereFinished(_ ids: Set<StoreTransaction.ID>) {
        let isAnyAwaited = entries.contains { $0.isBeingFinished && $0.id.map(ids.contains) == true }
        remove { $0.id.map(ids.contains) == true && ($0.isBeingFinished || !isAnyAwaited) }
    }

    /// Downloads moved on.
    func update(_ downloads: [StoreDownload]) {
        let all = entries.flatMap(\.transaction.downloads)
        let moved = downloads.compactMap { value in
            all.first { $0.latest.id == value.id && $0.latest.transactionID == value.transactionID }.map { ($0, value) }
        }
        for (download, value) in moved { download.latest = value }
        let shown = CallbackArgument(moved.map(\.0))
        if !moved.isEmpty { tellObservers { $0.paymentQueue($1, updatedDownloads: shown.value) } }
    }

    /// Whether the payments that are under way go on although the storefront changed.
    func ask(about storefront: StoreStorefront) {
        let new = SKStorefront(countryCode: storefront.countryCode, identifier: storefront.id)
        for entry in entries where entry.transaction.transactionState == .purchasing {
            guard let id = entry.id else { continue }
            link.callBack { [link] in
                let delegate = link.queueFace.delegate.object as? any SKPaymentQueueDelegate
                let goesOn = delegate?.paymentQueue(.default(), shouldContinue: entry.transaction, in: new) ?? true
                if !goesOn { link.post { $0.refusePayment(id) } }
            }
        }
    }

    /// Forgets all transactions; those of the store's that are unfinished come again.
    func forget() { entries = [] }

    /// Calls all observers.
    func tellObservers(
        _ body: @escaping @Sendable (any SKPaymentTransactionObserver, SKPaymentQueue) -> Void
    ) {
        link.callBack { [face = link.queueFace, listeners = link.queueFace.listeners] in
            for observer in listeners.compactMap({ face.current($0) }) { body(observer, .default()) }
        }
    }

    // MARK: Helpers

    private func answer(_ event: StoreBackendEvent, to content: SKPayment.Content, _ token: RequestToken) {
        var place: Int? { entries.firstIndex { $0.token == token && !$0.isBeingFinished } }
        switch event {
        case .transactionsUpdated(let updates):
            show(updates.map { apply($0, to: place, paying: content, token: token) })
        case .purchaseDeferred:
            show([change(place, paying: content, token: token) { $0.state = .deferred }])
        case .purchaseEnded(let error, _):
            link.close(token)
            let entry = change(place, paying: content, token: token) {
                $0.state = .failed
                $0.error = error?.storeKit1Error
            }
            show([entry])
        default: break
        }
    }

    /// Brings an entry, or a new one, to the newest word of the store.
    private func apply(
        _ update: StoreTransactionUpdate, to place: Int?, paying content: SKPayment.Content, token: RequestToken? = nil
    ) -> SKPaymentTransaction {
        let transaction = update.transaction
        let changed = change(place, paying: content, token: token) { content in
            content.state = SKPaymentTransactionState(transaction.state)
            content.error = transaction.state == .failed ? update.error?.storeKit1Error : nil
            guard transaction.isPaid else { return }
            content.identifier = transaction.id
            content.date = transaction.purchaseDate
            if content.payment.productIdentifier != transaction.productIdentifier {
                // A plan change that waits for the renewal is answered with what is held until then.
                content.payment = SKPayment(SKPayment.Content(of: transaction))
            }
            if transaction.state == .restored { content.original = SKPaymentTransaction(original: transaction) }
        }
        if let place = entries.firstIndex(where: { $0.transaction === changed }) { entries[place].id = transaction.id }
        addDownloads(of: transaction, to: changed)
        return changed
    }

    /// Puts a copy of something that is owned into the queue.
    private func restored(_ update: StoreTransactionUpdate) -> SKPaymentTransaction {
        apply(update, to: nil, paying: SKPayment.Content(of: update.transaction))
    }

    /// Changes an entry, or makes one that is purchasing and changes that.
    private func change(
        _ place: Int?, paying content: SKPayment.Content, token: RequestToken?,
        _ body: (inout SKPaymentTransaction.Content) -> Void
    ) -> SKPaymentTransaction {
        let place = place ?? entries.count
        if place == entries.count {
            var new = SKPaymentTransaction.Content()
            new.payment = SKPayment(content)
            entries.append(Entry(transaction: SKPaymentTransaction(new), token: token))
        }
        entries[place].transaction.change(body)
        return entries[place].transaction
    }

    private func addDownloads(of value: StoreTransaction, to transaction: SKPaymentTransaction) {
        guard transaction.downloads.isEmpty, !value.downloads.isEmpty else { return }
        let downloads = value.downloads.map { SKDownload($0, of: transaction) }
        transaction.change { $0.downloads = downloads }
    }

    private func show(_ transactions: [SKPaymentTransaction]) {
        guard !transactions.isEmpty else { return }
        tellObservers { $0.paymentQueue($1, updatedTransactions: transactions) }
    }

    private func remove(_ isGone: (Entry) -> Bool) {
        let gone = entries.filter(isGone)
        guard !gone.isEmpty else { return }
        entries.removeAll(where: isGone)
        // What waits for approval is still to be answered.
        for entry in gone where entry.transaction.transactionState != .deferred { entry.token.map(link.close) }
        let transactions = gone.map(\.transaction)
        tellObservers { $0.paymentQueue($1, removedTransactions: transactions) }
    }
}

// `@unchecked Sendable` is right because it holds SKDownloads alone, which guard themselves by a lock.
/// Something that is not Sendable on its way to the queue of callbacks.
private struct CallbackArgument: @unchecked Sendable {
    let value: [SKDownload]
    init(_ value: [SKDownload]) { self.value = value }
}
