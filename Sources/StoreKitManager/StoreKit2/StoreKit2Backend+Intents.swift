import StoreKit
import StoreManagerCore

// Purchases that somebody began on the app's page in the store. Only iOS and macOS have them; the other half of this file says
// so for the rest.
#if os(tvOS) || os(watchOS) || os(visionOS)
extension StoreKit2Backend {
    /// Nothing: nobody can begin a purchase in the store of this platform.
    func readIntents(for observation: StoreKitObservation) {}
}
#else
extension StoreKit2Backend {
    /// Begins to read what was begun in the store.
    func readIntents(for observation: StoreKitObservation) {
        guard #available(iOS 16.4, macOS 14.4, *) else { return }
        observation.read {
            PurchaseIntent.intents
        } _: {
            $0.receive($1)
        }
    }

    @available(iOS 16.4, macOS 14.4, *)
    private func receive(_ intent: PurchaseIntent) {
        remember(intent.product)
        // StoreKit's own identifier is the product's, by which a second intent would pass for the first.
        intentCount += 1
        var offer: StoreOffer?
        if #available(iOS 18.0, macOS 15.0, *) { offer = intent.offer.flatMap(StoreOffer.init) }
        report(
            .purchaseIntent(
                StorePurchaseIntent(id: "intent-\(intentCount)", product: StoreProduct(intent.product), offer: offer)))
    }
}
#endif
