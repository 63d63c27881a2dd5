public import Foundation
import StoreManagerCore

/// How a simulated store behaves, for everybody who buys in it: the switches of `SKTestSession` under their names, and more.
///
/// They are reached through the store itself: `store.askToBuyEnabled = true`.
public struct StoreControls: Hashable, Codable, Sendable {
    // MARK: The switches of SKTestSession

    /// Whether payments are confirmed without asking the buyer, so that no script of ``StoreBuyer`` is heard.
    public var disableDialogs: Bool
    /// The country that is sold in, an ISO 3166-1 alpha-3 code; it decides the currency. Changing it is reported.
    public var storefront: String
    /// The language of names and descriptions.
    public var locale: Locale
    /// Whether every purchase waits for approval.
    public var askToBuyEnabled: Bool
    /// Whether every purchase is interrupted until ``SimulatedStore/resolveIssueForTransaction(identifier:)``.
    public var interruptedPurchasesEnabled: Bool
    /// Whether every renewal fails into billing retry.
    public var shouldEnterBillingRetryOnRenewal: Bool
    /// Whether a renewal that fails first has a grace period; without the switch before, no effect.
    public var billingGracePeriodIsEnabled: Bool
    /// How fast subscriptions renew. The period that is running ends as it was sold.
    public var timeRate: StoreTimeRate
    /// Whether every payment fails with ``failureError``.
    public var failTransactionsEnabled: Bool
    /// What payments fail with while ``failTransactionsEnabled``.
    public var failureError: StoreAPIFailure
    /// The failures that StoreKit's interfaces show; see ``SimulatedStore/setSimulatedError(_:forAPI:)``.
    public var simulatedErrors: [StoreAPI: StoreAPIFailure]

    // MARK: What Apple's cannot

    /// Whether the device, and the person at it, may pay.
    public var canMakePayments: Bool
    /// How long access goes on after a renewal failed, in seconds; nil leaves it to the time rate.
    public var gracePeriod: TimeInterval?
    /// How the store's answers go astray.
    public var faults: StoreFaults
    /// Peculiarities of real stores.
    public var habits: StoreHabits

    /// Takes the settings of a configuration.
    public init(settings: StoreConfiguration.Settings) {
        disableDialogs = settings.disablesDialogs
        storefront = settings.storefront
        locale = Locale(identifier: settings.locale)
        askToBuyEnabled = settings.asksToBuy
        interruptedPurchasesEnabled = settings.interruptsPurchases
        shouldEnterBillingRetryOnRenewal = settings.failsRenewals
        billingGracePeriodIsEnabled = settings.grantsBillingGracePeriod
        timeRate = settings.timeRate
        failTransactionsEnabled = settings.failsTransactions
        failureError = .generic(.unknown)
        simulatedErrors = [:]
        canMakePayments = true
        faults = StoreFaults()
        habits = StoreHabits()
        for failure in settings.simulatedFailures where failure.isEnabled {
            guard let api = StoreAPI(failure.interface), let error = failure.failure.flatMap(StoreAPIFailure.init),
                api.canShow(error)
            else { continue }
            simulatedErrors[api] = error
        }
    }
}

extension StoreAPI {
    /// The interface that a `.storekit` file calls so; nil for one that it does not know.
    init?(_ interface: StoreConfiguration.SimulatedFailure.Interface) {
        switch interface {
        case .loadProducts: self = .loadProducts
        case .purchase: self = .purchase
        case .verification: self = .verification
        case .appStoreSync: self = .appStoreSync
        case .subscriptionStatus: self = .subscriptionStatus
        case .appTransaction: self = .appTransaction
        case .manageSubscriptions: self = .manageSubscriptions
        case .refundRequest: self = .refundRequest
        case .offerCodeRedeem: self = .offerCodeRedeem
        default: return nil
        }
    }
}

extension StoreAPIFailure {
    /// The failure that a `.storekit` file writes as a type and a position in the declaration of that type.
    init?(_ failure: StoreConfiguration.SimulatedFailure.Failure) {
        func at<Value: CaseIterable>(_ values: Value.Type) -> Value? {
            Array(values.allCases).indices.contains(failure.index) ? Array(values.allCases)[failure.index] : nil
        }
        let found: StoreAPIFailure? =
            switch failure.type {
            case "generic": at(Generic.self).map(StoreAPIFailure.generic)
            case "purchase": at(Purchase.self).map(StoreAPIFailure.purchase)
            case "verification": at(Verification.self).map(StoreAPIFailure.verification)
            case "refund request": at(RefundRequest.self).map(StoreAPIFailure.refundRequest)
            default: nil
            }
        guard let found else { return nil }
        self = found
    }
}
