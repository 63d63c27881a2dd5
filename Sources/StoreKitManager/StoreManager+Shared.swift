public import StoreManagerCore

extension StoreManager {
    /// The manager of the App Store, by StoreKit 2. Touch it at launch, so that it hears of what came meanwhile, and set its
    /// default receiver soon after. It may be touched from any thread.
    ///
    /// Use either this one or one of your own making: two managers over StoreKit would hear of the same transactions.
    ///
    /// On hosts without Apple's StoreKit the store is the one that the `.storekit` file describes which the environment variable
    /// `STOREKIT_CONFIGURATION` names; where it names none, every request fails with an error that says so.
    public nonisolated static let shared = StoreManager(backend: .storeKit2)
}

extension StoreBackend where Self == StoreKit2Backend {
    /// The App Store by StoreKit 2: `StoreManager(backend: .storeKit2)`. Each call makes a new backend.
    public nonisolated static var storeKit2: StoreKit2Backend { StoreKit2Backend() }
}
