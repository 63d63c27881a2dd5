import Foundation
@_spi(StoreKitDouble) import StoreKit
import StoreManagerCore
import StoreSimulator

extension SKTestSession {
    /// All transactions, the oldest first: also failed ones, those that wait for approval, and finished ones.
    public func allTransactions() -> [SKTestTransaction] {
        StoreKitDouble.inOrder { store.allTransactions }.map { SKTestTransaction($0) }
    }

    /// Deletes all transactions.
    public func clearTransactions() { StoreKitDouble.inOrder { store.clearTransactions() } }

    /// Deletes a transaction; with a first one its renewals and restored copies go too.
    public func deleteTransaction(identifier: UInt) throws {
        try act { try $0.deleteTransaction(identifier: String(identifier)) }
    }

    /// Approves a purchase that waits for it.
    public func approveAskToBuyTransaction(identifier: UInt) throws {
        try act { try $0.approveAskToBuyTransaction(identifier: String(identifier)) }
    }

    /// Declines a purchase that waits for approval.
    public func declineAskToBuyTransaction(identifier: UInt) throws {
        try act { try $0.declineAskToBuyTransaction(identifier: String(identifier)) }
    }

    /// Resolves what interrupted a purchase, or what kept a renewal from being charged.
    public func resolveIssueForTransaction(identifier: UInt) throws {
        try act { try $0.resolveIssueForTransaction(identifier: String(identifier)) }
    }

    /// Gives the money for a transaction back.
    public func refundTransaction(identifier: UInt) throws {
        try act { try $0.refundTransaction(identifier: String(identifier)) }
    }

    // MARK: Subscriptions

    /// Ends a subscription now.
    public func expireSubscription(productIdentifier: String) throws {
        try act { try $0.expireSubscription(productIdentifier: productIdentifier) }
    }

    /// Ends the running period of a subscription now and begins the next.
    public func forceRenewalOfSubscription(productIdentifier: String) throws {
        try act { try $0.forceRenewalOfSubscription(productIdentifier: productIdentifier) }
    }

    /// Switches a subscription's renewal off.
    public func disableAutoRenewForTransaction(identifier: UInt) throws {
        try act { try $0.disableAutoRenewForTransaction(identifier: String(identifier)) }
    }

    /// Switches a subscription's renewal on.
    public func enableAutoRenewForTransaction(identifier: UInt) throws {
        try act { try $0.enableAutoRenewForTransaction(identifier: String(identifier)) }
    }

    /// Asks a subscriber to agree to a higher price.
    public func requestPriceIncreaseConsentForTransaction(identifier: UInt) throws {
        try act {
            try $0.requestPriceIncreaseConsentForTransaction(identifier: String(identifier))
            StoreKitDouble.priceConsentWasRequested()
        }
    }

    /// Agrees to a higher price.
    public func consentToPriceIncreaseForTransaction(identifier: UInt) throws {
        try act { try $0.consentToPriceIncreaseForTransaction(identifier: String(identifier)) }
    }

    /// Refuses a higher price.
    public func declinePriceIncreaseForTransaction(identifier: UInt) throws {
        try act { try $0.declinePriceIncreaseForTransaction(identifier: String(identifier)) }
    }

    /// Does something to the store, and gives its errors Apple's form.
    func act(_ body: @MainActor (SimulatedStore) throws -> Void) throws {
        do {
            try StoreKitDouble.inOrder { try body(store) }
        } catch let error as SimulatorError {
            throw SKTestError(error)
        }
    }
}
