/// What a certificate may be used for, and what it is marked as.
struct CertificateExtensions: Sendable {
    /// Whether it may issue certificates.
    private(set) var isAuthority = false
    /// How many authorities may stand between it and the certificate at the end; nil for any number.
    private(set) var pathLength: Int?
    /// Whether its key may sign data; certificates that do not restrict their key may.
    private(set) var maySignData = true
    /// Whether its key may sign certificates.
    private(set) var maySignCertificates = true
    /// Whether it is marked as a signer of receipts and transactions.
    private(set) var isMarkedReceiptSigning = false
    /// Whether it is marked as Apple's intermediate authority.
    private(set) var isMarkedDeveloperRelations = false
    /// The name of its key, as encoded.
    private(set) var subjectKeyIdentifier: Range<Int>?
    /// An extension that nobody may ignore and that is not known here.
    private(set) var unknownCritical: ObjectIdentifier?

    /// A certificate without extensions.
    init() {}

    /// Reads the extensions in the element around them.
    init(_ element: ASN1Element, in bytes: Span<UInt8>) throws {
        var wrapper = ASN1Reader(element.content, rules: .distinguished)
        var list = wrapper.inside(try wrapper.read(.sequence, "a certificate's extensions", from: bytes))
        try wrapper.finish("a certificate's extensions")
        var seen: Set<ObjectIdentifier> = []
        while !list.isAtEnd {
            var reader = list.inside(try list.read(.sequence, "an extension", from: bytes))
            let identifier = try reader.read(.objectIdentifier, "an extension's identifier", from: bytes)
            let critical = try reader.readIfPresent(.boolean, from: bytes)
            let value = try reader.read(.octetString, "an extension's value", from: bytes)
            try reader.finish("an extension")
            let type = try bytes.objectIdentifier(identifier)
            guard seen.insert(type).inserted else {
                throw MalformedInput("extension \(type) appears twice", at: identifier.start)
            }
            let isCritical = try critical.map { try bytes.boolean($0) } ?? false
            try read(type, isCritical, value, in: bytes)
        }
    }

    private mutating func read(
        _ type: ObjectIdentifier, _ isCritical: Bool, _ value: ASN1Element, in bytes: Span<UInt8>
    ) throws {
        switch type {
        case .basicConstraints: try readBasicConstraints(value, in: bytes)
        case .keyUsage: try readKeyUsage(value, in: bytes)
        case .subjectKeyIdentifier:
            var reader = ASN1Reader(value.content, rules: .distinguished)
            subjectKeyIdentifier = try reader.read(.octetString, "a key's identifier", from: bytes).content
            try reader.finish("a key's identifier")
        case .receiptSigning: isMarkedReceiptSigning = true
        case .developerRelations: isMarkedDeveloperRelations = true
        default: if isCritical { unknownCritical = type }
        }
    }

    private mutating func readBasicConstraints(_ value: ASN1Element, in bytes: Span<UInt8>) throws {
        var reader = ASN1Reader(value.content, rules: .distinguished)
        var fields = reader.inside(try reader.read(.sequence, "basic constraints", from: bytes))
        try reader.finish("basic constraints")
        isAuthority = try fields.readIfPresent(.boolean, from: bytes).map { try bytes.boolean($0) } ?? false
        pathLength = try fields.readIfPresent(.integer, from: bytes).map { try bytes.count($0) }
        try fields.finish("basic constraints")
    }

    private mutating func readKeyUsage(_ value: ASN1Element, in bytes: Span<UInt8>) throws {
        var reader = ASN1Reader(value.content, rules: .distinguished)
        let bits = try reader.read(.bitString, "a key usage", from: bytes)
        try reader.finish("a key usage")
        guard let unusedBits = bits.content.first, bytes[unusedBits] < 8, bits.content.count > 1 else {
            throw MalformedInput("a key usage has no bits", at: bits.start)
        }
        // Bit 0, the highest, is digitalSignature; bit 5 is keyCertSign (RFC 5280, 4.2.1.3).
        let usage = bytes[unusedBits + 1]
        maySignData = usage & 0x80 != 0
        maySignCertificates = usage & 0x04 != 0
    }
}
