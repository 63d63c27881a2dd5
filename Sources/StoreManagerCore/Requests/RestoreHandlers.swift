/// The closures of one restore.
public struct RestoreHandlers: Sendable {
    /// The restore is complete: every verdict, ledger entry and download is in. Grant what was restored here. Nil: each
    /// restored transaction goes to the default receiver.
    public var onSuccess: (@MainActor (RestoreResult) -> Void)?
    /// The store could not restore, or the sign-in was cancelled.
    public var onFailure: (@MainActor (StoreError) -> Void)?
    /// Tell of each of these whether it is genuine, by `StoreManager.transaction(_:didVerify:)`, in any order, now or later.
    /// Nil: the manager's verifier is asked, and without one all count as valid. Not called where there is nothing to restore.
    public var onVerify: (@MainActor ([StoreTransaction]) -> Void)?

    /// Makes a set of closures.
    public init(
        onSuccess: (@MainActor (RestoreResult) -> Void)? = nil,
        onFailure: (@MainActor (StoreError) -> Void)? = nil,
        onVerify: (@MainActor ([StoreTransaction]) -> Void)? = nil
    ) {
        self.onSuccess = onSuccess
        self.onFailure = onFailure
        self.onVerify = onVerify
    }
}

/// What a restore brought, in the order in which the store listed it. Empty lists grant nothing.
public struct RestoreResult: Sendable {
    /// A transaction and why it was not restored.
    public struct Refusal: Sendable {
        /// The transaction.
        public var transaction: StoreTransaction
        /// Why.
        public var error: StoreError

        /// Makes a refusal.
        public init(transaction: StoreTransaction, error: StoreError) {
            self.transaction = transaction
            self.error = error
        }
    }

    /// Genuine, and written down where there is a ledger.
    public var restored: [StoreTransaction]
    /// Not genuine; finished.
    public var invalid: [Refusal]
    /// Nobody could tell, or they could not be saved or fetched; unfinished, and asked about again.
    public var undecided: [Refusal]

    /// Makes a result.
    public init(restored: [StoreTransaction] = [], invalid: [Refusal] = [], undecided: [Refusal] = []) {
        self.restored = restored
        self.invalid = invalid
        self.undecided = undecided
    }
}
