// What apps for iOS hang onto StoreKit 1: extensions, protocols of their own, wrappers, delegates, and every way to look at an
// error. This file uses nothing but Foundation and StoreKit.
import Foundation
import StoreKit

/// A product as a view model wants it, which StoreKit's own is as it is.
protocol PricedItem {
    var productIdentifier: String { get }
    var localizedTitle: String { get }
    var price: NSDecimalNumber { get }
    var priceLocale: Locale { get }
}

extension SKProduct: PricedItem {}

extension SKProduct {
    var introductoryText: String? {
        guard let discount = introductoryPrice else { return nil }
        switch discount.paymentMode {
        case .freeTrial: return "free for \(discount.days * discount.numberOfPeriods) days"
        case .payAsYouGo, .payUpFront: return "\(discount.price) for \(discount.days) days"
        @unknown default: return nil
        }
    }

    var offerIdentifiers: [String] { discounts.filter { $0.type == .subscription }.compactMap(\.identifier) }
}

extension SKProductDiscount {
    var days: Int {
        let units: [SKProduct.PeriodUnit: Int] = [.day: 1, .week: 7, .month: 30, .year: 365]
        return subscriptionPeriod.numberOfUnits * (units[subscriptionPeriod.unit] ?? 0)
    }
}

extension SKPaymentTransactionState {
    var name: String {
        switch self {
        case .purchasing: return "purchasing"
        case .purchased: return "purchased"
        case .failed: return "failed"
        case .restored: return "restored"
        case .deferred: return "deferred"
        @unknown default: return "state \(rawValue)"
        }
    }

    var isFinal: Bool { self != .purchasing && self != .deferred }
}

extension SKPaymentTransaction {
    var originalIdentifier: String? { (original ?? self).transactionIdentifier }

    var isCancelled: Bool { (error as? SKError)?.code == .paymentCancelled }
}

extension Array where Element == SKPaymentTransaction {
    func byProduct() -> [String: [SKPaymentTransaction]] { Dictionary(grouping: self) { $0.payment.productIdentifier } }
}

enum PurchaseFailure: Error, Equatable {
    case cancelled, notAllowed, offline
    case store(code: Int)
    case other

    /// By a pattern of `catch`.
    init(catching body: () throws -> Void) {
        do {
            try body()
            self = .other
        } catch SKError.paymentCancelled {
            self = .cancelled
        } catch let error as SKError where error.code == .paymentNotAllowed || error.code == .clientInvalid {
            self = .notAllowed
        } catch let error as SKError {
            self = .store(code: error.errorCode)
        } catch {
            self = .other
        }
    }

    /// By domain and code, as old code does it.
    init(bridging error: any Error) {
        let error = error as NSError
        switch (error.domain, error.code) {
        case (SKErrorDomain, SKError.Code.paymentCancelled.rawValue): self = .cancelled
        case (SKErrorDomain, SKError.paymentNotAllowed.rawValue): self = .notAllowed
        case (SKErrorDomain, let code): self = .store(code: code)
        case (NSURLErrorDomain, NSURLErrorNotConnectedToInternet): self = .offline
        default: self = .other
        }
    }

    /// By a switch over the codes.
    init(_ code: SKError.Code) {
        switch code {
        case .paymentCancelled, .overlayCancelled: self = .cancelled
        case .paymentNotAllowed: self = .notAllowed
        case .cloudServiceNetworkConnectionFailed: self = .offline
        case .unknown, .clientInvalid, .paymentInvalid, .storeProductNotAvailable, .cloudServicePermissionDenied,
            .cloudServiceRevoked:
            self = .store(code: code.rawValue)
        default: self = .other
        }
    }
}

/// A request as an asynchronous function, by a delegate that is an NSObject and lives as long as the request.
final class RequestRunner: NSObject, SKRequestDelegate {
    private let completion: (Result<Void, any Error>) -> Void
    private var request: SKRequest?

    init(_ request: SKRequest, completion: @escaping (Result<Void, any Error>) -> Void) {
        self.completion = completion
        self.request = request
        super.init()
        request.delegate = self
        request.start()
    }

    func requestDidFinish(_ request: SKRequest) { end(.success(())) }

    func request(_ request: SKRequest, didFailWithError error: any Error) { end(.failure(error)) }

    private func end(_ result: Result<Void, any Error>) {
        request?.delegate = nil
        request = nil
        completion(result)
    }
}

/// An observer that implements only what it must, and decides about the queue besides.
final class QueueGuard: NSObject, SKPaymentTransactionObserver, SKPaymentQueueDelegate {
    private let queue: SKPaymentQueue
    var states: [String] = []

    init(queue: SKPaymentQueue = SKPaymentQueue.default()) {
        self.queue = queue
        super.init()
        queue.delegate = self
        queue.add(self)
    }

    deinit {
        queue.remove(self)
        if queue.delegate === self { queue.delegate = nil }
    }

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        for transaction in transactions {
            states.append(transaction.transactionState.name)
            if transaction.transactionState.isFinal { queue.finishTransaction(transaction) }
        }
    }

    func paymentQueue(
        _ paymentQueue: SKPaymentQueue, shouldContinue transaction: SKPaymentTransaction,
        in newStorefront: SKStorefront
    ) -> Bool { newStorefront.countryCode != "ATA" }

    func paymentQueueShouldShowPriceConsent(_ paymentQueue: SKPaymentQueue) -> Bool { false }
}
