import Foundation

extension SignedContainer {
    /// The chain of the one signer, from the certificates in the receipt to a trusted root.
    ///
    /// - Parameter acceptsTrustedSigner: Whether the signer may be a trusted root itself, as in Xcode's receipts.
    func signerChain(to roots: TrustedRoots, acceptsTrustedSigner: Bool) throws -> CertificateChain {
        let certificates = try readCertificates()
        let signer = try signer()
        guard let leaf = certificates.first(where: { isSigner($0, signer) }) else {
            throw Refusal.signerCertificateMissing
        }
        if acceptsTrustedSigner {
            if roots.certificates.contains(where: { $0.encoding == leaf.encoding }) {
                return try CertificateChain(trustedSigner: leaf, for: .appReceipts)
            }
            // Nobody else vouches for it, so what it lacks to be Apple's is of no interest.
            if leaf.isIssued(by: leaf) { throw Refusal.rootNotTrusted }
        }
        return try CertificateChain(from: leaf, through: certificates, to: roots, for: .appReceipts)
    }

    /// The certificates in the receipt.
    func readCertificates() throws -> [Certificate] {
        try certificates.map { range in
            do {
                return try Certificate(bytes.span.copy(range))
            } catch let problem as MalformedInput {
                throw MalformedInput(problem.problem, at: range.lowerBound + problem.offset)
            }
        }
    }

    /// Makes sure that the signer's key signed the content.
    func checkSignature(by key: PublicKey) throws {
        let signer = try signer()
        guard contentType == .data else { throw Refusal.contentTypeNotAllowed(contentType.description) }
        let hash = try hash(of: signer)
        let bytes = bytes.span
        let isValid: Bool
        if let attributes = signer.signedAttributes {
            try checkAttributes(attributes, content, hash)
            // What is signed is the set, not its place in the signer's structure (RFC 5652, 5.4).
            var encoding = bytes.copy(attributes.encoding)
            encoding[0] = ASN1Tag.set.rawValue
            isValid = key.isValid(bytes.extracting(signer.signature), .certificate, over: encoding.span, hash)
        } else {
            isValid = key.isValid(
                bytes.extracting(signer.signature), .certificate, over: content.bytes.span.extracting(content.range),
                hash)
        }
        guard isValid else { throw Refusal.signatureMismatch }
    }

    /// The one signer.
    func signer() throws -> Signer {
        guard signers.count == 1 else { throw Refusal.signerCount(signers.count) }
        return signers[0]
    }

    private func isSigner(_ certificate: Certificate, _ signer: Signer) -> Bool {
        switch signer.identifier {
        case .issuerAndSerialNumber(let issuer, let serialNumber):
            certificate.encoding[certificate.issuer].elementsEqual(bytes[issuer])
                && certificate.encoding[certificate.serialNumber].elementsEqual(bytes[serialNumber])
        case .subjectKeyIdentifier(let identifier):
            certificate.extensions.subjectKeyIdentifier.map {
                certificate.encoding[$0].elementsEqual(bytes[identifier])
            } ?? false
        }
    }

    /// The digest, where every word about it in the receipt agrees.
    private func hash(of signer: Signer) throws -> HashAlgorithm {
        for digest in digestAlgorithms + [signer.digestAlgorithm] where digest != .sha1 && digest != .sha256 {
            throw Refusal.digestNotAllowed(digest.description)
        }
        let hash: HashAlgorithm = signer.digestAlgorithm == .sha1 ? .sha1 : .sha256
        let withHash: ObjectIdentifier = hash == .sha1 ? .sha1WithRSA : .sha256WithRSA
        guard [.rsaEncryption, withHash].contains(signer.signatureAlgorithm),
            digestAlgorithms.contains(signer.digestAlgorithm)
        else { throw Refusal.algorithmNotAllowed(signer.signatureAlgorithm.description) }
        return hash
    }

    /// Makes sure that the signed attributes speak of this content.
    private func checkAttributes(_ attributes: ASN1Element, _ content: Content, _ hash: HashAlgorithm) throws {
        let bytes = bytes.span
        var types: [ASN1Element] = []
        var digests: [ASN1Element] = []
        var reader = ASN1Reader(attributes.encoding, rules: .distinguished)
        var list = reader.inside(try reader.read(.explicit(0), "signed attributes", from: bytes))
        while !list.isAtEnd {
            var attribute = list.inside(try list.read(.sequence, "a signed attribute", from: bytes))
            let type = try bytes.objectIdentifier(attribute.read(.objectIdentifier, "an attribute's type", from: bytes))
            var values = attribute.inside(try attribute.read(.set, "an attribute's values", from: bytes))
            try attribute.finish("a signed attribute")
            while !values.isAtEnd {
                let value = try values.read("an attribute's value", from: bytes)
                if type == .contentType { types.append(value) }
                if type == .messageDigest { digests.append(value) }
            }
        }
        guard types.count == 1, digests.count == 1, types[0].tag == .objectIdentifier, digests[0].tag == .octetString,
            try bytes.objectIdentifier(types[0]) == contentType
        else { throw Refusal.signedAttributesIncomplete }
        let digest = hash.hash(content.bytes.span.extracting(content.range))
        guard bytes.holds(digest, in: digests[0].content) else { throw Refusal.contentDigestMismatch }
    }
}
