package import Foundation
package import StoreManagerCore

extension Date {
    /// When the tests begin.
    package static let start = Date(timeIntervalSince1970: 1_800_000_000)
}

extension StoreProduct {
    /// A product; by default a consumable.
    package static func sample(
        _ id: String = "coins", _ type: StoreProductType = .consumable, price: Decimal = 1
    ) -> StoreProduct {
        StoreProduct(id: id, type: type, price: price)
    }
}

extension StoreTransaction {
    /// A transaction; by default of one piece of a consumable, bought at `Date.start`.
    package static func sample(
        _ id: String = "1", of product: String = "coins", _ type: StoreProductType = .consumable,
        state: StoreTransactionState = .purchased, at date: Date = .start
    ) -> StoreTransaction {
        StoreTransaction(id: id, productIdentifier: product, productType: type, state: state, purchaseDate: date)
    }

    /// A transaction that answers a payment: of its product, type, quantity, account token and user name.
    package static func sample(
        _ id: String, for payment: StorePayment, state: StoreTransactionState = .purchased, at date: Date = .start
    ) -> StoreTransaction {
        var transaction = sample(id, of: payment.product.id, payment.product.type, state: state, at: date)
        transaction.quantity = payment.options.quantity
        transaction.appAccountToken = payment.options.appAccountToken
        transaction.applicationUsername = payment.options.applicationUsername
        return transaction
    }

    /// The transaction with one thing changed.
    package func with<Value>(_ path: WritableKeyPath<StoreTransaction, Value>, _ value: Value) -> StoreTransaction {
        var copy = self
        copy[keyPath: path] = value
        return copy
    }
}

/// An error that means nothing to the package.
package struct SampleError: Error, Hashable, Sendable {
    package init() {}
}
