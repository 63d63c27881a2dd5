public import Foundation

/// A certificate that came with a receipt or a JWS, for people to look at. That it is there proves nothing.
public struct SigningCertificate: Hashable, Sendable {
    /// Whom it names; nil where it does not tell.
    public let commonName: String?
    /// When it begins to be valid.
    public let notBefore: Date
    /// When it is valid for the last time.
    public let notAfter: Date
    /// The certificate, DER.
    public let encoding: Data

    init(_ certificate: Certificate) {
        commonName = certificate.commonName
        notBefore = certificate.notBefore
        notAfter = certificate.notAfter
        encoding = Data(certificate.encoding)
    }
}

extension AppReceipt {
    /// The certificates in the receipt, in no particular order.
    ///
    /// - Throws: ``MalformedInput`` where one cannot be read.
    public func unverifiedCertificates() throws -> [SigningCertificate] {
        try container.readCertificates().map(SigningCertificate.init)
    }
}

extension SignedData {
    /// The certificates in the header, the signer's first.
    ///
    /// - Throws: ``MalformedInput`` where the header or a certificate cannot be read.
    public func unverifiedCertificates() throws -> [SigningCertificate] {
        let header = try jws.decodeHeader()
        return try (header.x5c ?? []).indices.map { SigningCertificate(try header.certificate($0)) }
    }
}
