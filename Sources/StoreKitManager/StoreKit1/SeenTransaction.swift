import Foundation
import StoreKit
import StoreManagerCore

/// A transaction of the queue as it was when StoreKit called: the object goes on to change.
struct SeenTransaction: Sendable {
    /// The object, by which the transaction is known as long as the process lives.
    let object: SKPaymentTransaction
    let state: StoreTransactionState
    let payment: SeenPayment
    let error: StoreError?
    let downloads: [StoreDownload]
    /// The store's identifier and date, and those of the purchase that it restores; StoreKit says nothing of use about them
    /// unless the transaction is paid.
    private let identifier: String?
    private let date: Date?
    private let original: (identifier: String?, date: Date?)?

    /// Looks at a transaction. Nil: it is in a state that this version does not know, of which nothing can be said.
    init?(_ transaction: SKPaymentTransaction) {
        guard let state = StoreTransactionState(transaction.transactionState) else { return nil }
        let isPaid = state == .purchased || state == .restored
        object = transaction
        self.state = state
        payment = SeenPayment(transaction.payment)
        error = state == .failed ? transaction.error.map { StoreError(storeKit1: $0) } : nil
        downloads = isPaid ? transaction.hosting.hostedContent : []
        identifier = isPaid ? transaction.transactionIdentifier : nil
        date = isPaid ? transaction.transactionDate : nil
        original =
            state == .restored ? transaction.original.map { ($0.transactionIdentifier, $0.transactionDate) } : nil
    }

    /// Whether somebody paid for it, now or earlier.
    var isPaid: Bool { state == .purchased || state == .restored }

    /// What identifies it.
    ///
    /// - Parameter handle: What identifies its object in this process.
    func id(handle: UInt64) -> StoreTransaction.ID {
        if let identifier { return identifier }
        guard isPaid else { return "queue-\(handle)" }
        // A paid transaction has its identifier. Should one ever lack it, it must not be taken for one that an earlier run wrote
        // into the ledger.
        return "unidentified-\(payment.productIdentifier)-\(date?.timeIntervalSince1970 ?? 0)"
    }

    /// The transaction in the words of the package.
    ///
    /// - Parameters:
    ///   - now: The date of one that is not paid.
    ///   - product: What was bought, where that was fetched.
    func transaction(id: StoreTransaction.ID, product: SKProduct?, now: Date) -> StoreTransaction {
        var transaction = StoreTransaction(
            id: id, originalID: original?.identifier, productIdentifier: payment.productIdentifier,
            productType: product.map(productType) ?? .unknown, state: state,
            quantity: payment.quantity, purchaseDate: date ?? now, originalPurchaseDate: original?.date)
        transaction.applicationUsername = payment.applicationUsername
        transaction.appAccountToken = payment.applicationUsername.flatMap(UUID.init)
        transaction.subscriptionGroupID = product?.subscriptionGroupIdentifier
        transaction.offer = payment.offerID.map { StoreRedeemedOffer(id: $0, type: .promotional) }
        transaction.downloads = downloads
        return transaction
    }

    /// The kind of product, as far as it can be told: subscriptions have a period, and nothing is restored but them and what is
    /// bought once.
    private func productType(of product: SKProduct) -> StoreProductType {
        if product.isSubscription { return .autoRenewable }
        return state == .restored ? .nonConsumable : .unknown
    }
}

/// What a payment in the queue says.
struct SeenPayment: Sendable {
    let productIdentifier: String
    let quantity: Int
    let applicationUsername: String?
    let offerID: String?
    /// What makes the offer's signature usable once.
    let offerNonce: UUID?

    init(_ payment: SKPayment) {
        productIdentifier = payment.productIdentifier
        quantity = payment.quantity
        applicationUsername = payment.applicationUsername
        offerID = payment.paymentDiscount?.identifier
        offerNonce = payment.paymentDiscount?.nonce
    }
}

extension StoreTransactionState {
    /// The state in the words of the package. Nil: it is one that this version does not know.
    fileprivate init?(_ state: SKPaymentTransactionState) {
        switch state {
        case .purchasing: self = .purchasing
        case .purchased: self = .purchased
        case .failed: self = .failed
        case .restored: self = .restored
        case .deferred: self = .deferred
        @unknown default: return nil
        }
    }
}
