/// Where one element lies in the bytes that it was read from.
struct ASN1Element: Sendable {
    /// What the element is.
    let tag: ASN1Tag
    /// Where its identifier stands.
    let start: Int
    /// Its content; for an indefinite length, without the two octets that end it.
    let content: Range<Int>
    /// Where the next element begins.
    let end: Int

    /// The whole element, identifier and length included.
    var encoding: Range<Int> { start..<end }
}

/// The identifier octet of an element: its class, its form and its number.
struct ASN1Tag: Hashable, Sendable {
    let rawValue: UInt8

    init(_ rawValue: UInt8) { self.rawValue = rawValue }

    static let boolean = ASN1Tag(0x01)
    static let integer = ASN1Tag(0x02)
    static let bitString = ASN1Tag(0x03)
    static let octetString = ASN1Tag(0x04)
    static let null = ASN1Tag(0x05)
    static let objectIdentifier = ASN1Tag(0x06)
    static let utf8String = ASN1Tag(0x0C)
    static let numericString = ASN1Tag(0x12)
    static let printableString = ASN1Tag(0x13)
    static let teletexString = ASN1Tag(0x14)
    static let ia5String = ASN1Tag(0x16)
    static let utcTime = ASN1Tag(0x17)
    static let generalizedTime = ASN1Tag(0x18)
    static let visibleString = ASN1Tag(0x1A)
    static let constructedOctetString = ASN1Tag(0x24)
    static let sequence = ASN1Tag(0x30)
    static let set = ASN1Tag(0x31)

    /// Whether the content is made of elements.
    var isConstructed: Bool { rawValue & 0x20 != 0 }

    /// A context-specific tag around other elements.
    static func explicit(_ number: UInt8) -> ASN1Tag { ASN1Tag(0xA0 | number) }
    /// A context-specific tag in place of a primitive element's own.
    static func implicit(_ number: UInt8) -> ASN1Tag { ASN1Tag(0x80 | number) }
}

extension ASN1Tag: CustomStringConvertible {
    var description: String {
        let name: String? =
            switch self {
            case .boolean: "BOOLEAN"
            case .integer: "INTEGER"
            case .bitString: "BIT STRING"
            case .octetString: "OCTET STRING"
            case .null: "NULL"
            case .objectIdentifier: "OBJECT IDENTIFIER"
            case .utf8String: "UTF8String"
            case .ia5String: "IA5String"
            case .utcTime: "UTCTime"
            case .generalizedTime: "GeneralizedTime"
            case .sequence: "SEQUENCE"
            case .set: "SET"
            default: nil
            }
        let hexadecimal = String(rawValue, radix: 16, uppercase: true)
        return name ?? "tag \(hexadecimal)"
    }
}
