#if (os(iOS) && !targetEnvironment(macCatalyst)) || !canImport(Darwin)
import StoreKit

// Only iOS has the sheet in StoreKit 1; elsewhere the file is empty. Run here over the double of StoreKit, not on a device.
extension StoreKit1Backend {
    /// Shows the sheet in which an offer code is redeemed. What that buys comes to the manager's default receiver.
    public func presentCodeRedemptionSheet() { queue.presentCodeRedemptionSheet() }
}
#endif
