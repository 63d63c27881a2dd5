public import StoreManagerCore

/// Peculiarities of real stores, each a switch.
public struct StoreHabits: Hashable, Codable, Sendable {
    /// How a transaction is known to belong to a payment. Unless tokens are `always` carried, a purchase behaves as with
    /// StoreKit 2 (`unlessDeferred`) or as with StoreKit 1's queue (`never`).
    public var tokenCarriage: StoreBackendCapabilities.TokenCarriage = .always
    /// Whether a plan change that waits for the renewal is answered with the transaction that is already held (StoreKit 2)
    /// instead of one marked as scheduled.
    public var answersPlanChangesWithHeldTransaction = false
    /// Whether buying a consumable again before the last one is finished is answered with that last one (StoreKit 2).
    public var repeatsUnfinishedConsumables = false
    /// Whether restored transactions are copies with identifiers of their own, to be finished each time (StoreKit 1).
    public var restoresAsCopies = false
    /// Whether a launch reports the newest of the missed transactions first.
    public var reportsNewestFirst = false

    /// The habits of a plain store.
    public init() {}
}

/// Written down with the other switches.
extension StoreBackendCapabilities.TokenCarriage: Codable {}
