public import Foundation

/// What the store signs: transactions, renewal infos and app transactions.
///
/// No part of StoreKit's interface, where the members below are written out for each of the three.
public protocol _SignedByStore {
    /// The parts of the signed form.
    var _signedParts: _SignedParts { get }
}

/// The parts of something that the store signed.
public struct _SignedParts: Sendable {
    let value: SignedValue
}

extension VerificationResult where SignedType: _SignedByStore {
    /// What the store signed, in the compact form of JWS.
    public var jwsRepresentation: String { signed.jws }
    /// The header of the JWS, decoded.
    public var headerData: Data { signed.header }
    /// The payload of the JWS, decoded.
    public var payloadData: Data { signed.payload }
    /// The signature of the JWS, decoded; empty where nobody signed.
    public var signatureData: Data { signed.signature }
    /// What the signature covers: header and payload as they stand in the JWS.
    public var signedData: Data { signed.signedPart }
    /// When the store signed it.
    public var signedDate: Date { signed.signedDate }
    /// What ties it to this device.
    public var deviceVerification: Data { signed.deviceVerification }
    /// What went into ``deviceVerification``.
    public var deviceVerificationNonce: UUID { signed.deviceVerificationNonce }

    private var signed: SignedValue { unsafePayloadValue._signedParts.value }
}

extension Transaction: _SignedByStore {
    /// The parts of the signed form.
    public var _signedParts: _SignedParts { _SignedParts(value: signed) }
}

extension Product.SubscriptionInfo.RenewalInfo: _SignedByStore {
    /// The parts of the signed form.
    public var _signedParts: _SignedParts { _SignedParts(value: signed) }
}

extension AppTransaction: _SignedByStore {
    /// The parts of the signed form.
    public var _signedParts: _SignedParts { _SignedParts(value: signed) }
}
