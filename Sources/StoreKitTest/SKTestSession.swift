public import Foundation
@_spi(StoreKitDouble) public import StoreKit
import StoreManagerCore
import StoreSimulator

// `@unchecked Sendable` is right because all that is stored is immutable and Sendable: the store lives on the main actor, and
// every member goes there.
/// A store for tests: it sells what a `.storekit` file lists, and does what a test tells it.
///
/// A new session's store becomes the one behind StoreKit, with nothing bought in it yet. Its time stands still. Members may be
/// used from any thread; they wait for the main actor.
open class SKTestSession: NSObject, @unchecked Sendable {
    let store: SimulatedStore

    /// Makes a session of a file in the bundle of the app or of its tests.
    ///
    /// - Parameter name: The name of the file, without `.storekit`.
    /// - Throws: ``SKTestError``.
    public convenience init(configurationFileNamed name: String) throws {
        guard let url = Bundle.storeKitConfiguration(named: name) else {
            throw SKTestError(.fileNotFound, "There is no \(name).storekit in any bundle.")
        }
        try self.init(contentsOf: url)
    }

    /// Makes a session of a file.
    ///
    /// - Throws: ``SKTestError``, or what is wrong with the file.
    public init(contentsOf url: URL) throws {
        guard url.isFileURL, url.pathExtension == "storekit" else {
            throw SKTestError(.invalidURL, "A configuration is a file that ends in .storekit, which \(url) is not.")
        }
        guard FileManager.default.fileExists(atPath: url.path) else {
            throw SKTestError(.fileNotFound, "There is no file \(url.path).")
        }
        store = try StoreKitDouble.inOrder { try SimulatedStore.madeCurrent(contentsOf: url) }
    }

    // MARK: What the session decides

    /// Whether payments are confirmed without asking anybody.
    open var disableDialogs: Bool {
        get { control(\.disableDialogs) }
        set { set(\.disableDialogs, to: newValue) }
    }

    /// Whether every purchase waits for approval.
    open var askToBuyEnabled: Bool {
        get { control(\.askToBuyEnabled) }
        set { set(\.askToBuyEnabled, to: newValue) }
    }

    /// Whether every purchase is interrupted.
    open var interruptedPurchasesEnabled: Bool {
        get { control(\.interruptedPurchasesEnabled) }
        set { set(\.interruptedPurchasesEnabled, to: newValue) }
    }

    /// Whether every renewal fails into billing retry.
    open var shouldEnterBillingRetryOnRenewal: Bool {
        get { control(\.shouldEnterBillingRetryOnRenewal) }
        set { set(\.shouldEnterBillingRetryOnRenewal, to: newValue) }
    }

    /// Whether a renewal that fails first has a grace period.
    open var billingGracePeriodIsEnabled: Bool {
        get { control(\.billingGracePeriodIsEnabled) }
        set { set(\.billingGracePeriodIsEnabled, to: newValue) }
    }

    /// Whether every payment fails with ``failureError``.
    open var failTransactionsEnabled: Bool {
        get { control(\.failTransactionsEnabled) }
        set { set(\.failTransactionsEnabled, to: newValue) }
    }

    /// What payments fail with while ``failTransactionsEnabled``.
    open var failureError: SKError.Code {
        get { control(\.failureError).storeKit1Code }
        set { set(\.failureError, to: StoreAPIFailure(storeKit1Code: newValue.rawValue)) }
    }

    /// The country that is sold in, an ISO 3166-1 alpha-3 code.
    open var storefront: String {
        get { control(\.storefront) }
        set { set(\.storefront, to: newValue) }
    }

    /// The language of names and descriptions.
    open var locale: Locale {
        get { control(\.locale) }
        set { set(\.locale, to: newValue) }
    }

    /// How fast subscriptions renew.
    open var timeRate: TimeRate {
        get { TimeRate(rawValue: control(\.timeRate).rawValue) ?? .realTime }
        set { set(\.timeRate, to: StoreTimeRate(rawValue: newValue.rawValue)) }
    }

    /// Drops all that the session decided; the file decides again. What was bought stays.
    open func resetToDefaultState() { StoreKitDouble.inOrder { store.resetToDefaultState() } }

    private func control<Value: Sendable>(_ path: any KeyPath<StoreControls, Value> & Sendable) -> Value {
        StoreKitDouble.inOrder { store.controls[keyPath: path] }
    }

    private func set<Value: Sendable>(_ path: any WritableKeyPath<StoreControls, Value> & Sendable, to value: Value) {
        StoreKitDouble.inOrder { store.controls[keyPath: path] = value }
    }
}

extension SimulatedStore {
    /// A store of a file, which is the one behind StoreKit from now on.
    fileprivate static func madeCurrent(contentsOf url: URL) throws -> SimulatedStore {
        let store = try SimulatedStore(contentsOf: url)
        StoreKitDouble.currentStore = store
        return store
    }
}

extension Bundle {
    /// A configuration in the app's bundle or in one beside it, as test targets have them.
    fileprivate static func storeKitConfiguration(named name: String) -> URL? {
        let folder = Bundle.main.bundleURL
        let beside = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
        let bundles = beside.filter { $0.pathExtension == "resources" }.compactMap { Bundle(url: $0) }
        return ([Bundle.main] + bundles.sorted { $0.bundlePath < $1.bundlePath }).lazy
            .compactMap { $0.url(forResource: name, withExtension: "storekit") }.first
    }
}
