/// The closures of one purchase, or of everything that nobody asked for (`StoreManager.defaultHandlers`).
///
/// Of the closures that end a purchase exactly one is called, once. They are released as soon as the purchase has ended, a
/// verify handler as soon as its verdict is final.
public struct PurchaseHandlers: Sendable {
    /// It was bought: grant it here. Nil: the transaction goes to the default receiver.
    public var onSuccess: (@MainActor (StoreTransaction) -> Void)?
    /// It was owned already, or takes effect at the next renewal (state `scheduled`). Nil: `onSuccess` is called instead.
    public var onRestore: (@MainActor (StoreTransaction) -> Void)?
    /// It was not bought, or could not be verified or saved. The transaction is there only where the store had one.
    public var onFailure: (@MainActor (StoreTransaction?, StoreError) -> Void)?
    /// The buyer said no. Nil: `onFailure` is called instead.
    public var onCancel: (@MainActor () -> Void)?
    /// Somebody has to approve it first (Ask to Buy); a notice on the way, not an end.
    public var onDefer: (@MainActor () -> Void)?
    /// Tell whether it is genuine, by `StoreManager.transaction(_:didVerify:)`, now or later, from any thread. Nil: the
    /// manager's verifier is asked, and without one the transaction counts as valid.
    public var onVerify: (@MainActor (StoreTransaction) -> Void)?
    /// The store took a purchase back: take away here. Called on the default receiver alone.
    public var onRevoke: (@MainActor (StoreTransaction) -> Void)?
    /// Somebody pressed "buy" on the app's page in the store. Called on the default receiver alone. Nil: the purchase goes on
    /// at once, as `StoreManager.resume(_:handlers:)` does it.
    public var onPurchaseIntent: (@MainActor (StorePurchaseIntent) -> Void)?

    /// Makes a set of closures.
    public init(
        onSuccess: (@MainActor (StoreTransaction) -> Void)? = nil,
        onRestore: (@MainActor (StoreTransaction) -> Void)? = nil,
        onFailure: (@MainActor (StoreTransaction?, StoreError) -> Void)? = nil,
        onCancel: (@MainActor () -> Void)? = nil,
        onDefer: (@MainActor () -> Void)? = nil,
        onVerify: (@MainActor (StoreTransaction) -> Void)? = nil,
        onRevoke: (@MainActor (StoreTransaction) -> Void)? = nil,
        onPurchaseIntent: (@MainActor (StorePurchaseIntent) -> Void)? = nil
    ) {
        self.onSuccess = onSuccess
        self.onRestore = onRestore
        self.onFailure = onFailure
        self.onCancel = onCancel
        self.onDefer = onDefer
        self.onVerify = onVerify
        self.onRevoke = onRevoke
        self.onPurchaseIntent = onPurchaseIntent
    }
}
