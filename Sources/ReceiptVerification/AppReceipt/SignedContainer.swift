import Foundation

/// The envelope of an app receipt: a PKCS#7 SignedData (RFC 5652) around the receipt's content, taken apart but not checked.
struct SignedContainer: Sendable {
    /// The most certificates that a receipt may hold. Apple's hold three.
    static let maximumCertificateCount = 16

    /// The whole receipt, in binary form.
    let bytes: ContiguousArray<UInt8>
    /// The type of the content.
    let contentType: ObjectIdentifier
    /// What was signed.
    let content: Content
    /// The digests that are announced before the content.
    let digestAlgorithms: [ObjectIdentifier]
    /// Where the certificates lie, each of them and all together.
    let certificates: [Range<Int>]
    let allCertificates: Range<Int>
    /// Who signed.
    let signers: [Signer]

    /// Where the content is: mostly in one piece in the receipt itself, else in bytes that were joined together.
    struct Content: Sendable {
        let bytes: ContiguousArray<UInt8>
        let range: Range<Int>
    }

    /// One SignerInfo.
    struct Signer: Sendable {
        /// How the signer's certificate is named.
        let identifier: Identifier
        /// Where that name lies.
        let identifierEncoding: Range<Int>
        let digestAlgorithm: ObjectIdentifier
        /// The signed attributes with their tag; nil where the signature is over the content itself, as in Apple's receipts.
        let signedAttributes: ASN1Element?
        let signatureAlgorithm: ObjectIdentifier
        let signature: Range<Int>

        /// Whether the certificate is named by its key and not by its issuer, for which the versions are other ones.
        var isNamedByKey: Bool { if case .subjectKeyIdentifier = identifier { true } else { false } }
    }

    /// How a SignerInfo names a certificate.
    enum Identifier: Sendable {
        case issuerAndSerialNumber(issuer: Range<Int>, serialNumber: Range<Int>)
        case subjectKeyIdentifier(Range<Int>)
    }

    /// Takes a receipt in binary form apart.
    init(_ bytes: ContiguousArray<UInt8>) throws {
        self.bytes = bytes
        let span = bytes.span
        var file = ASN1Reader(0..<span.count, rules: .basic)
        var info = file.inside(try file.read(.sequence, "a receipt", from: span))
        try file.finish("a receipt")
        let type = try info.read(.objectIdentifier, "a receipt's type", from: span)
        guard try span.objectIdentifier(type) == .signedData else {
            throw MalformedInput("a receipt must be PKCS#7 signed data", at: type.start)
        }
        var wrapper = info.inside(try info.read(.explicit(0), "signed data", from: span))
        try info.finish("a receipt")
        var data = wrapper.inside(try wrapper.read(.sequence, "signed data", from: span))
        try wrapper.finish("signed data")

        let version = try data.read(.integer, "a version", from: span)
        var digests = data.inside(try data.read(.set, "the digest algorithms", from: span))
        var digestAlgorithms: [ObjectIdentifier] = []
        while !digests.isAtEnd {
            let digest = try digests.read(.sequence, "a digest algorithm", from: span)
            digestAlgorithms.append(try span.algorithm(digest, rules: .basic))
        }
        self.digestAlgorithms = digestAlgorithms

        var content = data.inside(try data.read(.sequence, "the content", from: span))
        contentType = try span.objectIdentifier(content.read(.objectIdentifier, "the content's type", from: span))
        var octets = content.inside(try content.read(.explicit(0), "what was signed", from: span))
        try content.finish("the content")
        self.content = try Self.content(try octets.read("what was signed", from: span), in: bytes)
        try octets.finish("what was signed")

        let certificates = try data.readIfPresent(.explicit(0), from: span)
        allCertificates = certificates?.content ?? 0..<0
        self.certificates = try certificates.map { try Self.elements(of: data.inside($0), in: span) } ?? []
        _ = try data.readIfPresent(.explicit(1), from: span)
        var signers = data.inside(try data.read(.set, "the signers", from: span))
        var list: [Signer] = []
        while !signers.isAtEnd {
            let signer = try signers.read(.sequence, "a signer", from: span)
            list.append(try Signer(signers.inside(signer), in: span))
        }
        self.signers = list
        try data.finish("signed data")
        let expectedVersion: Int64 = list.contains(where: \.isNamedByKey) ? 3 : 1
        guard try span.integer(version) == expectedVersion else {
            throw MalformedInput("the version of signed data must be \(expectedVersion)", at: version.start)
        }
    }

    private static func elements(of reader: ASN1Reader, in span: Span<UInt8>) throws -> [Range<Int>] {
        var reader = reader
        var ranges: [Range<Int>] = []
        while !reader.isAtEnd {
            let certificate = try reader.read(.sequence, "a certificate", from: span)
            guard ranges.count < maximumCertificateCount else {
                throw MalformedInput(
                    "there are more than \(maximumCertificateCount) certificates", at: certificate.start)
            }
            ranges.append(certificate.encoding)
        }
        return ranges
    }

    /// The octets of a string that may be made of pieces (X.690, 8.7.3), as Xcode's receipts have it.
    private static func content(_ string: ASN1Element, in bytes: ContiguousArray<UInt8>) throws -> Content {
        if string.tag == .octetString { return Content(bytes: bytes, range: string.content) }
        guard string.tag == .constructedOctetString else {
            throw MalformedInput("the content must be OCTET STRING, found \(string.tag)", at: string.start)
        }
        let span = bytes.span
        var pieces: [Range<Int>] = []
        var reader = ASN1Reader(string.content, rules: .basic)
        while !reader.isAtEnd {
            pieces.append(try reader.read(.octetString, "a piece of the content", from: span).content)
        }
        if pieces.count == 1 { return Content(bytes: bytes, range: pieces[0]) }
        var joined = ContiguousArray<UInt8>()
        joined.reserveCapacity(string.content.count)
        for piece in pieces { span.extracting(piece).withUnsafeBufferPointer { joined.append(contentsOf: $0) } }
        return Content(bytes: joined, range: 0..<joined.count)
    }
}

extension SignedContainer.Signer {
    fileprivate init(_ reader: ASN1Reader, in span: Span<UInt8>) throws {
        var reader = reader
        let version = try reader.read(.integer, "a signer's version", from: span)
        let name = try reader.read("a signer's name", from: span)
        identifierEncoding = name.encoding
        switch (name.tag, try span.integer(version)) {
        case (.sequence, 1):
            var parts = reader.inside(name)
            let issuer = try parts.read(.sequence, "a signer's issuer", from: span)
            let serialNumber = try parts.read(.integer, "a signer's serial number", from: span)
            try parts.finish("a signer's name")
            identifier = .issuerAndSerialNumber(issuer: issuer.encoding, serialNumber: serialNumber.content)
        case (.implicit(0), 3): identifier = .subjectKeyIdentifier(name.content)
        default:
            throw MalformedInput(
                "a signer must be named by issuer (version 1) or by key (version 3)", at: version.start)
        }
        digestAlgorithm = try span.algorithm(
            reader.read(.sequence, "a signer's digest algorithm", from: span), rules: .basic)
        signedAttributes = try reader.readIfPresent(.explicit(0), from: span)
        signatureAlgorithm = try span.algorithm(
            reader.read(.sequence, "a signature algorithm", from: span), rules: .basic)
        signature = try reader.read(.octetString, "a signature", from: span).content
        _ = try reader.readIfPresent(.explicit(1), from: span)
        try reader.finish("a signer")
    }
}
