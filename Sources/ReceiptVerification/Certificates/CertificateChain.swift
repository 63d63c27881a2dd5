import Foundation

/// A chain of certificates from a signer to a trusted root, every rule checked that does not depend on a date.
///
/// The rules are those of RFC 5280, 6.1, for Apple's two uses: a signer marked for receipts, one intermediate authority marked
/// as Apple's, and the root. A longer or shorter chain, or one without the marks, proves nothing: anybody with a developer
/// certificate has a chain to the same root.
struct CertificateChain: Sendable {
    /// What a chain is for.
    enum Purpose: Sendable {
        /// Signing app receipts, with RSA.
        case appReceipts
        /// Signing JWS, with P-256.
        case signedData

        var leafKey: KeyType { self == .appReceipts ? .rsa : .p256 }
    }

    /// One certificate of the chain.
    struct Link: Sendable {
        let role: CertificateRole
        let certificate: Certificate
    }

    /// The certificates from the signer's to the root's.
    let links: [Link]
    /// The signer's key.
    let leafKey: PublicKey

    /// Looks for a chain from a signer to a root and checks it.
    ///
    /// - Parameters:
    ///   - leaf: The signer's certificate.
    ///   - others: Where the intermediate certificate is looked for, in any order. A root among them is not believed.
    init(
        from leaf: Certificate, through others: [Certificate], to roots: TrustedRoots, for purpose: Purpose
    ) throws {
        guard leaf.keyType == purpose.leafKey else { throw Refusal.certificateAlgorithmNotAllowed(.leaf) }
        guard leaf.extensions.isMarkedReceiptSigning else { throw Refusal.markerMissing(.leaf) }
        guard leaf.extensions.maySignData else { throw Refusal.keyUsageNotAllowed(.leaf) }
        try Self.checkExtensions(leaf, .leaf)
        links = try Self.links(from: leaf, through: others, to: roots)
        leafKey = try Self.key(of: leaf, .leaf)
    }

    /// The chain of a signer that is itself trusted, as Xcode's is.
    init(trustedSigner: Certificate, for purpose: Purpose) throws {
        guard trustedSigner.keyType == purpose.leafKey else { throw Refusal.certificateAlgorithmNotAllowed(.leaf) }
        links = [Link(role: .leaf, certificate: trustedSigner)]
        leafKey = try Self.key(of: trustedSigner, .leaf)
    }

    /// Makes sure that every certificate of the chain was valid at a date.
    func checkValidity(at date: Date) throws {
        for link in links {
            if date < link.certificate.notBefore { throw Refusal.certificateNotYetValid(link.role, at: date) }
            if date > link.certificate.notAfter { throw Refusal.certificateExpired(link.role, at: date) }
        }
    }

    private static func links(
        from leaf: Certificate, through others: [Certificate], to roots: TrustedRoots
    ) throws -> [Link] {
        let issuers = others.filter { leaf.isIssued(by: $0) && $0.encoding != leaf.encoding }
        // Names may be used twice, so every certificate of the name is tried; the last refusal is as good as any other.
        var refusal: Refusal = roots.certificates.contains(where: leaf.isIssued) ? .chainLength(2) : .rootNotTrusted
        for intermediate in issuers {
            for root in roots.roots where intermediate.isIssued(by: root.certificate) {
                do {
                    try Self.check(leaf, intermediate, root)
                    return [
                        Link(role: .leaf, certificate: leaf), Link(role: .intermediate, certificate: intermediate),
                        Link(role: .root, certificate: root.certificate),
                    ]
                } catch let problem as Refusal {
                    refusal = problem
                }
            }
        }
        if case .rootNotTrusted = refusal, let length = Self.length(from: leaf, through: others, to: roots), length != 3
        {
            refusal = .chainLength(length)
        }
        throw refusal
    }

    private static func check(
        _ leaf: Certificate, _ intermediate: Certificate, _ root: TrustedRoots.Root
    ) throws {
        guard intermediate.extensions.isMarkedDeveloperRelations else { throw Refusal.markerMissing(.intermediate) }
        for (certificate, role, authoritiesBelow) in [
            (intermediate, CertificateRole.intermediate, 0), (root.certificate, .root, 1),
        ] {
            let extensions = certificate.extensions
            guard extensions.isAuthority else { throw Refusal.notAnAuthority(role) }
            guard extensions.maySignCertificates else { throw Refusal.keyUsageNotAllowed(role) }
            guard extensions.pathLength.map({ $0 >= authoritiesBelow }) ?? true else { throw Refusal.pathTooLong(role) }
            try checkExtensions(certificate, role)
        }
        try checkSignature(of: leaf, .leaf, by: try key(of: intermediate, .intermediate))
        guard let rootKey = root.key else { throw Refusal.certificateAlgorithmNotAllowed(.root) }
        try checkSignature(of: intermediate, .intermediate, by: rootKey)
    }

    private static func checkExtensions(_ certificate: Certificate, _ role: CertificateRole) throws {
        if let unknown = certificate.extensions.unknownCritical {
            throw Refusal.unknownCriticalExtension(role, unknown.description)
        }
    }

    private static func key(of certificate: Certificate, _ role: CertificateRole) throws -> PublicKey {
        guard certificate.keyType != nil, let key = try? certificate.makePublicKey() else {
            throw Refusal.certificateAlgorithmNotAllowed(role)
        }
        return key
    }

    private static func checkSignature(
        of certificate: Certificate, _ role: CertificateRole, by issuer: PublicKey
    ) throws {
        let hash: HashAlgorithm? =
            switch (certificate.signatureAlgorithm, issuer.type) {
            case (.sha1WithRSA, .rsa): .sha1
            case (.sha256WithRSA, .rsa), (.ecdsaWithSHA256, .p256), (.ecdsaWithSHA256, .p384): .sha256
            case (.sha384WithRSA, .rsa), (.ecdsaWithSHA384, .p256), (.ecdsaWithSHA384, .p384): .sha384
            default: nil
            }
        guard let hash else { throw Refusal.certificateAlgorithmNotAllowed(role) }
        let bytes = certificate.encoding.span
        guard
            issuer.isValid(
                bytes.extracting(certificate.signature), .certificate, over: bytes.extracting(certificate.signedPart),
                hash)
        else { throw Refusal.certificateSignatureMismatch(role) }
    }

    /// How many certificates a chain has by its names alone; nil where the names lead to no root.
    private static func length(from leaf: Certificate, through others: [Certificate], to roots: TrustedRoots) -> Int? {
        var certificate = leaf
        for length in 2...others.count + 2 {
            if roots.certificates.contains(where: certificate.isIssued) { return length }
            guard
                let issuer = others.first(where: { certificate.isIssued(by: $0) && $0.encoding != certificate.encoding }
                )
            else { return nil }
            certificate = issuer
        }
        return nil
    }
}

/// Two chains are equal where they are made of the same certificates.
extension CertificateChain: Hashable {
    static func == (left: CertificateChain, right: CertificateChain) -> Bool {
        left.links.map(\.certificate.encoding) == right.links.map(\.certificate.encoding)
    }

    func hash(into hasher: inout Hasher) { hasher.combine(links.map(\.certificate.encoding)) }
}
