package import Foundation
package import StoreManagerCore

/// Signs with the number of transactions, which is no signature.
package struct CountingSigner: StoreSigner {
    package init() {}

    package func jws(of transaction: StoreTransaction) -> String? { nil }

    package func receipt(of transactions: [StoreTransaction], at date: Date) -> Data? {
        Data("\(transactions.count) transactions".utf8)
    }

    package func trusts(_ offer: PurchaseOffer, in payment: StorePayment) -> Bool { true }
}
