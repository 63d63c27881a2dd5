public import Foundation

// The members are written out for each of the three that the store signs, as in StoreKit's own interface.

extension VerificationResult where SignedType == Transaction {
    /// What the store signed, in the compact form of JWS.
    public var jwsRepresentation: String { parts.jws }
    /// The header of the JWS, decoded.
    public var headerData: Data { parts.header }
    /// The payload of the JWS, decoded.
    public var payloadData: Data { parts.payload }
    /// The signature of the JWS, decoded; empty where nobody signed.
    public var signatureData: Data { parts.signature }
    /// What the signature covers: header and payload as they stand in the JWS.
    public var signedData: Data { parts.signedPart }
    /// When the store signed it.
    public var signedDate: Date { parts.signedDate }
    /// What ties it to this device.
    public var deviceVerification: Data { parts.deviceVerification }
    /// What went into ``deviceVerification``.
    public var deviceVerificationNonce: UUID { parts.deviceVerificationNonce }
}

extension VerificationResult where SignedType == Product.SubscriptionInfo.RenewalInfo {
    /// What the store signed, in the compact form of JWS.
    public var jwsRepresentation: String { parts.jws }
    /// The header of the JWS, decoded.
    public var headerData: Data { parts.header }
    /// The payload of the JWS, decoded.
    public var payloadData: Data { parts.payload }
    /// The signature of the JWS, decoded; empty where nobody signed.
    public var signatureData: Data { parts.signature }
    /// What the signature covers: header and payload as they stand in the JWS.
    public var signedData: Data { parts.signedPart }
    /// When the store signed it.
    public var signedDate: Date { parts.signedDate }
    /// What ties it to this device.
    public var deviceVerification: Data { parts.deviceVerification }
    /// What went into ``deviceVerification``.
    public var deviceVerificationNonce: UUID { parts.deviceVerificationNonce }
}

extension VerificationResult where SignedType == AppTransaction {
    /// What the store signed, in the compact form of JWS.
    public var jwsRepresentation: String { parts.jws }
    /// The header of the JWS, decoded.
    public var headerData: Data { parts.header }
    /// The payload of the JWS, decoded.
    public var payloadData: Data { parts.payload }
    /// The signature of the JWS, decoded; empty where nobody signed.
    public var signatureData: Data { parts.signature }
    /// What the signature covers: header and payload as they stand in the JWS.
    public var signedData: Data { parts.signedPart }
    /// When the store signed it.
    public var signedDate: Date { parts.signedDate }
    /// What ties it to this device.
    public var deviceVerification: Data { parts.deviceVerification }
    /// What went into ``deviceVerification``.
    public var deviceVerificationNonce: UUID { parts.deviceVerificationNonce }
}

/// What the store signs: transactions, renewal infos and app transactions.
protocol SignedByStore {
    /// The parts of the signed form.
    var signed: SignedValue { get }
}

extension Transaction: SignedByStore {}
extension Product.SubscriptionInfo.RenewalInfo: SignedByStore {}
extension AppTransaction: SignedByStore {}

extension VerificationResult where SignedType: SignedByStore {
    private var parts: SignedValue { unsafePayloadValue.signed }
}
