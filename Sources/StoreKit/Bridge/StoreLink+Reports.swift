import Foundation
import StoreManagerCore
import StoreSimulator

// What the store says without having been asked.
extension StoreLink {
    /// Transactions that nobody asked for: StoreKit 1's queue shows them, StoreKit 2's listeners hear of those that were paid.
    func receive(_ updates: [StoreTransactionUpdate]) {
        desk.receive(updates)
        for update in updates where update.transaction.isPaid { tellListeners(of: update.transaction) }
    }

    /// Tells StoreKit 2's listeners of a transaction.
    func tellListeners(of transaction: StoreTransaction) {
        if transactionUpdates.hasListeners { transactionUpdates.send(signed(transaction)) }
    }

    /// A transaction is off the store's list.
    func transactionWasFinished(_ id: StoreTransaction.ID) {
        desk.transactionsWereFinished([id])
        for waiter in finishWaiters.removeValue(forKey: id) ?? [] { waiter() }
    }

    /// Another component of the app took transactions from the store's list.
    func transactionsWereRemoved(_ ids: [StoreTransaction.ID]) {
        desk.transactionsWereFinished(Set(ids))
        for (token, purchase) in purchases where purchase.paymentID.map(ids.contains) == true {
            closePurchase(token)
            _ = purchase.end(.failure(.transactionRemoved))
        }
    }

    /// The store is another country's now.
    func storefrontDidChange(_ storefront: StoreStorefront?) {
        desk.tellObservers { $0.paymentQueueDidChangeStorefront($1) }
        guard let storefront else { return }
        let new = Storefront(storefront)
        storefrontUpdates.send(new)
        desk.ask(about: storefront)
        for purchase in purchases.values {
            guard let id = purchase.paymentID, let shouldContinue = purchase.shouldContinue else { continue }
            if !shouldContinue(new) { refusePayment(id) }
        }
    }

    /// Ends a payment that is under way, because the product is not sold in the new storefront.
    func refusePayment(_ id: StoreTransaction.ID) {
        // One that was answered meanwhile stands.
        try? store?.answerOpenPayment(identifier: id, with: .decline(.generic(.notAvailableInStorefront)))
    }

    // MARK: Purchases begun in the store

    /// Somebody pressed "buy" on the app's page in the store: whoever listens takes it, StoreKit 2 first.
    func receive(_ intent: StorePurchaseIntent) {
        waitingIntents.append(intent)
        offerWaitingIntents()
    }

    /// Offers what was begun in the store to whoever is there now.
    func offerWaitingIntents() {
        guard intents.hasListeners || !queueFace.listeners.isEmpty else { return }
        let waiting = waitingIntents
        waitingIntents = []
        for intent in waiting {
            if intents.hasListeners { intents.send(PurchaseIntent(intent)) } else { ask(observersAbout: intent) }
        }
    }

    /// Tells a listener what was begun in the store, and what is begun from now on.
    func addIntentListener(_ feed: Feed<PurchaseIntent>) {
        // Asking for the store connects it, where nobody has yet.
        _ = store
        intents.add(feed)
        offerWaitingIntents()
    }

    private func ask(observersAbout intent: StorePurchaseIntent) {
        var content = SKPayment.Content()
        content.productIdentifier = intent.product.id
        content.intent = intent
        let product = SKProduct(intent.product, hosting: store?.hostedContent[intent.product.id] ?? [])
        callBack { [self, content] in
            // Everybody is asked, as everybody may want to keep the payment for later.
            let answers = queueFace.observers.map {
                $0.paymentQueue(.default(), shouldAddStorePayment: SKPayment(content), for: product)
            }
            if answers.contains(true) { post { $0.desk.add(content) } }
        }
    }

    // MARK: Sheets and messages

    /// The store wants consent to a higher price: the app says when.
    func priceConsentRequested() {
        messages.send(Message(reason: .priceIncreaseConsent))
        hasWaitingPriceConsent = true
        callBack { [self] in
            let delegate = queueFace.delegate.object as? any SKPaymentQueueDelegate
            if delegate?.paymentQueueShouldShowPriceConsent(.default()) ?? true { post { $0.showPriceConsent() } }
        }
    }

    /// Shows the sheet that asks for consent to a higher price, where one waits.
    func showPriceConsent() {
        guard hasWaitingPriceConsent else { return }
        hasWaitingPriceConsent = false
        present(.priceConsent)
    }

    /// Shows a sheet. There is no screen, so that it is only noted.
    func present(_ sheet: PresentedSheet) { presentedSheets.append(sheet) }
}
