import Foundation

/// An X.509 certificate (RFC 5280), read in its distinguished encoding.
struct Certificate: Sendable {
    /// The whole certificate.
    let encoding: ContiguousArray<UInt8>
    /// What the issuer signed.
    let signedPart: Range<Int>
    /// The serial number's octets.
    let serialNumber: Range<Int>
    /// Who issued it, as encoded. Names are compared octet by octet.
    let issuer: Range<Int>
    /// Whom it names, as encoded.
    let subject: Range<Int>
    /// When it begins to be valid.
    let notBefore: Date
    /// When it is valid for the last time.
    let notAfter: Date
    /// The kind of its key; nil for kinds that are not used here.
    let keyType: KeyType?
    /// The key: a point of a curve, or the encoding of an RSA key.
    let keyBits: Range<Int>
    /// How the issuer signed it.
    let signatureAlgorithm: ObjectIdentifier
    /// The issuer's signature.
    let signature: Range<Int>
    /// What the certificate may be used for.
    let extensions: CertificateExtensions

    /// Reads a certificate. An error's offset counts from its first octet.
    init(_ encoding: ContiguousArray<UInt8>) throws {
        let bytes = encoding.span
        var file = ASN1Reader(0..<bytes.count, rules: .distinguished)
        let certificate = try file.read(.sequence, "a certificate", from: bytes)
        try file.finish("a certificate")
        try file.inside(certificate).checkNesting(in: bytes)
        var outer = file.inside(certificate)
        let signedPart = try outer.read(.sequence, "a certificate's content", from: bytes)
        let algorithm = try outer.read(.sequence, "a certificate's signature algorithm", from: bytes)
        let signature = try outer.read(.bitString, "a certificate's signature", from: bytes)
        try outer.finish("a certificate")

        var inner = outer.inside(signedPart)
        let version = try inner.read(.explicit(0), "a certificate's version", from: bytes)
        guard bytes.holds([0x02, 0x01, 0x02], in: version.content) else {
            throw MalformedInput("a certificate must have version 3", at: version.start)
        }
        let serialNumber = try inner.read(.integer, "a serial number", from: bytes)
        guard bytes.isShortestInteger(serialNumber) else {
            throw MalformedInput("a serial number is not in its shortest form", at: serialNumber.start)
        }
        let innerAlgorithm = try inner.read(.sequence, "a certificate's signature algorithm", from: bytes)
        guard bytes.holdsSame(innerAlgorithm.encoding, algorithm.encoding) else {
            throw MalformedInput("a certificate names two different signature algorithms", at: algorithm.start)
        }
        let issuer = try bytes.name(&inner, "an issuer")
        let validity = try inner.read(.sequence, "a validity", from: bytes)
        let subject = try bytes.name(&inner, "a subject")
        let key = try inner.read(.sequence, "a public key", from: bytes)
        _ = try inner.readIfPresent(.implicit(1), from: bytes)
        _ = try inner.readIfPresent(.implicit(2), from: bytes)
        let extensions = try inner.readIfPresent(.explicit(3), from: bytes)
        try inner.finish("a certificate's content")

        var dates = inner.inside(validity)
        notBefore = try bytes.certificateDate(try dates.read("a first date", from: bytes))
        notAfter = try bytes.certificateDate(try dates.read("a last date", from: bytes))
        try dates.finish("a validity")
        (keyType, keyBits) = try bytes.publicKey(key)
        signatureAlgorithm = try bytes.algorithm(algorithm)
        self.encoding = encoding
        self.signedPart = signedPart.encoding
        self.serialNumber = serialNumber.content
        self.issuer = issuer.encoding
        self.subject = subject.encoding
        self.signature = try bytes.octets(ofBitString: signature)
        self.extensions = try extensions.map { try CertificateExtensions($0, in: bytes) } ?? CertificateExtensions()
    }

    /// Whether the certificate says that it was issued by the other one. The signature is another matter.
    func isIssued(by other: Certificate) -> Bool {
        encoding[issuer].elementsEqual(other.encoding[other.subject])
    }

    /// The key, ready for use.
    func makePublicKey() throws -> PublicKey {
        let bytes = encoding.span
        switch keyType {
        case .p256, .p384: return try PublicKey(keyType ?? .p256, point: bytes.extracting(keyBits))
        case .rsa:
            let (modulus, exponent) = try bytes.rsaKey(keyBits)
            return try PublicKey(
                modulus: bytes.extracting(modulus), exponent: bytes.extracting(exponent),
                encoding: bytes.extracting(keyBits))
        case nil: throw MalformedInput("a key of this kind is not used here", at: keyBits.lowerBound)
        }
    }

    /// The common name in the subject, for people to read; nil where there is none.
    var commonName: String? {
        let bytes = encoding.span
        return try? bytes.commonName(subject)
    }
}

/// The parts of a certificate.
extension Span<UInt8> {
    /// The identifier in an AlgorithmIdentifier, whose parameters must be absent or NULL.
    func algorithm(_ element: ASN1Element, rules: ASN1Reader.Rules = .distinguished) throws -> ObjectIdentifier {
        var reader = ASN1Reader(element.content, rules: rules)
        let identifier = try reader.read(.objectIdentifier, "an algorithm", from: self)
        if let null = try reader.readIfPresent(.null, from: self), !null.content.isEmpty {
            throw MalformedInput("a NULL must be empty", at: null.start)
        }
        try reader.finish("an algorithm")
        return try objectIdentifier(identifier)
    }

    /// Whether an INTEGER has no octet too many.
    fileprivate func isShortestInteger(_ element: ASN1Element) -> Bool {
        let content = element.content
        guard content.count > 1 else { return content.count == 1 }
        let (first, second) = (self[content.lowerBound], self[content.lowerBound + 1])
        return !(first == 0x00 && second & 0x80 == 0) && !(first == 0xFF && second & 0x80 != 0)
    }

    fileprivate func publicKey(_ element: ASN1Element) throws -> (KeyType?, Range<Int>) {
        var reader = ASN1Reader(element.content, rules: .distinguished)
        let algorithm = try reader.read(.sequence, "a key's algorithm", from: self)
        let bits = try octets(ofBitString: reader.read(.bitString, "a key", from: self))
        try reader.finish("a public key")
        var parameters = reader.inside(algorithm)
        let kind = try objectIdentifier(parameters.read(.objectIdentifier, "a key's algorithm", from: self))
        switch kind {
        case .rsaEncryption:
            _ = try self.algorithm(algorithm)
            return (try rsaKeyIsAllowed(bits) ? .rsa : nil, bits)
        case .ecPublicKey:
            guard let curve = try parameters.readIfPresent(.objectIdentifier, from: self) else { return (nil, bits) }
            try parameters.finish("a key's algorithm")
            let isUncompressed = bits.first.map { self[$0] == 0x04 } ?? false
            switch (try objectIdentifier(curve), bits.count) {
            case (.p256, 65) where isUncompressed: return (.p256, bits)
            case (.p384, 97) where isUncompressed: return (.p384, bits)
            default: return (nil, bits)
            }
        default: return (nil, bits)
        }
    }

    /// The octets of an RSA key's two numbers (RFC 8017, A.1.1).
    fileprivate func rsaKey(_ range: Range<Int>) throws -> (modulus: Range<Int>, exponent: Range<Int>) {
        var reader = ASN1Reader(range, rules: .distinguished)
        let key = try reader.read(.sequence, "an RSA key", from: self)
        try reader.finish("an RSA key")
        var numbers = reader.inside(key)
        let modulus = try numbers.read(.integer, "a modulus", from: self)
        let exponent = try numbers.read(.integer, "an exponent", from: self)
        try numbers.finish("an RSA key")
        guard isShortestInteger(modulus), isShortestInteger(exponent) else {
            throw MalformedInput("a number of an RSA key is not in its shortest form", at: key.start)
        }
        return (modulus.content, exponent.content)
    }

    /// RSA keys of 2048 to 4096 bits with a small, odd exponent, such as all of Apple's; larger ones only cost time.
    private func rsaKeyIsAllowed(_ range: Range<Int>) throws -> Bool {
        let (modulus, exponent) = try rsaKey(range)
        let octets = self[modulus.lowerBound] == 0 ? modulus.dropFirst() : modulus
        guard self[modulus.lowerBound] & 0x80 == 0, self[exponent.lowerBound] & 0x80 == 0,
            256...512 ~= octets.count, exponent.count <= 4, let last = exponent.last
        else { return false }
        return self[octets.lowerBound] & 0x80 != 0 && self[last] & 1 == 1 && (exponent.count > 1 || self[last] >= 3)
    }
}
