/// Who asks for products. Held weakly; hears only of the fetches that it started.
@MainActor
public protocol ProductFetchDelegate: AnyObject {
    /// The store answered.
    func storeManager(_ manager: StoreManager, didFetch response: ProductFetchResponse, for token: RequestToken)

    /// The store could not answer.
    func storeManager(_ manager: StoreManager, didFailToFetch error: StoreError, for token: RequestToken)
}

/// Who buys, or receives what nobody asked for (`StoreManager.defaultDelegate`). Held weakly; hears only of the purchases that
/// it started, and as default delegate of those that have no other receiver.
///
/// Success and failure must be implemented. The others may be, in the class or in an extension of it; what they do otherwise
/// is what the defaults below do. In a subclass, overrides of what the base class declares are called; an optional method that
/// only the subclass adds is not, since the base class is what conforms.
@MainActor
public protocol PurchaseDelegate: AnyObject {
    /// It was bought: grant it here.
    func storeManager(_ manager: StoreManager, didSucceed transaction: StoreTransaction, for token: RequestToken)

    /// It was not bought, or could not be verified or saved. The transaction is there only where the store had one.
    func storeManager(
        _ manager: StoreManager, didFail transaction: StoreTransaction?, with error: StoreError, for token: RequestToken
    )

    /// It was owned already, or takes effect at the next renewal (state `scheduled`). By default this is a success.
    func storeManager(_ manager: StoreManager, didRestore transaction: StoreTransaction, for token: RequestToken)

    /// The buyer said no. By default this is a failure with `StoreError.cancelled`.
    func storeManager(_ manager: StoreManager, didCancel transaction: StoreTransaction?, for token: RequestToken)

    /// Somebody has to approve it first (Ask to Buy); a notice on the way, not an end. By default nothing is done.
    func storeManager(_ manager: StoreManager, didDefer token: RequestToken)

    /// Tell whether it is genuine, by `StoreManager.transaction(_:didVerify:)`, now or later, from any thread. By default the
    /// manager's verifier is asked, and without one the transaction counts as valid.
    func storeManager(_ manager: StoreManager, needsVerification transaction: StoreTransaction, for token: RequestToken)

    /// The store took a purchase back: take away here. Called on the default delegate alone. By default nothing is done, and
    /// the ledger and the events say so all the same.
    func storeManager(_ manager: StoreManager, didRevoke transaction: StoreTransaction, for token: RequestToken)

    /// Somebody pressed "buy" on the app's page in the store. Called on the default delegate alone. By default the purchase
    /// goes on at once.
    func storeManager(_ manager: StoreManager, didReceive intent: StorePurchaseIntent)
}

/// Who restores purchases. Held weakly; hears only of the restores that it started.
@MainActor
public protocol RestorationDelegate: AnyObject {
    /// The restore is complete: every verdict, ledger entry and download is in. Grant what was restored here.
    func storeManager(_ manager: StoreManager, didFinishRestoring result: RestoreResult, for token: RequestToken)

    /// The store could not restore, or the sign-in was cancelled.
    func storeManager(_ manager: StoreManager, didFailToRestore error: StoreError, for token: RequestToken)

    /// Tell of each of these whether it is genuine, by `StoreManager.transaction(_:didVerify:)`, in any order, now or later. By
    /// default the manager's verifier is asked, and without one all count as valid.
    func storeManager(
        _ manager: StoreManager, needsVerificationOfRestored transactions: [StoreTransaction], for token: RequestToken)
}

/// An object that does all three.
public typealias StoreManagerDelegate = ProductFetchDelegate & PurchaseDelegate & RestorationDelegate

/// What the optional methods do where a delegate does not implement them. A paid transaction never ends in an empty one.
extension PurchaseDelegate {
    /// Calls `didSucceed`.
    public func storeManager(
        _ manager: StoreManager, didRestore transaction: StoreTransaction, for token: RequestToken
    ) {
        storeManager(manager, didSucceed: transaction, for: token)
    }

    /// Calls `didFail` with `StoreError.cancelled`.
    public func storeManager(
        _ manager: StoreManager, didCancel transaction: StoreTransaction?, for token: RequestToken
    ) {
        storeManager(manager, didFail: transaction, with: .cancelled(), for: token)
    }

    /// Does nothing: the token stays pending.
    public func storeManager(_ manager: StoreManager, didDefer token: RequestToken) {}

    /// Asks the manager's verifier.
    public func storeManager(
        _ manager: StoreManager, needsVerification transaction: StoreTransaction, for token: RequestToken
    ) {
        manager.verifyByDefault([transaction])
    }

    /// Does nothing: ledger, events and entitlements have it.
    public func storeManager(
        _ manager: StoreManager, didRevoke transaction: StoreTransaction, for token: RequestToken
    ) {}

    /// Goes on with the purchase.
    public func storeManager(_ manager: StoreManager, didReceive intent: StorePurchaseIntent) {
        manager.resume(intent)
    }
}

extension RestorationDelegate {
    /// Asks the manager's verifier.
    public func storeManager(
        _ manager: StoreManager, needsVerificationOfRestored transactions: [StoreTransaction], for token: RequestToken
    ) {
        manager.verifyByDefault(transactions)
    }
}
