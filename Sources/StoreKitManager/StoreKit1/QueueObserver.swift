import Foundation
import StoreKit
import StoreManagerCore

/// Observes the payment queue for a backend.
///
/// StoreKit does not say in which thread it calls, and goes on to change its objects. So each call is made into values on
/// the spot, and these go to the main actor in the order of the calls.
final class QueueObserver: NSObject, SKPaymentTransactionObserver, Sendable {
    private let relay: Relay

    init(relay: Relay) { self.relay = relay }

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        let seen = transactions.compactMap(SeenTransaction.init)
        post { $0.receive(seen) }
    }

    func paymentQueue(_ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction]) {
        post { $0.receiveRemoval(of: transactions) }
    }

    func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {
        post { $0.endRestore(with: nil) }
    }

    func paymentQueue(_ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error) {
        post { $0.endRestore(with: StoreError(storeKit1: error)) }
    }

    func paymentQueueDidChangeStorefront(_ queue: SKPaymentQueue) {
        post { $0.receiveStorefront() }
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, didRevokeEntitlementsForProductIdentifiers productIdentifiers: [String]
    ) {
        post { $0.receiveRevocation(of: productIdentifiers) }
    }

    #if !os(watchOS)
    // Apple's watchOS has no promoted purchases. Not built for it here.
    func paymentQueue(
        _ queue: SKPaymentQueue, shouldAddStorePayment payment: SKPayment, for product: SKProduct
    ) -> Bool {
        let held = HeldPayment(payment: payment, product: product)
        post { $0.receive(held) }
        // The manager hears of it first, and goes on with it when the app says so.
        return false
    }
    #endif

    #if !os(visionOS)
    // Apple's visionOS has no hosted content. Not built for it here. See HostedDownloads.swift for the deprecation.
    @available(iOS, deprecated: 16)
    @available(macOS, deprecated: 13)
    @available(tvOS, deprecated: 16)
    @available(watchOS, deprecated: 9)
    func paymentQueue(_ queue: SKPaymentQueue, updatedDownloads downloads: [SKDownload]) {
        let downloads = downloads.map { StoreDownload($0) }
        post { $0.report(.downloadsUpdated(downloads)) }
    }
    #endif

    /// Has something done on the main actor, unless another observer has taken this one's place by then.
    private func post(_ call: @escaping Relay.Call) {
        relay.post { [self] backend in
            if backend.queueObserver === self { call(backend) }
        }
    }
}
