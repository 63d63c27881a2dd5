import Foundation
import StoreKit
import StoreManagerCore

/// An observer of the payment queue that writes down, in one line each, what it hears, and finishes nothing by itself.
final class QueueRecorder: NSObject, SKPaymentTransactionObserver, SKPaymentQueueDelegate, Sendable {
    private let heard = Locked<[String]>([])
    private let seen = Locked<[SKPaymentTransaction]>([])
    let acceptsStorePayments: Bool
    let continuesInNewStorefront: Bool
    let showsPriceConsent: Bool

    init(acceptsStorePayments: Bool = true, continuesInNewStorefront: Bool = true, showsPriceConsent: Bool = true) {
        self.acceptsStorePayments = acceptsStorePayments
        self.continuesInNewStorefront = continuesInNewStorefront
        self.showsPriceConsent = showsPriceConsent
    }

    /// What was heard, the oldest first.
    var lines: [String] { heard.withLock { $0 } }

    /// All transactions that were shown, once each.
    var transactions: [SKPaymentTransaction] { seen.withLock { $0 } }

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        for transaction in transactions {
            note("\(transaction.transactionState) \(transaction.payment.productIdentifier.suffix)")
            seen.withLock { seen in
                if !seen.contains(where: { $0 === transaction }) { seen.append(transaction) }
            }
        }
    }

    func paymentQueue(_ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction]) {
        for transaction in transactions { note("removed \(transaction.payment.productIdentifier.suffix)") }
    }

    func paymentQueue(_ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error) {
        note("restore failed \((error as NSError).code)")
    }

    func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) { note("restore finished") }

    func paymentQueue(_ queue: SKPaymentQueue, updatedDownloads downloads: [SKDownload]) {
        for download in downloads { note("download \(download.state) \(Int((download.progress * 100).rounded()))") }
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, shouldAddStorePayment payment: SKPayment, for product: SKProduct
    ) -> Bool {
        note("offered \(product.productIdentifier.suffix)")
        return acceptsStorePayments
    }

    func paymentQueueDidChangeStorefront(_ queue: SKPaymentQueue) {
        note("storefront \(queue.storefront?.countryCode ?? "none")")
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, didRevokeEntitlementsForProductIdentifiers productIdentifiers: [String]
    ) {
        note("revoked \(productIdentifiers.map(\.suffix).joined(separator: ","))")
    }

    func paymentQueue(
        _ paymentQueue: SKPaymentQueue, shouldContinue transaction: SKPaymentTransaction,
        in newStorefront: SKStorefront
    ) -> Bool {
        note("asked about \(newStorefront.countryCode)")
        return continuesInNewStorefront
    }

    func paymentQueueShouldShowPriceConsent(_ paymentQueue: SKPaymentQueue) -> Bool {
        note("asked about price")
        return showsPriceConsent
    }

    private func note(_ line: String) { heard.withLock { $0.append(line) } }
}

extension String {
    /// A product identifier without what all have in common.
    fileprivate var suffix: String { replacing("com.example.kiosk.", with: "") }
}
