import Foundation
import StoreKit
import StoreManagerCore

// What the queue says, in the words of the package.
extension StoreKit1Backend {
    /// The queue shows transactions: new ones, and such whose state has changed.
    func receive(_ seen: [SeenTransaction]) {
        let restore = restores.first?.token
        var copies: [SKPaymentTransaction] = []
        let updates = seen.map { seen in
            let entry = shown.show(seen, isInQueue: queue.transactions.contains { $0 === seen.object })
            if shown.isFinishedCopy(entry) { copies.append(entry.object) }
            let transaction = seen.transaction(
                id: entry.id, product: products[seen.payment.productIdentifier], now: clock.now)
            if seen.isPaid { note(paid: transaction) }
            // What answers a payment is that payment's, even where it was owned already.
            let token = seen.state == .restored && !entry.wasPurchasing ? restore : nil
            return StoreTransactionUpdate(
                transaction, token: token, error: seen.error,
                queued: StoreQueuedPayment(handle: entry.handle, fingerprint: fingerprint(of: seen.payment)))
        }
        if !updates.isEmpty { report(.transactionsUpdated(updates)) }
        for copy in copies { queue.finishTransaction(copy) }
    }

    private func note(paid transaction: StoreTransaction) {
        lastPaid[transaction.productIdentifier] = transaction
        revocations[transaction.productIdentifier] = nil
    }

    /// What tells a payment from others, as the manager counts: one that continues a payment of the store's asked for no offer
    /// of its own.
    private func fingerprint(of payment: SeenPayment) -> StorePayment.Fingerprint {
        let isHeld = payment.offerNonce.map(storeOfferNonces.contains) == true
        return StorePayment.Fingerprint(
            productIdentifier: payment.productIdentifier, quantity: payment.quantity,
            applicationUsername: payment.applicationUsername, offerID: isHeld ? nil : payment.offerID)
    }

    /// Transactions have left the queue, because they were finished from here or elsewhere.
    func receiveRemoval(of transactions: [SKPaymentTransaction]) {
        var removed: [StoreTransaction.ID] = []
        for transaction in transactions {
            switch shown.remove(transaction) {
            case .finished(let id): report(.transactionFinished(id))
            case .removedByOthers(let id): removed.append(id)
            case nil: break
            }
        }
        if !removed.isEmpty { report(.transactionsRemoved(removed)) }
    }

    /// Products were taken back. StoreKit 1 tells neither which purchases of them, nor when.
    func receiveRevocation(of productIdentifiers: [String]) {
        let updates = productIdentifiers.map { identifier in
            let date = revocations[identifier] ?? clock.now
            revocations[identifier] = date
            var transaction =
                lastPaid[identifier]
                ?? StoreTransaction(
                    id: "revoked-\(identifier)", productIdentifier: identifier, state: .purchased, purchaseDate: date)
            transaction.originalID = ""
            transaction.revocationDate = date
            return StoreTransactionUpdate(transaction)
        }
        report(.transactionsUpdated(updates))
    }

    /// The store is another country's now: products and prices are others.
    func receiveStorefront() {
        products = [:]
        report(.storefrontChanged(storefront))
    }

    // MARK: Purchases that were begun in the store

    /// Somebody began to buy in the store: the payment is kept, for the app to go on with whenever it likes.
    func receive(_ held: HeldPayment) {
        storePaymentCount += 1
        let id = "store-payment-\(storePaymentCount)"
        let product = held.product
        storePayments[id] = held
        products[product.productIdentifier] = product
        let sold = StoreProduct(product)
        let offerID = held.payment.paymentDiscount?.identifier
        let offer = sold.subscription?.promotionalOffers.first { offerID != nil && $0.id == offerID }
        report(.purchaseIntent(StorePurchaseIntent(id: id, product: sold, offer: offer)))
    }
}
