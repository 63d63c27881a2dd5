public import Foundation

/// Something that the store signed, and what became of the signature.
@frozen public enum VerificationResult<SignedType> {
    /// The signature does not hold.
    case unverified(SignedType, VerificationError)
    /// The signature holds.
    case verified(SignedType)

    /// What is wrong with a signature.
    public enum VerificationError: Error, Equatable, Hashable, Sendable {
        /// A certificate was revoked.
        case revokedCertificate
        /// The chain does not lead to the store's root.
        case invalidCertificateChain
        /// It was signed for another device.
        case invalidDeviceVerification
        /// It cannot be read.
        case invalidEncoding
        /// The signature does not fit what was signed.
        case invalidSignature
        /// Something that must be there is not.
        case missingRequiredProperties
    }

    /// What was signed, where the signature holds.
    ///
    /// - Throws: ``VerificationError``.
    public var payloadValue: SignedType {
        get throws {
            switch self {
            case .verified(let value): return value
            case .unverified(_, let error): throw error
            }
        }
    }

    /// What was signed, whether the signature holds or not.
    public var unsafePayloadValue: SignedType {
        switch self {
        case .verified(let value), .unverified(let value, _): value
        }
    }
}

extension VerificationResult: Sendable where SignedType: Sendable {}
extension VerificationResult: Equatable where SignedType: Equatable {}
extension VerificationResult: Hashable where SignedType: Hashable {}

extension VerificationResult: CustomDebugStringConvertible where SignedType: CustomDebugStringConvertible {
    /// What was signed, and what is wrong with the signature.
    public var debugDescription: String {
        switch self {
        case .verified(let value): "verified: \(value.debugDescription)"
        case .unverified(let value, let error): "unverified (\(error)): \(value.debugDescription)"
        }
    }
}

extension VerificationResult.VerificationError: LocalizedError {
    /// What is wrong.
    public var errorDescription: String? {
        switch self {
        case .revokedCertificate: "A certificate was revoked."
        case .invalidCertificateChain: "The chain of certificates does not lead to the store's root."
        case .invalidDeviceVerification: "It was signed for another device."
        case .invalidEncoding: "It cannot be read."
        case .invalidSignature: "The signature does not fit what was signed."
        case .missingRequiredProperties: "Something that must be there is not."
        }
    }
}
