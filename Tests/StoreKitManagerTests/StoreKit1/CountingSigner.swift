import Foundation
import StoreManagerCore
import StoreSimulator

/// Signs with the number of transactions, which is no signature.
struct CountingSigner: StoreSigner {
    func jws(of transaction: StoreTransaction) -> String? { nil }
    func receipt(of transactions: [StoreTransaction], at date: Date) -> Data? {
        Data("\(transactions.count) transactions".utf8)
    }
    func trusts(_ offer: PurchaseOffer, in payment: StorePayment) -> Bool { true }
}
