public import Foundation

extension StoreConfiguration {
    /// How the store behaves until it is told otherwise.
    ///
    /// The defaults are those of `SKTestSession` (StoreKitTest, iOS 17.4).
    public struct Settings: Hashable, Codable, Sendable {
        /// The country that is sold in, an ISO 3166-1 alpha-3 code; it decides the currency.
        public var storefront: String
        /// The language of names and descriptions, such as `en_US`.
        public var locale: String
        /// How fast subscriptions renew.
        public var timeRate: StoreTimeRate
        /// Whether every purchase waits for approval.
        public var asksToBuy: Bool
        /// Whether every purchase is interrupted until its issue is resolved.
        public var interruptsPurchases: Bool
        /// Whether every renewal fails into billing retry.
        public var failsRenewals: Bool
        /// Whether a failed renewal first has a grace period.
        public var grantsBillingGracePeriod: Bool
        /// Whether payments are confirmed without asking the buyer.
        public var disablesDialogs: Bool
        /// Whether every payment fails (StoreKit 1), with ``transactionFailureCode``.
        public var failsTransactions: Bool
        /// The `SKError` code of payments that fail; nil where the file names none.
        public var transactionFailureCode: Int?
        /// The failures by interface that the file remembers, switched on or not.
        public var simulatedFailures: [SimulatedFailure]
        /// The team in App Store Connect; nil where the file is not synchronised.
        public var developerTeamID: String?
        /// The app in App Store Connect; nil where the file is not synchronised.
        public var applicationInternalID: String?
        /// When the file was last synchronised with App Store Connect; nil where it never was.
        public var lastSynchronizedDate: Date?

        /// Makes settings as they are in an empty file.
        public init() {
            storefront = "USA"
            locale = "en_US"
            timeRate = .realTime
            asksToBuy = false
            interruptsPurchases = false
            failsRenewals = false
            grantsBillingGracePeriod = false
            disablesDialogs = false
            failsTransactions = false
            simulatedFailures = []
        }
    }

    /// A failure that one of StoreKit's interfaces is to show.
    public struct SimulatedFailure: Hashable, Codable, Sendable {
        /// The file's name of the interface, such as `Load Products`. The set is open, so the name is kept.
        public struct Interface: RawRepresentable, Hashable, Codable, Sendable {
            /// The file's name.
            public var rawValue: String
            /// Keeps the file's name.
            public init(rawValue: String) { self.rawValue = rawValue }
            /// Asking for products.
            public static let loadProducts = Interface(rawValue: "Load Products")
            /// Buying.
            public static let purchase = Interface(rawValue: "Purchase")
            /// Checking signatures.
            public static let verification = Interface(rawValue: "Verification")
            /// Restoring.
            public static let appStoreSync = Interface(rawValue: "App Store Sync")
            /// Asking for the status of subscriptions.
            public static let subscriptionStatus = Interface(rawValue: "Subscription Status")
            /// Asking for the transaction of the app itself.
            public static let appTransaction = Interface(rawValue: "App Transaction")
            /// The sheet to manage subscriptions.
            public static let manageSubscriptions = Interface(rawValue: "Manage Subscriptions Sheet")
            /// The sheet to ask for a refund.
            public static let refundRequest = Interface(rawValue: "Refund Request Sheet")
            /// The sheet to redeem an offer code.
            public static let offerCodeRedeem = Interface(rawValue: "Offer Code Redeem Sheet")
        }

        /// Which error is shown.
        public struct Failure: Hashable, Codable, Sendable {
            /// The file's name of the error type: `generic`, `purchase`, `verification` or `refund request` so far.
            public var type: String
            /// The error's position in the declaration of its type, counted from 0.
            public var index: Int

            /// Makes a failure.
            public init(type: String, index: Int) {
                self.type = type
                self.index = index
            }
        }

        /// The interface.
        public var interface: Interface
        /// Whether the failure is switched on.
        public var isEnabled: Bool
        /// The error that is chosen, also while it is switched off; nil where none is.
        public var failure: Failure?

        /// Makes a simulated failure.
        public init(interface: Interface, isEnabled: Bool, failure: Failure? = nil) {
            self.interface = interface
            self.isEnabled = isEnabled
            self.failure = failure
        }
    }
}
