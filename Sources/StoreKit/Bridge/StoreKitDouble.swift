public import Foundation
package import StoreManagerCore
public import StoreSimulator

/// What the double of StoreKit has beyond Apple's interface: the store behind it, and the thread it calls back in.
///
/// Reached by `@_spi(StoreKitDouble) import StoreKit`, on hosts that have no StoreKit of their own.
@_spi(StoreKitDouble)
public enum StoreKitDouble: Sendable {
    /// The store behind the interface, the only global state there is. Tests over it run one after the other.
    ///
    /// Without one, the environment variable `STOREKIT_CONFIGURATION` names the `.storekit` file of a store that is made when
    /// it is first needed. Changing the store ends all open requests with an error; observers and listeners stay. The double
    /// needs ``StoreHabits/tokenCarriage`` to be `always`.
    @MainActor public static var currentStore: SimulatedStore? {
        get { StoreLink.shared.store }
        set { StoreLink.shared.use(newValue.map { .store($0) } ?? .failure(.notConfigured)) }
    }

    /// Makes the store that the environment names the one behind the interface, or none, as is done by itself when a store is
    /// needed and there is no other.
    @MainActor public static func useStore(namedBy environment: [String: String]) {
        StoreLink.shared.use(.named(by: environment))
    }

    /// Where StoreKit 1 calls observers and delegates back; the main queue by default. A concurrent queue calls several at a
    /// time, in any order.
    public static var callbackQueue: DispatchQueue {
        get { StoreLink.shared.callbacks.current }
        set { StoreLink.shared.callbacks.current = newValue }
    }

    /// Where the app's receipt is written; a temporary file by default. Foundation's `Bundle.appStoreReceiptURL` is nil on this
    /// host, so an app takes the address from here.
    ///
    /// There is a receipt where the store has a ``SimulatedStore/signer``. It is written when the store becomes the current one,
    /// after each purchase that is reported, and on `SKReceiptRefreshRequest`.
    @MainActor public static var receiptURL: URL {
        get { StoreLink.shared.receiptURL }
        set { StoreLink.shared.receiptURL = newValue }
    }

    /// The sheets that StoreKit would have shown, the oldest first.
    @MainActor public static var presentedSheets: [PresentedSheet] { StoreLink.shared.presentedSheets }

    /// The app's process ends and another begins: observers and listeners are gone, open requests end with an error, and who
    /// observes or listens next hears of all that is unfinished.
    ///
    /// Use this rather than ``SimulatedBackend/relaunch()``, of which the double would not know.
    @MainActor public static func relaunch() { StoreLink.shared.relaunch() }

    /// Returns when all commands were carried out, the store has nothing left to report now, and all callbacks have returned.
    /// What the app does about them in other threads is not waited for.
    public static func settle() async { await StoreLink.shared.settle() }
}

/// A sheet of StoreKit's. There is no screen, so that it is only noted.
@_spi(StoreKitDouble)
public enum PresentedSheet: Hashable, Sendable {
    /// Asks for consent to a higher price.
    case priceConsent
    /// Redeems an offer code.
    case offerCodeRedemption
}

// What tests of code that is written for StoreKit 2 need besides.
extension StoreKitDouble {
    /// How many calls of StoreKit 2's have not returned because they wait for the store, or for the buyer.
    @MainActor public static var openCallCount: Int { StoreLink.shared.openCalls }

    /// How many read StoreKit 2's sequences.
    @MainActor public static var readerCount: Int { StoreLink.shared.readerCount }

    /// As ``settle()``, and all loops over StoreKit 2's sequences have dealt with what they were told, and wait for more.
    ///
    /// Not for a test that has an iterator in its hand: a reader that does not read on is waited for in vain.
    public static func settleReaders() async {
        repeat {
            await Task.yield()
            await settle()
        } while await !isSettled
    }

    /// Whether ``settleReaders()`` would return at once.
    @MainActor public static var isSettled: Bool { StoreLink.shared.isSettled && StoreLink.shared.readersWait }
}

// What StoreKitTest needs.
extension StoreKitDouble {
    /// The store asks for consent to a higher price: the app is told.
    @MainActor package static func priceConsentWasRequested() { StoreLink.shared.priceConsentRequested() }

    /// Does something on the main actor after all that was asked for before, from any thread.
    package static func inOrder<Result: Sendable>(_ body: @MainActor () throws -> Result) rethrows -> Result {
        try onMainActor {
            StoreLink.shared.carryOutPosted()
            return try body()
        }
    }

    /// A transaction of the store's as StoreKit 2 gives it.
    @MainActor package static func transaction(_ transaction: StoreTransaction) -> Transaction {
        StoreLink.shared.signed(transaction).unsafePayloadValue
    }
}

extension StoreLink {
    fileprivate func settle() async {
        repeat {
            carryOutPosted()
            await store?.settle()
            await callbacks.finish()
        } while !isSettled
    }

    fileprivate var isSettled: Bool { !hasPosted && !callbacks.isBusy && store?.isSettled != false }
}
