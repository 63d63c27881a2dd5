import StoreSimulator

/// An interface of StoreKit that a test can make fail.
public protocol FailableStoreKitAPI<Failure>: Sendable {
    /// What it can fail with.
    associatedtype Failure: SKTestFailure
}

/// Looking products up.
public struct StoreKitLoadProductsAPI: FailableStoreKitAPI, Sendable {
    /// What it can fail with.
    public typealias Failure = SKTestFailures.LoadProducts
    /// The interface.
    public init() {}
}

/// Buying.
public struct StoreKitPurchaseAPI: FailableStoreKitAPI, Sendable {
    /// What it can fail with.
    public typealias Failure = SKTestFailures.Purchase
    /// The interface.
    public init() {}
}

/// Checking signatures; what fails is told as unverified.
public struct StoreKitVerificationAPI: FailableStoreKitAPI, Sendable {
    /// What it can fail with.
    public typealias Failure = SKTestFailures.Verification
    /// The interface.
    public init() {}
}

/// Asking for everything that the account owns.
public struct StoreKitAppStoreSyncAPI: FailableStoreKitAPI, Sendable {
    /// What it can fail with.
    public typealias Failure = SKTestFailures.AppStoreSync
    /// The interface.
    public init() {}
}

/// Asking how subscriptions stand.
public struct StoreKitSubscriptionStatusAPI: FailableStoreKitAPI, Sendable {
    /// What it can fail with.
    public typealias Failure = SKTestFailures.SubscriptionStatus
    /// The interface.
    public init() {}
}

/// Asking for the download of the app.
public struct StoreKitAppTransactionAPI: FailableStoreKitAPI, Sendable {
    /// What it can fail with.
    public typealias Failure = SKTestFailures.AppTransaction
    /// The interface.
    public init() {}
}

/// The sheet to manage subscriptions.
public struct StoreKitManageSubscriptionsAPI: FailableStoreKitAPI, Sendable {
    /// What it can fail with.
    public typealias Failure = SKTestFailures.ManageSubscriptions
    /// The interface.
    public init() {}
}

/// The sheet to ask for a refund.
public struct StoreKitRefundRequestAPI: FailableStoreKitAPI, Sendable {
    /// What it can fail with.
    public typealias Failure = SKTestFailures.RefundRequest
    /// The interface.
    public init() {}
}

/// The sheet to redeem an offer code.
public struct StoreKitOfferCodeRedeemAPI: FailableStoreKitAPI, Sendable {
    /// What it can fail with.
    public typealias Failure = SKTestFailures.OfferCodeRedeem
    /// The interface.
    public init() {}
}

extension FailableStoreKitAPI where Self == StoreKitLoadProductsAPI {
    /// Looking products up.
    public static var loadProducts: StoreKitLoadProductsAPI { StoreKitLoadProductsAPI() }
}

extension FailableStoreKitAPI where Self == StoreKitPurchaseAPI {
    /// Buying.
    public static var purchase: StoreKitPurchaseAPI { StoreKitPurchaseAPI() }
}

extension FailableStoreKitAPI where Self == StoreKitVerificationAPI {
    /// Checking signatures.
    public static var verification: StoreKitVerificationAPI { StoreKitVerificationAPI() }
}

extension FailableStoreKitAPI where Self == StoreKitAppStoreSyncAPI {
    /// Asking for everything that the account owns.
    public static var appStoreSync: StoreKitAppStoreSyncAPI { StoreKitAppStoreSyncAPI() }
}

extension FailableStoreKitAPI where Self == StoreKitSubscriptionStatusAPI {
    /// Asking how subscriptions stand.
    public static var subscriptionStatus: StoreKitSubscriptionStatusAPI { StoreKitSubscriptionStatusAPI() }
}

extension FailableStoreKitAPI where Self == StoreKitAppTransactionAPI {
    /// Asking for the download of the app.
    public static var appTransaction: StoreKitAppTransactionAPI { StoreKitAppTransactionAPI() }
}

extension FailableStoreKitAPI where Self == StoreKitManageSubscriptionsAPI {
    /// The sheet to manage subscriptions.
    public static var manageSubscriptions: StoreKitManageSubscriptionsAPI { StoreKitManageSubscriptionsAPI() }
}

extension FailableStoreKitAPI where Self == StoreKitRefundRequestAPI {
    /// The sheet to ask for a refund.
    public static var refundRequest: StoreKitRefundRequestAPI { StoreKitRefundRequestAPI() }
}

extension FailableStoreKitAPI where Self == StoreKitOfferCodeRedeemAPI {
    /// The sheet to redeem an offer code.
    public static var offerCodeRedeem: StoreKitOfferCodeRedeemAPI { StoreKitOfferCodeRedeemAPI() }
}
