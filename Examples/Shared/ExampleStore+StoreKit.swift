import Foundation
import StoreSimulator

#if !canImport(Darwin)
@_spi(StoreKitDouble) import StoreKit
#endif

extension ExampleStore {
    /// The simulated store behind StoreKit's interface; nil where that is Apple's, as could not be tried here: the products are
    /// those of the App Store then, or of the configuration that Xcode's scheme names.
    static func storeBehindStoreKit(selling configuration: StoreConfiguration) -> SimulatedStore? {
        #if canImport(Darwin)
        return nil
        #else
        let store = SimulatedStore(configuration: configuration, clock: VirtualClock(now: .now))
        StoreKitDouble.currentStore = store
        return store
        #endif
    }
}
