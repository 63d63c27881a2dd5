public import Foundation
import StoreManagerCore

/// How a simulated store behaves, for everybody who buys in it: the switches of `SKTestSession` under their names, and more.
///
/// They are reached through the store itself: `store.askToBuyEnabled = true`. Two have the name of something that every
/// backend tells, and are set as `store.controls.storefront` and `store.controls.canMakePayments`.
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
    /// Products that are not sold any more: they are not found, cannot be bought, and do not renew.
    public var unavailableProducts: Set<String> {
        get { Set(notSold) }
        set { notSold = newValue.sorted() }
    }
    /// In order, so that one store is saved as the same bytes by every process.
    private var notSold: [String] = []
    /// How long access goes on after a renewal failed, in seconds; nil leaves it to the time rate.
    public var gracePeriod: TimeInterval?
    /// The content that the store hosts, by product.
    public var hostedContent: [String: [HostedContent]]
    /// Where finished downloads say that their content lies; nothing is written there.
    public var contentFolder: URL?
    /// Whether refunds that are asked for are declined.
    public var declinesRefundRequests: Bool
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
        failureError = settings.transactionFailureCode.map { StoreAPIFailure(storeKit1Code: $0) } ?? .generic(.unknown)
        simulatedErrors = [:]
        canMakePayments = true
        hostedContent = [:]
        declinesRefundRequests = false
        faults = StoreFaults()
        habits = StoreHabits()
        for failure in settings.simulatedFailures where failure.isEnabled {
            guard let api = StoreAPI(failure.interface), let error = failure.failure.flatMap(StoreAPIFailure.init),
                api.canShow(error)
            else { continue }
            simulatedErrors[api] = error
        }
    }

    /// Whether a product is sold.
    func sells(_ identifier: String) -> Bool { notSold.isEmpty || !notSold.contains(identifier) }
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
    /// The failure that StoreKit 1 shows by a code of `SKError`; StoreKit 2's name of it where there is one.
    package init(storeKit1Code code: Int) {
        self =
            switch code {
            case 0: .generic(.unknown)
            case 1: .generic(.notEntitled)
            case 2: .generic(.userCancelled)
            case 3: .purchase(.invalidQuantity)
            case 4: .purchase(.purchaseNotAllowed)
            case 5: .purchase(.productUnavailable)
            case 11: .purchase(.invalidOfferIdentifier)
            case 12: .purchase(.invalidOfferSignature)
            case 13: .purchase(.missingOfferParameters)
            case 14: .purchase(.invalidOfferPrice)
            case 18: .purchase(.ineligibleForOffer)
            case 19: .generic(.unsupported)
            default: .transaction(code: code)
            }
    }

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
