import Foundation
import StoreKit

// `@unchecked Sendable` is right because the payment is the store's own: StoreKit hands out one that nobody can change, and it
// is only read, and given back to the queue, on the main actor.
/// A payment that somebody began on the app's page in the store, until the app goes on with it.
struct HeldPayment: @unchecked Sendable {
    /// The store's own payment, offer included.
    let payment: SKPayment
    /// What is bought.
    let product: SKProduct
}
