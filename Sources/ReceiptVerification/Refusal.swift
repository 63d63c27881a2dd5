public import Foundation
public import StoreManagerCore

/// The rule that a receipt or a signed datum breaks. There is one case for each rule.
public enum Refusal: Error, Hashable, Sendable {
    // MARK: The signature

    /// A receipt must have exactly one signer; it has this many.
    case signerCount(Int)
    /// What was signed must be plain data; it is of another type.
    case contentTypeNotAllowed(String)
    /// The certificate that the signer names is not in the receipt.
    case signerCertificateMissing
    /// A receipt's digest must be SHA-1 or SHA-256; the identifier is of another one.
    case digestNotAllowed(String)
    /// Data must be signed with RSA in receipts and with ES256 in a JWS; it is signed otherwise.
    case algorithmNotAllowed(String)
    /// The signed attributes lack the content's type or digest, or have one twice.
    case signedAttributesIncomplete
    /// The content is not the one that was signed.
    case contentDigestMismatch
    /// The signature was not made by the signer's key over this content.
    case signatureMismatch
    /// The header demands an extension that is not known here (`crit`, RFC 7515, 4.1.11).
    case unknownCriticalHeader

    // MARK: The chain of certificates

    /// A chain must have three certificates; this one has another number, so far as it could be followed.
    case chainLength(Int)
    /// The chain does not lead to a trusted root.
    case rootNotTrusted
    /// A certificate is not signed by its issuer.
    case certificateSignatureMismatch(CertificateRole)
    /// A certificate's key or signature is of a kind that is not allowed.
    case certificateAlgorithmNotAllowed(CertificateRole)
    /// A certificate was not valid yet at the date.
    case certificateNotYetValid(CertificateRole, at: Date)
    /// A certificate was not valid any more at the date.
    case certificateExpired(CertificateRole, at: Date)
    /// An issuer is no certificate authority.
    case notAnAuthority(CertificateRole)
    /// An issuer allows fewer authorities below itself than there are.
    case pathTooLong(CertificateRole)
    /// A certificate's key may not be used for what it was used for.
    case keyUsageNotAllowed(CertificateRole)
    /// A certificate has an extension that must not be ignored and is not known here.
    case unknownCriticalExtension(CertificateRole, String)
    /// A certificate lacks Apple's mark for its role: 1.2.840.113635.100.6.11.1 on the leaf, 1.2.840.113635.100.6.2.1 on the
    /// intermediate one.
    case markerMissing(CertificateRole)
    /// A certificate was revoked.
    case certificateRevoked(CertificateRole)

    // MARK: The content

    /// A receipt must tell when it was created, for its certificates are looked at as of then.
    case creationDateMissing
    /// It is for another app, or does not tell for which.
    case bundleIdentifierMismatch(found: String?, expected: String)
    /// It is for another version of the app, or does not tell for which.
    case applicationVersionMismatch(found: String?, expected: String)
    /// It is for another app, by the App Store's number, or does not tell for which.
    case appAppleIDMismatch(found: Int64?, expected: Int64)
    /// It is from an environment that is not accepted, or does not tell from which.
    case environmentNotAccepted(StoreEnvironment?)
    /// It was issued to another device.
    case deviceMismatch
    /// The receipt's own term is over; volume purchases have one.
    case receiptExpired(Date)
    /// The signed data are of another kind.
    case kindMismatch(found: SignedDataKind, expected: SignedDataKind)
    /// The transaction in question is another one.
    case transactionMismatch(found: String?)
    /// The purchase was taken back.
    case purchaseRevoked(Date)
    /// A server that was asked found it not to be genuine, for the reason that it gave.
    case refusedByServer(reason: String)
}

/// A certificate's place in the chain.
public enum CertificateRole: String, Hashable, Sendable, CaseIterable {
    /// The one that signs the data.
    case leaf
    /// The one that issued the leaf.
    case intermediate
    /// The one that is trusted.
    case root
}

extension Refusal: CustomStringConvertible, LocalizedError {
    /// The broken rule, as a sentence.
    public var description: String {
        switch self {
        case .signerCount(let count): "The receipt has \(count) signers, not one."
        case .contentTypeNotAllowed(let type): "What was signed is of type \(type), not plain data."
        case .signerCertificateMissing: "The signer's certificate is not in the receipt."
        case .digestNotAllowed(let digest): "The digest \(digest) is neither SHA-1 nor SHA-256."
        case .algorithmNotAllowed(let algorithm): "The signature algorithm \(algorithm) is not allowed."
        case .signedAttributesIncomplete: "The signed attributes do not hold the content's type and digest once each."
        case .contentDigestMismatch: "The content is not the one that was signed."
        case .signatureMismatch: "The signature does not fit the content and the signer's key."
        case .unknownCriticalHeader: "The header demands an extension that is not known."
        case .chainLength(let length): "The chain has \(length) certificates, not three."
        case .rootNotTrusted: "The chain does not lead to a trusted root."
        case .certificateSignatureMismatch(let role): "The \(role) certificate is not signed by its issuer."
        case .certificateAlgorithmNotAllowed(let role):
            "The \(role) certificate's key or signature is of no allowed kind."
        case .certificateNotYetValid(let role, let date): "The \(role) certificate is not yet valid at \(utc(date))."
        case .certificateExpired(let role, let date): "The \(role) certificate is not valid any more at \(utc(date))."
        case .notAnAuthority(let role): "The \(role) certificate is not a certificate authority's."
        case .pathTooLong(let role): "The \(role) certificate allows fewer authorities below itself."
        case .keyUsageNotAllowed(let role): "The \(role) certificate's key may not be used for this."
        case .unknownCriticalExtension(let role, let identifier):
            "The \(role) certificate has the unknown critical extension \(identifier)."
        case .markerMissing(let role): "The \(role) certificate lacks Apple's mark for its role."
        case .certificateRevoked(let role): "The \(role) certificate was revoked."
        case .creationDateMissing: "The receipt does not tell when it was created."
        case .bundleIdentifierMismatch(let found, let expected):
            "The bundle identifier is \(found ?? "missing"), not \(expected)."
        case .applicationVersionMismatch(let found, let expected):
            "The version is \(found ?? "missing"), not \(expected)."
        case .appAppleIDMismatch(let found, let expected):
            "The app's number is \(found.map(String.init) ?? "missing"), not \(expected)."
        case .environmentNotAccepted(let found):
            "The environment \(found?.rawValue ?? "is missing and") is not accepted."
        case .deviceMismatch: "The receipt was issued to another device."
        case .receiptExpired(let date): "The receipt's term ended at \(utc(date))."
        case .kindMismatch(let found, let expected):
            "The signed data are of kind \(found.rawValue), not \(expected.rawValue)."
        case .transactionMismatch(let found):
            "The signed transaction is \(found ?? "of no identifier"), not the one in question."
        case .purchaseRevoked(let date): "The purchase was taken back at \(utc(date))."
        case .refusedByServer(let reason): "The server refused it: \(reason)."
        }
    }

    /// The same as ``description``.
    public var errorDescription: String? { description }

    private func utc(_ date: Date) -> String {
        // Dates of any size may come from outside, and the formatter is made for ordinary ones.
        abs(date.timeIntervalSince1970) < 1e11 ? date.formatted(.iso8601) : "\(date.timeIntervalSince1970) s after 1970"
    }
}
