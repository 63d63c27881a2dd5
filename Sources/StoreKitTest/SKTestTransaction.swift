public import Foundation
public import StoreKit
import StoreManagerCore
import StoreSimulator

// `@unchecked Sendable` is right because all that is stored is immutable and Sendable.
/// A transaction as the store keeps it, as it was when it was asked for.
open class SKTestTransaction: NSObject, @unchecked Sendable {
    private let kept: SimulatedTransaction

    init(_ transaction: SimulatedTransaction) { kept = transaction }

    /// The identifier of the transaction.
    open var identifier: UInt { UInt(kept.id) ?? 0 }
    /// The identifier of the purchase that it renews or restores.
    open var originalTransactionIdentifier: UInt { UInt(kept.originalID) ?? 0 }
    /// The product.
    open var productIdentifier: String { kept.productIdentifier }
    /// When it was charged.
    open var purchaseDate: Date { kept.purchaseDate }
    /// When the paid period of a subscription ends.
    open var expirationDate: Date? { kept.expirationDate }
    /// When the money was given back.
    open var cancelDate: Date? { kept.revocationDate }
    /// Where it stands.
    open var state: SKPaymentTransactionState { SKPaymentTransactionState(kept.state) }
    /// Whether its subscription will renew.
    open var autoRenewingEnabled: Bool { kept.autoRenewingEnabled }
    /// Whether the purchase was interrupted, or the renewal could not be charged.
    open var hasPurchaseIssue: Bool { kept.hasPurchaseIssue }
    /// Whether it waits for approval.
    open var pendingAskToBuyConfirmation: Bool { kept.pendingAskToBuyConfirmation }
    /// Whether the subscriber has to agree to a higher price.
    open var isPendingPriceIncreaseConsent: Bool { kept.isPendingPriceIncreaseConsent }
}
