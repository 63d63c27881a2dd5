public import Foundation

/// The download of the app itself, as the store tells it.
public struct AppTransaction: Equatable, Hashable, Sendable {
    let claims: AppClaims
    let signed: SignedValue

    /// The app in App Store Connect; nil in tests.
    public var appID: UInt64? { nil }
    /// The version that the transaction is for.
    public var appVersion: String { claims.applicationVersion }
    /// The version in App Store Connect; nil in tests.
    public var appVersionID: UInt64? { nil }
    /// The app.
    public var bundleID: String { signed.bundleID }
    /// The version that was downloaded first.
    public var originalAppVersion: String { claims.originalApplicationVersion }
    /// When the app was downloaded first.
    public var originalPurchaseDate: Date { Date(milliseconds: claims.originalPurchaseDate) }
    /// When the app was ordered ahead; nil where it was not.
    public var preorderDate: Date? { nil }
    /// Where the app was downloaded.
    public var environment: AppStore.Environment { AppStore.Environment(rawValue: claims.receiptType) }
    /// The identifier of the download.
    public var appTransactionID: String { signed.appTransactionID }
    /// The platform that the app was downloaded for first.
    public var originalPlatform: AppStore.Platform { AppStore.Platform(rawValue: claims.originalPlatform) }
    /// The platform that the app was downloaded for first.
    public var originalPlatformStringRepresentation: String { claims.originalPlatform }

    /// When the store signed this word.
    public var signedDate: Date { signed.signedDate }
    /// What ties the word to this device.
    public var deviceVerification: Data { signed.deviceVerification }
    /// What went into ``deviceVerification``.
    public var deviceVerificationNonce: UUID { signed.deviceVerificationNonce }
    /// The word as the store wrote it, in JSON.
    public var jsonRepresentation: Data { signed.payload }

    /// The transaction, read once and then remembered.
    ///
    /// - Throws: ``StoreKitError``.
    public static var shared: VerificationResult<AppTransaction> {
        get async throws { try await StoreLink.shared.appTransaction(fetching: false) }
    }

    /// The transaction, read from the store; the person has to sign in.
    ///
    /// - Throws: ``StoreKitError``.
    public static func refresh() async throws -> VerificationResult<AppTransaction> {
        try await StoreLink.shared.appTransaction(fetching: true)
    }
}
