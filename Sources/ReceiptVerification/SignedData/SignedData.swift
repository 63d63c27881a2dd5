public import Foundation

/// A JWS from the App Store, decoded: what it claims, and nothing about whether that is true.
///
/// Anybody can write a JWS. Grant nothing for its ``unverifiedClaims``; have a ``SignedDataVerifier`` make ``VerifiedData`` of it.
public struct SignedData<Claims: SignedClaims>: Sendable {
    /// The text that was decoded.
    public let jwsRepresentation: String
    /// What the data claim. Nobody has checked it.
    public let unverifiedClaims: Claims
    /// The kind that the claims tell; nil where they tell none.
    let tellingKind: SignedDataKind?
    /// The parts of the text.
    let jws: CompactJWS

    /// Decodes a JWS in its compact form.
    ///
    /// - Throws: ``MalformedInput``. Where the JSON in it is at fault, the problem names the claim.
    public init(_ jwsRepresentation: String) throws {
        self.jwsRepresentation = jwsRepresentation
        jws = try CompactJWS(jwsRepresentation)
        let decoded = try jws.decodePayload(as: DecodedPayload<Claims>.self)
        unverifiedClaims = decoded.claims
        tellingKind = decoded.kind
    }

    /// The JSON that was signed, with the claims that no property stands for.
    public var payload: Data { jws.payload }
}

/// What a JWS from the App Store says, found to be genuine and for this app. Only a ``SignedDataVerifier`` makes it.
@dynamicMemberLookup
public struct VerifiedData<Claims: SignedClaims>: Hashable, Sendable {
    /// What the data say.
    public let claims: Claims
    /// The JWS.
    public let jwsRepresentation: String
    /// The date as of which the certificates were looked at; nil where there was no chain to look at.
    public let validationDate: Date?
    /// The certificates from the signer's to the root's; nil for data from local testing.
    let chain: CertificateChain?

    /// Whether the data come from store testing on a developer's machine. They lead to no trusted root and may be anybody's
    /// work; only a verifier that was told to accepts them.
    public var isFromLocalTesting: Bool { chain == nil }

    /// Each property of the claims.
    public subscript<Value>(dynamicMember keyPath: KeyPath<Claims, Value>) -> Value {
        claims[keyPath: keyPath]
    }
}

/// A transaction, decoded but not verified.
public typealias SignedTransaction = SignedData<TransactionClaims>
/// A subscription's renewal info, decoded but not verified.
public typealias SignedRenewalInfo = SignedData<RenewalInfoClaims>
/// The purchase of the app, decoded but not verified.
public typealias SignedAppTransaction = SignedData<AppTransactionClaims>
/// A server notification, decoded but not verified. What is nested in it is text as yet.
public typealias SignedNotification = SignedData<NotificationClaims>

/// A transaction, verified.
public typealias VerifiedTransaction = VerifiedData<TransactionClaims>
/// A subscription's renewal info, verified.
public typealias VerifiedRenewalInfo = VerifiedData<RenewalInfoClaims>
/// The purchase of the app, verified.
public typealias VerifiedAppTransaction = VerifiedData<AppTransactionClaims>

/// The claims of a payload and the kind that they tell.
private struct DecodedPayload<Claims: SignedClaims>: Decodable {
    let kind: SignedDataKind?
    let claims: Claims

    init(from decoder: any Decoder) throws {
        kind = try SignedDataKind(from: decoder)
        claims = try Claims(from: decoder)
    }
}
