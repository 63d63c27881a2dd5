public import Foundation
public import StoreManagerCore

/// Peculiarities of real stores, each a switch; they were measured on Apple's by others, on macOS 26 and in the iOS 27
/// simulator. A store without any is as plain as StoreKit's documentation.
public struct StoreHabits: Hashable, Codable, Sendable {
    // MARK: Answers to purchases

    /// How a transaction is known to belong to a payment. Unless tokens are `always` carried, a purchase behaves as with
    /// StoreKit 2 (`unlessDeferred`) or as with StoreKit 1's queue (`never`).
    public var tokenCarriage: StoreBackendCapabilities.TokenCarriage = .always
    /// Whether a plan change that waits for the renewal is answered with the transaction that is already held (StoreKit 2)
    /// instead of one marked as scheduled.
    public var answersPlanChangesWithHeldTransaction = false
    /// Whether buying a consumable again before the last one is finished is answered with that last one (StoreKit 2).
    public var repeatsUnfinishedConsumables = false
    /// Whether buying a plan again after it lapsed is answered with the transaction that expired.
    public var answersLapsedWithExpired = false
    /// Whether a statement on the introductory offer that cannot be trusted is passed over, and the full price charged.
    public var passesOverUntrustedEligibility = false

    // MARK: What is told unasked

    /// Whether the purchase of a subscription is also told as news to the device that made it.
    public var repeatsSubscriptionPurchases = false
    /// Whether purchases made outside the app are told only at the next launch.
    public var keepsOutsidePurchasesQuiet = false
    /// Whether a launch reports the newest of the missed transactions first.
    public var reportsNewestFirst = false
    /// Whether a launch that reports missed renewals reports the finished first purchase too.
    public var reportsFinishedOriginals = false
    /// Whether restored transactions are copies with identifiers of their own, to be finished each time (StoreKit 1).
    public var restoresAsCopies = false

    // MARK: What is listed when

    /// How long a purchase or renewal is missing from the current entitlements, in seconds of the clock.
    public var listingLag: TimeInterval = 0
    /// How long a renewal is late, in seconds of the clock; so long the subscription says that it expired.
    public var renewalLag: TimeInterval = 0
    /// Whether a subscription whose renewal is late also says that it will not renew, and that its win-back offers may be had
    /// (iOS); else it says that it will (macOS).
    public var lateRenewalsLookCancelled = false
    /// At which age, in seconds of the clock, a transaction is listed as unfinished; nil is from the first moment until it is
    /// finished. In Xcode's testing on macOS it was from about 0.5 to 1.5. What is reported at a launch does not depend on it.
    public var unfinishedListing: ClosedRange<TimeInterval>?
    /// Whether a task that was cancelled reads nothing, and no error: no products, no entitlements, no unfinished transactions.
    public var cancelledTasksReadNothing = false
    /// Whether a subscription in billing retry is listed among the current entitlements.
    public var listsBillingRetry = false
    /// Whether a process that asked about an introductory offer is told the same for ever.
    public var remembersEligibility = false

    /// No peculiarities.
    public init() {}

    /// StoreKit 2 as its documentation has it.
    public static var storeKit2: StoreHabits {
        var habits = StoreHabits()
        habits.tokenCarriage = .unlessDeferred
        habits.answersPlanChangesWithHeldTransaction = true
        habits.repeatsUnfinishedConsumables = true
        return habits
    }

    /// StoreKit 1 as its documentation has it.
    public static var storeKit1: StoreHabits {
        var habits = StoreHabits()
        habits.tokenCarriage = .never
        habits.answersPlanChangesWithHeldTransaction = true
        habits.restoresAsCopies = true
        return habits
    }
}

/// Written down with the other switches.
extension StoreBackendCapabilities.TokenCarriage: Codable {}
