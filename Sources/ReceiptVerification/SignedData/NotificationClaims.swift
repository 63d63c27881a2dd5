public import Foundation
public import StoreManagerCore

/// What a server notification of version 2 says: Apple's `responseBodyV2DecodedPayload`
/// (https://developer.apple.com/documentation/appstoreservernotifications/responsebodyv2decodedpayload).
public struct NotificationClaims: SignedClaims, Sendable {
    /// A notification.
    public static var kind: SignedDataKind { .notification }

    /// What happened.
    public var type: NotificationType?
    /// How it happened.
    public var subtype: NotificationSubtype?
    /// This notification. One that is sent again has the same.
    public var uuid: String?
    /// The version of the form, "2.0".
    public var version: String?
    /// When Apple signed it.
    public var signedDate: Date?
    /// The app and the purchase that it is about.
    public var data: SubscriptionData?
    /// What became of a request to extend many renewals.
    public var summary: ExtensionSummary?
    /// A purchase outside the App Store that was not reported.
    public var externalPurchaseToken: ExternalPurchaseToken?
    /// The app that it is about, where it is about no purchase.
    public var appData: AppData?

    /// The environment of the part that the notification has.
    public var environment: StoreEnvironment? { app?.environment }

    /// The app that the notification is about, by the first of its parts; nil where it has none.
    var app: (environment: StoreEnvironment?, bundleIdentifier: String?, appAppleID: Int64?)? {
        if let data { return (data.environment, data.bundleIdentifier, data.appAppleID) }
        if let summary { return (summary.environment, summary.bundleIdentifier, summary.appAppleID) }
        if let token = externalPurchaseToken { return (token.environment, token.bundleIdentifier, token.appAppleID) }
        return appData.map { ($0.environment, $0.bundleIdentifier, $0.appAppleID) }
    }

    /// Makes claims that tell nothing yet.
    public init() {}

    enum CodingKeys: String, CodingKey {
        case type = "notificationType"
        case subtype
        case uuid = "notificationUUID"
        case version
        case signedDate
        case data
        case summary
        case externalPurchaseToken
        case appData
    }
}

extension NotificationClaims {
    /// The app and the purchase that a notification is about.
    public struct SubscriptionData: Codable, Hashable, Sendable {
        /// Where it happened.
        public var environment: StoreEnvironment?
        /// The App Store's number of the app; missing or 0 outside production.
        public var appAppleID: Int64?
        /// The app's bundle identifier.
        public var bundleIdentifier: String?
        /// The app's version.
        public var bundleVersion: String?
        /// The transaction, a JWS.
        public var signedTransaction: String?
        /// The renewal info, a JWS.
        public var signedRenewalInfo: String?
        /// Where the subscription stands.
        public var status: SubscriptionStatus?
        /// Why the customer asks for a refund.
        public var consumptionRequestReason: String?

        /// Makes one that tells nothing yet.
        public init() {}

        enum CodingKeys: String, CodingKey {
            case environment
            case appAppleID = "appAppleId"
            case bundleIdentifier = "bundleId"
            case bundleVersion
            case signedTransaction = "signedTransactionInfo"
            case signedRenewalInfo
            case status
            case consumptionRequestReason
        }
    }

    /// What became of a request to extend many renewals.
    public struct ExtensionSummary: Codable, Hashable, Sendable {
        /// Where it happened.
        public var environment: StoreEnvironment?
        /// The App Store's number of the app; missing or 0 outside production.
        public var appAppleID: Int64?
        /// The app's bundle identifier.
        public var bundleIdentifier: String?
        /// The product whose renewals were extended.
        public var productIdentifier: String?
        /// The request to extend them.
        public var requestIdentifier: String?
        /// The countries that it was for; nil for all.
        public var storefrontCountryCodes: [String]?
        /// How many renewals were extended.
        public var succeededCount: Int64?
        /// How many could not be.
        public var failedCount: Int64?

        /// Makes one that tells nothing yet.
        public init() {}

        enum CodingKeys: String, CodingKey {
            case environment
            case appAppleID = "appAppleId"
            case bundleIdentifier = "bundleId"
            case productIdentifier = "productId"
            case requestIdentifier
            case storefrontCountryCodes
            case succeededCount
            case failedCount
        }
    }

    /// A purchase outside the App Store that was not reported.
    public struct ExternalPurchaseToken: Codable, Hashable, Sendable {
        /// The purchase, made outside the App Store. Those of the sandbox begin with `SANDBOX`.
        public var externalPurchaseIdentifier: String?
        /// When it was made.
        public var tokenCreationDate: Date?
        /// The App Store's number of the app.
        public var appAppleID: Int64?
        /// The app's bundle identifier.
        public var bundleIdentifier: String?

        /// The environment, which only the identifier tells.
        public var environment: StoreEnvironment? {
            externalPurchaseIdentifier.map { $0.hasPrefix("SANDBOX") ? .sandbox : .production }
        }

        /// Makes one that tells nothing yet.
        public init() {}

        enum CodingKeys: String, CodingKey {
            case externalPurchaseIdentifier = "externalPurchaseId"
            case tokenCreationDate
            case appAppleID = "appAppleId"
            case bundleIdentifier = "bundleId"
        }
    }

    /// The app that a notification is about.
    public struct AppData: Codable, Hashable, Sendable {
        /// Where it happened.
        public var environment: StoreEnvironment?
        /// The App Store's number of the app; missing or 0 outside production.
        public var appAppleID: Int64?
        /// The app's bundle identifier.
        public var bundleIdentifier: String?
        /// The purchase of the app, a JWS.
        public var signedAppTransaction: String?

        /// Makes one that tells nothing yet.
        public init() {}

        enum CodingKeys: String, CodingKey {
            case environment
            case appAppleID = "appAppleId"
            case bundleIdentifier = "bundleId"
            case signedAppTransaction = "signedAppTransactionInfo"
        }
    }
}
