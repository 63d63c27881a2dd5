// A class on the main actor cannot plainly observe the payment queue, which calls back from any thread.
import Foundation
import StoreKit

@MainActor
final class Observer: NSObject, SKPaymentTransactionObserver {
    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {}
}
