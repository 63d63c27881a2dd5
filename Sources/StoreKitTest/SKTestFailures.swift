public import StoreKit

/// What an interface of StoreKit can fail with.
public protocol SKTestFailure: Equatable, Sendable {}

/// What the interfaces of StoreKit can fail with, each its own.
public enum SKTestFailures: Sendable {
    /// Looking products up.
    public enum LoadProducts: SKTestFailure, Sendable {
        /// Any interface can fail so.
        case generic(StoreKitError)

        /// Whether both are the same failure, whatever the errors underneath.
        public static func == (lhs: LoadProducts, rhs: LoadProducts) -> Bool { lhs.failure == rhs.failure }
    }

    /// Buying.
    public enum Purchase: SKTestFailure, Sendable {
        /// Any interface can fail so.
        case generic(StoreKitError)
        /// Only buying fails so.
        case purchase(Product.PurchaseError)

        /// Whether both are the same failure, whatever the errors underneath.
        public static func == (lhs: Purchase, rhs: Purchase) -> Bool { lhs.failure == rhs.failure }
    }

    /// Checking signatures.
    public enum Verification: SKTestFailure, Sendable {
        /// What is wrong with the signature.
        case verification(VerificationResult<Any>.VerificationError)

        /// Whether both are the same failure, whatever the errors underneath.
        public static func == (lhs: Verification, rhs: Verification) -> Bool { lhs.failure == rhs.failure }
    }

    /// Asking for everything that the account owns.
    public enum AppStoreSync: SKTestFailure, Sendable {
        /// Any interface can fail so.
        case generic(StoreKitError)

        /// Whether both are the same failure, whatever the errors underneath.
        public static func == (lhs: AppStoreSync, rhs: AppStoreSync) -> Bool { lhs.failure == rhs.failure }
    }

    /// Asking how subscriptions stand.
    public enum SubscriptionStatus: SKTestFailure, Sendable {
        /// Any interface can fail so.
        case generic(StoreKitError)

        /// Whether both are the same failure, whatever the errors underneath.
        public static func == (lhs: SubscriptionStatus, rhs: SubscriptionStatus) -> Bool { lhs.failure == rhs.failure }
    }

    /// Asking for the download of the app.
    public enum AppTransaction: SKTestFailure, Sendable {
        /// Any interface can fail so.
        case generic(StoreKitError)

        /// Whether both are the same failure, whatever the errors underneath.
        public static func == (lhs: AppTransaction, rhs: AppTransaction) -> Bool { lhs.failure == rhs.failure }
    }

    /// The sheet to manage subscriptions.
    public enum ManageSubscriptions: SKTestFailure, Sendable {
        /// Any interface can fail so.
        case generic(StoreKitError)

        /// Whether both are the same failure, whatever the errors underneath.
        public static func == (lhs: ManageSubscriptions, rhs: ManageSubscriptions) -> Bool {
            lhs.failure == rhs.failure
        }
    }

    /// The sheet to redeem an offer code.
    public enum OfferCodeRedeem: SKTestFailure, Sendable {
        /// Any interface can fail so.
        case generic(StoreKitError)

        /// Whether both are the same failure, whatever the errors underneath.
        public static func == (lhs: OfferCodeRedeem, rhs: OfferCodeRedeem) -> Bool { lhs.failure == rhs.failure }
    }

    /// The sheet to ask for a refund.
    public enum RefundRequest: SKTestFailure, Sendable {
        /// Any interface can fail so.
        case generic(StoreKitError)
        /// Only asking for a refund fails so.
        case refundRequest(Transaction.RefundRequestError)

        /// Whether both are the same failure, whatever the errors underneath.
        public static func == (lhs: RefundRequest, rhs: RefundRequest) -> Bool { lhs.failure == rhs.failure }
    }
}
