// A shop as an app for iOS has one over StoreKit 1: this file uses nothing but Foundation and StoreKit.
import Foundation
import StoreKit

extension Notification.Name {
    static let legacyShopDidChange = Notification.Name("LegacyShopDidChange")
}

final class LegacyShop: NSObject, @unchecked Sendable {
    enum Failure: Error {
        case paymentsNotAllowed
        case unknownProduct(String)
    }

    private let queue: SKPaymentQueue
    private let lock = NSLock()
    private var productsRequest: SKProductsRequest?
    private var fetchCompletion: ((Result<[SKProduct], any Error>) -> Void)?
    private var purchaseCompletions: [String: (Result<SKPaymentTransaction, any Error>) -> Void] = [:]
    private var restoreCompletion: ((Result<[String], any Error>) -> Void)?
    private var restored: [String] = []
    private(set) var products: [String: SKProduct] = [:]
    private(set) var owned: Set<String> = []

    init(queue: SKPaymentQueue = .default()) {
        self.queue = queue
        super.init()
        queue.add(self)
    }

    deinit { queue.remove(self) }

    func fetch(_ identifiers: Set<String>, completion: @escaping (Result<[SKProduct], any Error>) -> Void) {
        productsRequest?.cancel()
        fetchCompletion = completion
        let request = SKProductsRequest(productIdentifiers: identifiers)
        request.delegate = self
        productsRequest = request
        request.start()
    }

    func buy(
        _ identifier: String, quantity: Int = 1, completion: @escaping (Result<SKPaymentTransaction, any Error>) -> Void
    ) {
        guard SKPaymentQueue.canMakePayments() else { return completion(.failure(Failure.paymentsNotAllowed)) }
        guard let product = products[identifier] else {
            return completion(.failure(Failure.unknownProduct(identifier)))
        }
        let payment = SKMutablePayment(product: product)
        payment.quantity = quantity
        payment.applicationUsername = "reader"
        lock.withLock { purchaseCompletions[identifier] = completion }
        queue.add(payment)
    }

    func restore(completion: @escaping (Result<[String], any Error>) -> Void) {
        restoreCompletion = completion
        restored = []
        queue.restoreCompletedTransactions()
    }

    private func finish(_ transaction: SKPaymentTransaction, _ result: Result<SKPaymentTransaction, any Error>) {
        queue.finishTransaction(transaction)
        let completion = lock.withLock {
            purchaseCompletions.removeValue(forKey: transaction.payment.productIdentifier)
        }
        completion?(result)
        NotificationCenter.default.post(name: .legacyShopDidChange, object: self)
    }
}

extension LegacyShop: SKProductsRequestDelegate {
    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
        for product in response.products { products[product.productIdentifier] = product }
        fetchCompletion?(.success(response.products.sorted { $0.price.compare($1.price) == .orderedAscending }))
        fetchCompletion = nil
    }

    func request(_ request: SKRequest, didFailWithError error: any Error) {
        fetchCompletion?(.failure(error))
        fetchCompletion = nil
    }
}

extension LegacyShop: SKPaymentTransactionObserver {
    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        for transaction in transactions {
            switch transaction.transactionState {
            case .purchasing, .deferred:
                break
            case .purchased:
                owned.insert(transaction.payment.productIdentifier)
                finish(transaction, .success(transaction))
            case .restored:
                let identifier =
                    transaction.original?.payment.productIdentifier ?? transaction.payment.productIdentifier
                owned.insert(identifier)
                restored.append(identifier)
                finish(transaction, .success(transaction))
            case .failed:
                finish(transaction, .failure(transaction.error ?? SKError(.unknown)))
            @unknown default:
                break
            }
        }
    }

    func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {
        restoreCompletion?(.success(restored))
        restoreCompletion = nil
    }

    func paymentQueue(_ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error) {
        if (error as? SKError)?.code != .paymentCancelled { restoreCompletion?(.failure(error)) }
        restoreCompletion = nil
    }

    func paymentQueue(_ queue: SKPaymentQueue, shouldAddStorePayment payment: SKPayment, for product: SKProduct) -> Bool
    {
        products[product.productIdentifier] != nil
    }
}

extension SKProduct {
    var localizedPrice: String? {
        let formatter = NumberFormatter()
        formatter.numberStyle = .currency
        formatter.locale = priceLocale
        return formatter.string(from: price)
    }

    var isSubscription: Bool { subscriptionPeriod != nil }
}

extension SKProductSubscriptionPeriod {
    var text: String {
        switch unit {
        case .day: return "\(numberOfUnits) d"
        case .week: return "\(numberOfUnits) w"
        case .month: return "\(numberOfUnits) m"
        case .year: return "\(numberOfUnits) y"
        @unknown default: return "?"
        }
    }
}

extension Error {
    var isPaymentCancellation: Bool {
        guard let error = self as? SKError else { return false }
        switch error.code {
        case .paymentCancelled, .overlayCancelled: return true
        case .unknown, .clientInvalid, .paymentInvalid, .paymentNotAllowed: return false
        default: return false
        }
    }
}
