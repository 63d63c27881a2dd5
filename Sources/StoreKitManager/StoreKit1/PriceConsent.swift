#if (os(iOS) && !targetEnvironment(macCatalyst)) || !canImport(Darwin)
import Foundation
import StoreKit

// Only iOS asks for consent to a higher price in this way; elsewhere the file is empty. Run here over the double of StoreKit,
// not on a device.
extension StoreKit1Backend {
    /// Is called when a subscriber should be asked for consent to a higher price, so that the app can choose the moment for
    /// ``showPriceConsentIfNeeded()``. Nil, which is the default: StoreKit asks at once.
    ///
    /// Set it before the manager begins to observe. It uses the queue's delegate.
    public var priceConsentHandler: (@MainActor @Sendable () -> Void)? {
        get { (queueDelegate as? PriceConsentDelegate)?.handler }
        set {
            queueDelegate = newValue.map { PriceConsentDelegate(relay: relay, handler: $0) }
            queue.delegate = queueDelegate
        }
    }

    /// Asks the subscriber for consent to a higher price, where ``priceConsentHandler`` has put it off.
    public func showPriceConsentIfNeeded() { queue.showPriceConsentIfNeeded() }
}

/// Tells the queue to wait with the sheet, and the app that it may be shown, from whatever thread the queue asks in.
private final class PriceConsentDelegate: NSObject, SKPaymentQueueDelegate, Sendable {
    let handler: @MainActor @Sendable () -> Void
    private let relay: Relay

    init(relay: Relay, handler: @escaping @MainActor @Sendable () -> Void) {
        self.relay = relay
        self.handler = handler
    }

    func paymentQueueShouldShowPriceConsent(_ paymentQueue: SKPaymentQueue) -> Bool {
        relay.post { [handler] _ in handler() }
        return false
    }
}
#endif
