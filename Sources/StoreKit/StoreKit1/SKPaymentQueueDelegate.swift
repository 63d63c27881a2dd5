public import Foundation

/// Who decides what the queue shall do about a transaction. Both methods are optional: left out, the answer is yes.
public protocol SKPaymentQueueDelegate: NSObjectProtocol {
    /// Whether a payment that is under way goes on although the storefront changed.
    func paymentQueue(
        _ paymentQueue: SKPaymentQueue, shouldContinue transaction: SKPaymentTransaction,
        in newStorefront: SKStorefront
    ) -> Bool
    /// Whether the sheet that asks for consent to a higher price is shown at once; if not,
    /// ``SKPaymentQueue/showPriceConsentIfNeeded()`` shows it.
    func paymentQueueShouldShowPriceConsent(_ paymentQueue: SKPaymentQueue) -> Bool
}

extension SKPaymentQueueDelegate {
    /// Says yes.
    public func paymentQueue(
        _ paymentQueue: SKPaymentQueue, shouldContinue transaction: SKPaymentTransaction,
        in newStorefront: SKStorefront
    ) -> Bool { true }
    /// Says yes.
    public func paymentQueueShouldShowPriceConsent(_ paymentQueue: SKPaymentQueue) -> Bool { true }
}
