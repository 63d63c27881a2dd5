public import Foundation
public import StoreManagerCore

/// What is known of the purchase of the app itself: StoreKit's `AppTransaction`
/// (https://developer.apple.com/documentation/storekit/apptransaction).
public struct AppTransactionClaims: SignedClaims, Sendable {
    /// A purchase of the app.
    public static var kind: SignedDataKind { .appTransaction }

    /// The environment by Apple's own name for it, such as `ProductionSandbox`; see ``environment``.
    public var receiptType: StoreEnvironment?
    /// The App Store's number of the app; missing or 0 outside production.
    public var appAppleID: Int64?
    /// The app's bundle identifier.
    public var bundleIdentifier: String?
    /// The version of the app.
    public var applicationVersion: String?
    /// The App Store's number of the app's version.
    public var versionExternalIdentifier: Int64?
    /// When Apple signed these data.
    public var creationDate: Date?
    /// When the device asked for them.
    public var requestDate: Date?
    /// When the app was first bought.
    public var originalPurchaseDate: Date?
    /// The version of the app that was first bought.
    public var originalApplicationVersion: String?
    /// The platform that it was first bought on.
    public var originalPlatform: PurchasePlatform?
    /// When the app was ordered before it was released.
    public var preorderDate: Date?
    /// This purchase, one for each account and app.
    public var appTransactionIdentifier: String?
    /// A hash that binds the data to a device, in base64. Only data got on a device have it.
    public var deviceVerification: String?
    /// What makes each ``deviceVerification`` another.
    public var deviceVerificationNonce: UUID?

    /// Where the app was bought. Volume purchases are of their environment.
    public var environment: StoreEnvironment? { receiptType.map { StoreEnvironment(receiptType: $0.rawValue) } }
    /// The same as ``creationDate``.
    public var signedDate: Date? { creationDate }

    /// Makes claims that tell nothing yet.
    public init() {}

    enum CodingKeys: String, CodingKey {
        case receiptType
        case appAppleID = "appAppleId"
        case bundleIdentifier = "bundleId"
        case applicationVersion
        case versionExternalIdentifier
        case creationDate = "receiptCreationDate"
        case requestDate
        case originalPurchaseDate
        case originalApplicationVersion
        case originalPlatform
        case preorderDate
        case appTransactionIdentifier = "appTransactionId"
        case deviceVerification
        case deviceVerificationNonce
    }
}
