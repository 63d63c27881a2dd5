import Foundation
import StoreManagerCore

/// A date in the time of the tests, which begins at 0.
func day(_ days: Double) -> Date { Date(timeIntervalSinceReferenceDate: days * 86_400) }

extension StoreTransaction {
    /// A purchase, made and signed on a day.
    static func bought(
        _ product: String, _ type: StoreProductType = .consumable, id: String = "1", originalID: String? = nil,
        quantity: Int = 1, on day: Date = day(0), until expiration: Date? = nil, signed: Date? = nil
    ) -> StoreTransaction {
        var transaction = StoreTransaction(
            id: id, originalID: originalID, productIdentifier: product, productType: type, state: .purchased,
            quantity: quantity, purchaseDate: day, expirationDate: expiration)
        transaction.signedDate = signed ?? day
        return transaction
    }

    /// The same transaction, changed.
    func with(_ change: (inout StoreTransaction) -> Void) -> StoreTransaction {
        var copy = self
        change(&copy)
        return copy
    }

    /// The store's word, signed on a day, that the purchase was taken back.
    func refunded(on day: Date) -> StoreTransaction {
        with {
            $0.revocationDate = day
            $0.signedDate = day
        }
    }

    /// The store's word, signed on a day, that the purchase stands.
    func signed(on day: Date?) -> StoreTransaction { with { $0.signedDate = day } }

    /// The same purchase as a restore lists it, signed on a day.
    func restored(on day: Date) -> StoreTransaction {
        with {
            $0.state = .restored
            $0.signedDate = day
        }
    }
}
