import Foundation
package import StoreManagerCore

extension StorePayment {
    /// The payment in the words of the package.
    init(_ content: SKPayment.Content, for token: RequestToken) {
        var options = PurchaseOptions(
            quantity: content.quantity, applicationUsername: content.applicationUsername,
            simulatesAskToBuyInSandbox: content.simulatesAskToBuyInSandbox)
        options.offer = content.paymentDiscount.map { discount in
            .promotional(
                PromotionalOfferSignature(
                    offerID: discount.identifier, keyID: discount.keyIdentifier, nonce: discount.nonce,
                    signature: discount.signature, timestamp: discount.timestamp.intValue))
        }
        // The store looks the product up by its identifier.
        let product = StoreProduct(id: content.productIdentifier, type: .unknown, price: 0)
        self.init(token: token, product: product, options: options, intent: content.intent)
    }
}

extension SKPayment.Content {
    /// The payment that a transaction of the store's was made with.
    init(of transaction: StoreTransaction) {
        productIdentifier = transaction.productIdentifier
        quantity = transaction.quantity
        applicationUsername = transaction.applicationUsername
    }
}

extension SKPaymentTransactionState {
    /// The state in StoreKit's words, which has none for a plan change that waits for the renewal.
    package init(_ state: StoreTransactionState) {
        switch state {
        case .purchasing: self = .purchasing
        case .deferred: self = .deferred
        case .purchased, .scheduled: self = .purchased
        case .restored: self = .restored
        case .failed: self = .failed
        }
    }
}

extension SKPaymentTransaction {
    /// The purchase that a restored transaction restores.
    convenience init(original transaction: StoreTransaction) {
        var content = Content()
        content.state = .purchased
        content.identifier = transaction.originalID
        content.date = transaction.originalPurchaseDate
        content.payment = SKPayment(SKPayment.Content(of: transaction))
        self.init(content)
    }
}

extension StoreTransaction {
    /// What is enough of a transaction to finish it.
    init(finishing id: ID) {
        self.init(id: id, productIdentifier: "", state: .purchased, purchaseDate: .distantPast)
    }

    /// Whether it is a purchase that somebody paid for.
    var isPaid: Bool {
        switch state {
        case .purchased, .restored, .scheduled: true
        case .purchasing, .deferred, .failed: false
        }
    }
}
