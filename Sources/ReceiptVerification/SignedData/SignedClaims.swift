public import Foundation
public import StoreManagerCore

/// What the App Store signs as a JWS, by kind.
///
/// Four types conform, one for each kind: ``TransactionClaims``, ``RenewalInfoClaims``, ``AppTransactionClaims`` and
/// ``NotificationClaims``. They are plain values: they tell what was claimed, not whether it is true. All claims may be missing;
/// ones that are not known are ignored, and remain in ``SignedData/payload``.
public protocol SignedClaims: Codable, Hashable, Sendable {
    /// The kind of the signed data.
    static var kind: SignedDataKind { get }
    /// The environment that the data claim to be from.
    var environment: StoreEnvironment? { get }
    /// When the data were signed: the date as of which the certificates are looked at.
    var signedDate: Date? { get }
}

/// A kind of signed data.
public enum SignedDataKind: String, Hashable, Sendable, CaseIterable {
    /// A transaction, ``TransactionClaims``.
    case transaction
    /// What is known of a subscription's next renewal, ``RenewalInfoClaims``.
    case renewalInfo
    /// The purchase of the app itself, ``AppTransactionClaims``.
    case appTransaction
    /// A server notification, version 2, ``NotificationClaims``.
    case notification

    /// The kind that a claim belongs to, for claims that only one kind has.
    private enum TellingClaim: String, CodingKey, CaseIterable {
        case notificationType, notificationUUID
        case receiptType, receiptCreationDate
        case autoRenewStatus, autoRenewProductId
        case transactionId, purchaseDate

        var kind: SignedDataKind {
            switch self {
            case .notificationType, .notificationUUID: .notification
            case .receiptType, .receiptCreationDate: .appTransaction
            case .autoRenewStatus, .autoRenewProductId: .renewalInfo
            case .transactionId, .purchaseDate: .transaction
            }
        }
    }

    /// Tells the kind of signed data by their claims.
    ///
    /// - Returns: nil where the claims fit more than one kind. Apple's test data are sometimes so short.
    /// - Throws: ``MalformedInput`` where the text is no JWS with a JSON object in it.
    public init?(ofJWS jws: String) throws {
        guard let kind = try CompactJWS(jws).decodePayload(as: AnyClaims.self).kind else { return nil }
        self = kind
    }

    init?(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: TellingClaim.self)
        guard let claim = TellingClaim.allCases.first(where: container.contains) else { return nil }
        self = claim.kind
    }
}

/// The claims of any kind, of which only the kind is of interest.
private struct AnyClaims: Decodable {
    let kind: SignedDataKind?
    init(from decoder: any Decoder) throws { kind = try SignedDataKind(from: decoder) }
}
