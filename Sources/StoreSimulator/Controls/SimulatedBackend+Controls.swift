public import Foundation
public import StoreManagerCore

/// The controls of `SKTestSession` that act on transactions, under its names, and a few more.
///
/// Identifiers are those of ``StoreTransaction/id``. Every control throws ``SimulatorError`` where there is nothing that it
/// could act on, and then changes nothing.
extension SimulatedBackend {
    /// Approves a purchase that waits for it; it is paid, and arrives.
    public func approveAskToBuyTransaction(identifier: StoreTransaction.ID) throws(SimulatorError) {
        try store.attempt(.settleDeferred(number(identifier), approves: true))
    }

    /// Declines a purchase that waits for approval. Whoever waits is told where the store tells such things.
    public func declineAskToBuyTransaction(identifier: StoreTransaction.ID) throws(SimulatorError) {
        try store.attempt(.settleDeferred(number(identifier), approves: false))
    }

    /// Resolves what keeps a purchase from being made, or a renewal from being charged: it is paid after all.
    public func resolveIssueForTransaction(identifier: StoreTransaction.ID) throws(SimulatorError) {
        try store.attempt(.resolveIssue(number(identifier)))
    }

    /// Answers a sheet that the buyer left open.
    public func answerOpenPayment(
        identifier: StoreTransaction.ID, with answer: StoreBuyer.Answer
    ) throws(SimulatorError) {
        try store.attempt(.answerOpenPayment(number(identifier), answer))
    }

    /// Gives the money for a transaction back, at once. The purchase is taken back whole, whatever the amount.
    ///
    /// - Parameters:
    ///   - identifier: The transaction.
    ///   - reason: What the app is told of the reason.
    ///   - amount: How much, in the transaction's currency: more than 0 and at most its price; nil is all of it.
    ///     ``SimulatedTransaction/refundedAmount`` has it.
    public func refundTransaction(
        identifier: StoreTransaction.ID, reason: StoreRevocationReason = .other, amount: Decimal? = nil
    ) throws(SimulatorError) {
        try store.attempt(.refund(number(identifier), reason, amount: amount))
    }

    /// Takes a refund back; the purchase counts again.
    public func reverseRefund(identifier: StoreTransaction.ID) throws(SimulatorError) {
        try store.attempt(.reverseRefund(number(identifier)))
    }

    /// Another component of the app takes a transaction from the queue.
    public func removeTransactionFromQueue(identifier: StoreTransaction.ID) throws(SimulatorError) {
        try store.attempt(.removeFromQueue(number(identifier)))
    }

    /// Ends a subscription now; it does not renew.
    public func expireSubscription(productIdentifier: String) throws(SimulatorError) {
        try store.attempt(.expire(product: productIdentifier, account: accountIndex))
    }

    /// Ends the running period of a subscription now and begins the next. A billing retry goes on as it was.
    public func forceRenewalOfSubscription(productIdentifier: String) throws(SimulatorError) {
        try store.attempt(.forceRenewal(product: productIdentifier, account: accountIndex))
    }

    /// Switches a subscription's renewal on again.
    public func enableAutoRenewForTransaction(identifier: StoreTransaction.ID) throws(SimulatorError) {
        try store.attempt(.setAutoRenew(number(identifier), isOn: true))
    }

    /// Switches a subscription's renewal off; it lapses when its period ends.
    public func disableAutoRenewForTransaction(identifier: StoreTransaction.ID) throws(SimulatorError) {
        try store.attempt(.setAutoRenew(number(identifier), isOn: false))
    }

    /// Asks a subscriber to agree to a higher price; without an answer the subscription lapses when its period ends.
    ///
    /// - Parameters:
    ///   - identifier: The identifier of the subscription's transaction.
    ///   - price: The price from the next renewal on; nil asks without changing it.
    public func requestPriceIncreaseConsentForTransaction(
        identifier: StoreTransaction.ID, price: Decimal? = nil
    ) throws(SimulatorError) {
        try store.attempt(.announcePriceIncrease(number(identifier), price: price, needsConsent: true))
    }

    /// Tells a subscriber of a higher price from the next renewal on, to which nobody has to agree.
    public func announcePriceIncreaseForTransaction(
        identifier: StoreTransaction.ID, price: Decimal
    ) throws(SimulatorError) {
        try store.attempt(.announcePriceIncrease(number(identifier), price: price, needsConsent: false))
    }

    /// Agrees to a higher price.
    public func consentToPriceIncreaseForTransaction(identifier: StoreTransaction.ID) throws(SimulatorError) {
        try store.attempt(.answerPriceIncrease(number(identifier), consents: true))
    }

    /// Refuses a higher price; the subscription lapses when its period ends.
    public func declinePriceIncreaseForTransaction(identifier: StoreTransaction.ID) throws(SimulatorError) {
        try store.attempt(.answerPriceIncrease(number(identifier), consents: false))
    }

    /// Deletes a transaction as if it had never been; with a first one its renewals and restored copies go too, and with each
    /// what the family has of it. A subscription that loses its newest transaction is what it was by the one before. Who waits
    /// for the answer to a payment that is deleted is told that it failed.
    public func deleteTransaction(identifier: StoreTransaction.ID) throws(SimulatorError) {
        try store.attempt(.delete(number(identifier)))
    }

    /// Makes an interface of StoreKit fail from now on; nil lets it work again.
    public func setSimulatedError(_ failure: StoreAPIFailure?, forAPI api: StoreAPI) throws(SimulatorError) {
        if let failure, !api.canShow(failure) {
            throw .invalidAction("The interface \(api.rawValue) cannot show the failure \(failure.name).")
        }
        store.controls.simulatedErrors[api] = failure
    }

    /// The failure that an interface of StoreKit shows; nil where it works.
    public func simulatedError(forAPI api: StoreAPI) -> StoreAPIFailure? { store.controls.simulatedErrors[api] }

    /// The store's number of a transaction.
    func number(_ identifier: StoreTransaction.ID) throws(SimulatorError) -> UInt64 {
        guard let number = UInt64(identifier) else { throw .noTransactionFound(identifier) }
        return number
    }
}
