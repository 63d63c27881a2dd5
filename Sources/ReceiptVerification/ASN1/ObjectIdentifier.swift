/// The identifiers that receipts and certificates are made of, in their encoded form.
struct ObjectIdentifier: Hashable, Sendable {
    let bytes: [UInt8]

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Reads an OBJECT IDENTIFIER, each of whose numbers must be complete and in its shortest form (X.690, 8.19).
    init(_ element: ASN1Element, in bytes: Span<UInt8>) throws {
        self.bytes = bytes.extracting(element.content).withUnsafeBufferPointer { [UInt8]($0) }
        var isStart = true
        for byte in self.bytes {
            guard !(isStart && byte == 0x80) else {
                throw MalformedInput("an identifier is too long", at: element.start)
            }
            isStart = byte & 0x80 == 0
        }
        guard isStart, !self.bytes.isEmpty else { throw MalformedInput("an identifier is cut off", at: element.start) }
    }

    // RFC 5652
    static let data = ObjectIdentifier([0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x01])
    static let signedData = ObjectIdentifier([0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02])
    static let contentType = ObjectIdentifier([0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x09, 0x03])
    static let messageDigest = ObjectIdentifier([0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x09, 0x04])

    // RFC 3279, RFC 4055, RFC 5480, RFC 5758
    static let sha1 = ObjectIdentifier([0x2B, 0x0E, 0x03, 0x02, 0x1A])
    static let sha256 = ObjectIdentifier([0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01])
    static let rsaEncryption = ObjectIdentifier([0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01])
    static let sha1WithRSA = ObjectIdentifier([0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x05])
    static let sha256WithRSA = ObjectIdentifier([0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x0B])
    static let sha384WithRSA = ObjectIdentifier([0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x0C])
    static let ecPublicKey = ObjectIdentifier([0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01])
    static let p256 = ObjectIdentifier([0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07])
    static let p384 = ObjectIdentifier([0x2B, 0x81, 0x04, 0x00, 0x22])
    static let ecdsaWithSHA256 = ObjectIdentifier([0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03, 0x02])
    static let ecdsaWithSHA384 = ObjectIdentifier([0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03, 0x03])

    // RFC 5280
    static let commonName = ObjectIdentifier([0x55, 0x04, 0x03])
    static let subjectKeyIdentifier = ObjectIdentifier([0x55, 0x1D, 0x0E])
    static let keyUsage = ObjectIdentifier([0x55, 0x1D, 0x0F])
    static let basicConstraints = ObjectIdentifier([0x55, 0x1D, 0x13])

    /// Marks the certificates that sign receipts and transactions: 1.2.840.113635.100.6.11.1.
    static let receiptSigning = ObjectIdentifier([0x2A, 0x86, 0x48, 0x86, 0xF7, 0x63, 0x64, 0x06, 0x0B, 0x01])
    /// Marks Apple's intermediate authorities (WWDR): 1.2.840.113635.100.6.2.1.
    static let developerRelations = ObjectIdentifier([0x2A, 0x86, 0x48, 0x86, 0xF7, 0x63, 0x64, 0x06, 0x02, 0x01])
}

extension ObjectIdentifier: CustomStringConvertible {
    /// The identifier in its dotted form; in hexadecimal where a number of it is beyond all measure.
    var description: String {
        var arcs: [UInt64] = []
        var arc: UInt64 = 0
        for byte in bytes {
            guard arc >> 57 == 0 else { return hexadecimal }
            arc = arc << 7 | UInt64(byte & 0x7F)
            guard byte & 0x80 == 0 else { continue }
            if arcs.isEmpty {
                let first = min(arc / 40, 2)
                arcs = [first, arc - first * 40]
            } else {
                arcs.append(arc)
            }
            arc = 0
        }
        return arcs.map(String.init).joined(separator: ".")
    }

    private var hexadecimal: String { "object identifier " + bytes.hexadecimal }
}

extension Sequence<UInt8> {
    /// The bytes in hexadecimal, two lower-case digits each.
    var hexadecimal: String {
        map { String($0 >> 4, radix: 16) + String($0 & 0x0F, radix: 16) }.joined()
    }
}
