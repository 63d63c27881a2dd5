import Foundation
import StoreManagerCore
import StoreSimulator

/// StoreKit 1's payment queue, as far as it deals with the store: which transactions it holds, and what becomes of them.
@MainActor
final class PaymentDesk {
    /// A transaction in the queue.
    struct Entry {
        let transaction: SKPaymentTransaction
        /// What is known of it; the object shows it from the callback on that tells of it.
        var content: SKPaymentTransaction.Content
        /// The payment's request, as long as the store has answers to it.
        var token: RequestToken?
        /// The store's identifier.
        var id: StoreTransaction.ID?
        var isBeingFinished = false
    }

    private unowned let link: StoreLink
    /// Counts what was shown.
    private var count = 0
    private var entries: [Entry] = []
    /// The payments of this process that have had an entry.
    private var entered: Set<RequestToken> = []

    init(link: StoreLink) { self.link = link }

    // MARK: Commands

    /// Puts a payment into the queue.
    func add(_ content: SKPayment.Content) {
        link.open(.purchase) { store, token in
            store.add(StorePayment(content, for: token))
        } answer: { [unowned self] event, token in
            answer(event, to: content, token)
        }
    }

    /// Asks for all that the account owns.
    func restore(applicationUsername: String?) {
        link.open(.restore) { store, token in
            store.restorePurchases(applicationUsername: applicationUsername, for: token)
        } answer: { [unowned self] event, token in
            switch event {
            case .transactionsUpdated(let updates):
                show(updates.map { apply($0, to: nil, paying: SKPayment.Content(of: $0.transaction)) })
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
    ///
    /// - Parameter state: What the app saw; one that has moved on since is not finished by it.
    func finish(_ transaction: SKPaymentTransaction, seenAs state: SKPaymentTransactionState) {
        guard let place = entries.firstIndex(where: { $0.transaction === transaction }),
            entries[place].content.state == state
        else { return }
        // The store goes on with a payment that only waits for approval.
        guard let id = entries[place].id, entries[place].content.state != .deferred, let store = link.store else {
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

    /// Shows transactions that nobody asked for, and tells of purchases that were taken back. A plan that was finished does not
    /// come again because a better one took its place.
    func receive(_ updates: [StoreTransactionUpdate]) {
        let revoked = updates.filter { $0.transaction.revocationDate != nil }.map(\.transaction.productIdentifier)
        if !revoked.isEmpty {
            tellObservers { $0.paymentQueue($1, didRevokeEntitlementsForProductIdentifiers: revoked) }
        }
        let unfinished = Set(link.store?.unfinishedTransactions.map(\.id) ?? [])
        let standing = updates.filter { update in
            let (transaction, id) = (update.transaction, update.transaction.id)
            return transaction.revocationDate == nil && (!transaction.isUpgraded || unfinished.contains(id))
        }
        show(
            standing.map { update in
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
        let all = entries.flatMap(\.content.downloads)
        let moved = downloads.compactMap { value in
            all.first { $0.latest.id == value.id && $0.latest.transactionID == value.transactionID }.map { ($0, value) }
        }
        for (download, value) in moved { download.latest = value }
        let shown = Handover(moved.map(\.0))
        if !moved.isEmpty { tellObservers { $0.paymentQueue($1, updatedDownloads: shown.value) } }
    }

    /// Whether the payments that are under way go on although the storefront changed.
    func ask(about storefront: StoreStorefront) {
        let new = SKStorefront(countryCode: storefront.countryCode, identifier: storefront.id)
        for entry in entries where entry.content.state == .purchasing {
            guard let id = entry.id else { continue }
            let transaction = entry.transaction
            link.callBack { [link] in
                let delegate = link.queueFace.delegate.object as? any SKPaymentQueueDelegate
                let goesOn = delegate?.paymentQueue(.default(), shouldContinue: transaction, in: new) ?? true
                if !goesOn { link.post { $0.refusePayment(id) } }
            }
        }
    }

    /// Forgets all transactions; those of the store's that are unfinished come again.
    func forget() {
        entries = []
        entered = []
        entriesDidChange()
    }

    /// Calls all observers.
    ///
    /// - Parameter prepare: Is done before, whether there are observers or not.
    func tellObservers(
        after prepare: @escaping @Sendable () -> Void = {},
        _ body: @escaping @Sendable (any SKPaymentTransactionObserver, SKPaymentQueue) -> Void
    ) {
        link.callBack { [face = link.queueFace, listeners = link.queueFace.listeners] in
            prepare()
            for observer in listeners.compactMap({ face.current($0) }) { body(observer, .default()) }
        }
    }

    // MARK: Helpers

    private func answer(_ event: StoreBackendEvent, to content: SKPayment.Content, _ token: RequestToken) {
        var place: Int? { entries.firstIndex { $0.token == token && !$0.isBeingFinished } }
        switch event {
        case .transactionsUpdated(let updates):
            if updates.first?.transaction.state != .purchasing { showPurchasing(content, token) }
            show(updates.map { apply($0, to: place, paying: content, token: token) })
        case .purchaseDeferred:
            showPurchasing(content, token)
            let place = place ?? enter(paying: content, token: token)
            entries[place].content.state = .deferred
            show([place])
        case .purchaseEnded(let error, _):
            link.close(token)
            guard isOpen(token) else { break }
            showPurchasing(content, token)
            let place = place ?? enter(paying: content, token: token)
            entries[place].content.state = .failed
            entries[place].content.error = error?.storeKit1Error
            show([place])
        default: break
        }
    }

    /// Whether a payment has yet to be answered. One that was keeps its request until it is finished.
    private func isOpen(_ token: RequestToken) -> Bool {
        guard let entry = entries.first(where: { $0.token == token }) else { return true }
        return entry.content.state == .purchasing || entry.content.state == .deferred
    }

    /// A payment is purchasing before anything else, also where the store has its answer at once.
    private func showPurchasing(_ content: SKPayment.Content, _ token: RequestToken) {
        if !entered.contains(token) { show([enter(paying: content, token: token)]) }
    }

    /// Brings an entry, or a new one, to the newest word of the store; returns its place.
    private func apply(
        _ update: StoreTransactionUpdate, to known: Int?, paying payment: SKPayment.Content, token: RequestToken? = nil
    ) -> Int {
        let transaction = update.transaction
        let place = known ?? enter(paying: payment, token: token)
        entries[place].id = transaction.id
        var content = entries[place].content
        content.state = SKPaymentTransactionState(transaction.state)
        content.error = transaction.state == .failed ? update.error?.storeKit1Error : nil
        if transaction.isPaid {
            content.identifier = transaction.id
            content.date = transaction.purchaseDate
            // A plan change that waits for the renewal is answered with what is held until then.
            if content.payment.productIdentifier != transaction.productIdentifier {
                content.payment = SKPayment(SKPayment.Content(of: transaction))
            }
            if transaction.state == .restored { content.original = SKPaymentTransaction(original: transaction) }
        }
        if content.downloads.isEmpty {
            content.downloads = transaction.downloads.map { SKDownload($0, of: entries[place].transaction) }
        }
        entries[place].content = content
        return place
    }

    /// Makes an entry that is purchasing; returns its place.
    private func enter(paying payment: SKPayment.Content, token: RequestToken?) -> Int {
        var content = SKPaymentTransaction.Content()
        content.payment = SKPayment(payment)
        if let token { entered.insert(token) }
        entries.append(Entry(transaction: SKPaymentTransaction(content), content: content, token: token))
        entriesDidChange()
        return entries.count - 1
    }

    /// Calls all observers with the entries at some places, and lets the objects show what is known from that call on.
    private func show(_ places: [Int]) {
        guard !places.isEmpty else { return }
        count += 1
        let transactions = places.map { entries[$0].transaction }
        let news = Handover((number: count, contents: places.map { entries[$0].content }))
        tellObservers {
            for (transaction, content) in zip(transactions, news.value.contents) {
                transaction.show(content, number: news.value.number)
            }
        } _: {
            $0.paymentQueue($1, updatedTransactions: transactions)
        }
    }

    private func entriesDidChange() { link.queueFace.transactions = entries.map(\.transaction) }

    private func remove(_ isGone: (Entry) -> Bool) {
        let gone = entries.filter(isGone)
        guard !gone.isEmpty else { return }
        entries.removeAll(where: isGone)
        entriesDidChange()
        // What waits for approval is still to be answered.
        for entry in gone where entry.content.state != .deferred { entry.token.map(link.close) }
        let transactions = gone.map(\.transaction)
        tellObservers { $0.paymentQueue($1, removedTransactions: transactions) }
    }
}

// `@unchecked Sendable` is right because what is handed over is read there alone, and what it holds does not change: payments
// are copies that nobody else had, and an SKDownload guards itself by a lock.
/// Something that is not Sendable on its way to the queue of callbacks.
private struct Handover<Value>: @unchecked Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
}
