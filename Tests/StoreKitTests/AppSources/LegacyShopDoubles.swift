// Doubles of StoreKit's classes as the tests of an app have them: this file uses nothing but Foundation and StoreKit.
import Foundation
import StoreKit

final class FakeProduct: SKProduct, @unchecked Sendable {
    private let identifier: String
    private let amount: NSDecimalNumber

    init(_ identifier: String, price: String) {
        self.identifier = identifier
        amount = NSDecimalNumber(string: price)
        super.init()
    }

    override var productIdentifier: String { identifier }
    override var localizedTitle: String { "Fake \(identifier)" }
    override var price: NSDecimalNumber { amount }
    override var priceLocale: Locale { Locale(identifier: "fr_FR") }
    override var introductoryPrice: SKProductDiscount? { FakeDiscount() }
    override var subscriptionPeriod: SKProductSubscriptionPeriod? { FakePeriod() }
}

final class FakeDiscount: SKProductDiscount, @unchecked Sendable {
    override var paymentMode: SKProductDiscount.PaymentMode { .payUpFront }
    override var subscriptionPeriod: SKProductSubscriptionPeriod { FakePeriod() }
    override var numberOfPeriods: Int { 3 }
}

final class FakePeriod: SKProductSubscriptionPeriod, @unchecked Sendable {
    override var numberOfUnits: Int { 2 }
    override var unit: SKProduct.PeriodUnit { .week }
}

final class FakeTransaction: SKPaymentTransaction, @unchecked Sendable {
    private let fakeState: SKPaymentTransactionState
    private let fakePayment: SKPayment
    private let fakeError: (any Error)?

    init(_ product: SKProduct, _ state: SKPaymentTransactionState, error: (any Error)? = nil) {
        fakeState = state
        fakePayment = SKPayment(product: product)
        fakeError = error
        super.init()
    }

    override var transactionState: SKPaymentTransactionState { fakeState }
    override var transactionIdentifier: String? { "fake-1" }
    override var payment: SKPayment { fakePayment }
    override var error: (any Error)? { fakeError }
    override var original: SKPaymentTransaction? { nil }
}

final class FakeQueue: SKPaymentQueue, @unchecked Sendable {
    private(set) var finished: [SKPaymentTransaction] = []
    private(set) var added: [SKPayment] = []
    private weak var observer: (any SKPaymentTransactionObserver)?
    let name: String

    init(named name: String = "fake") {
        self.name = name
        super.init()
    }

    override func add(_ payment: SKPayment) { added.append(payment) }
    override func add(_ observer: any SKPaymentTransactionObserver) { self.observer = observer }
    override func remove(_ observer: any SKPaymentTransactionObserver) { self.observer = nil }
    override func finishTransaction(_ transaction: SKPaymentTransaction) { finished.append(transaction) }
    override func restoreCompletedTransactions() { observer?.paymentQueueRestoreCompletedTransactionsFinished(self) }
    override var transactions: [SKPaymentTransaction] { [] }

    func send(_ transactions: SKPaymentTransaction...) {
        observer?.paymentQueue(self, updatedTransactions: transactions)
    }
}

final class FakeProductsRequest: SKProductsRequest {
    private(set) var isStarted = false
    override func start() {
        isStarted = true
        delegate?.productsRequest(self, didReceive: SKProductsResponse())
        delegate?.requestDidFinish(self)
    }
    override func cancel() { isStarted = false }
}

final class FakeProductsResponse: SKProductsResponse, @unchecked Sendable {
    private let fakes: [SKProduct]

    init(_ products: SKProduct...) {
        fakes = products
        super.init()
    }

    override var products: [SKProduct] { fakes }
}

final class FakeStorefront: SKStorefront, @unchecked Sendable {
    override var countryCode: String { "FRA" }
}
