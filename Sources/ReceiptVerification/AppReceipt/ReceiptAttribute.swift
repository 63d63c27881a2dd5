public import Foundation

/// One attribute of a receipt, or of a purchase in it, as it came: of a type that is not known here, or that Apple does not
/// document.
public struct ReceiptAttribute: Hashable, Sendable {
    /// The attribute's number.
    public var type: Int
    /// The version of its form, which says nothing that is known.
    public var version: Int
    /// Its value: mostly an ASN.1 element, with its tag and length.
    public var value: Data

    /// Makes an attribute.
    public init(type: Int, version: Int = 1, value: Data) {
        self.type = type
        self.version = version
        self.value = value
    }
}

/// A set of attributes in a receipt: each is a SEQUENCE of its type, its version and an OCTET STRING. Their order means nothing.
struct AttributeReader {
    /// Where an attribute is.
    struct Attribute {
        let start: Int
        let type: Int
        let version: Int
        /// What is in the OCTET STRING.
        let value: Range<Int>
    }

    private var reader: ASN1Reader
    /// The known types that were met, one bit each.
    private var met: UInt64 = 0

    /// Reads what is in a SET.
    init(_ range: Range<Int>) {
        reader = ASN1Reader(range, rules: .basic)
    }

    /// The next attribute; nil at the end.
    @inline(__always)
    mutating func next(in bytes: Span<UInt8>) throws -> Attribute? {
        if reader.isAtEnd { return nil }
        return try nextInShortForm(in: bytes) ?? nextInAnyForm(in: bytes)
    }

    /// Makes sure that an attribute of a known type is the first of its type.
    ///
    /// - Parameter index: A number from 0 to 63 that no other known type has.
    @inline(__always)
    mutating func checkFirst(_ attribute: Attribute, index: Int) throws {
        let bit: UInt64 = 1 << UInt64(index)
        guard met & bit == 0 else {
            throw MalformedInput("attribute \(attribute.type) appears twice", at: attribute.start)
        }
        met |= bit
    }

    /// The next attribute where it is as nearly all are: the type in two octets, the version in one, and all in less than 128.
    /// A receipt has thousands of them, and this takes a quarter of the time.
    @inline(__always)
    private mutating func nextInShortForm(in bytes: Span<UInt8>) -> Attribute? {
        let start = reader.offset
        guard reader.end - start >= 11 else { return nil }
        // 30 LL 02 02 TT TT 02 01, looked at together: L and T vary, each with its highest bit clear.
        let head = UInt64(littleEndian: bytes.bytes.unsafeLoadUnaligned(fromByteOffset: start, as: UInt64.self))
        guard head & 0xFFFF_0080_FFFF_80FF == 0x0102_0000_0202_0030 else { return nil }
        let (version, tag, length) = (bytes[start + 8], bytes[start + 9], Int(bytes[start + 10]))
        let end = start + 11 + length
        guard version < 0x80, tag == ASN1Tag.octetString.rawValue, Int(head >> 8 & 0xFF) == length + 9,
            end <= reader.end
        else { return nil }
        reader.skip(to: end)
        let type = Int(head >> 24 & 0xFF00 | head >> 40 & 0xFF)
        return Attribute(start: start, type: type, version: Int(version), value: start + 11..<end)
    }

    private mutating func nextInAnyForm(in bytes: Span<UInt8>) throws -> Attribute {
        let element = try reader.read(.sequence, "an attribute", from: bytes)
        var fields = reader.inside(element)
        let type = try fields.read(.integer, "an attribute's type", from: bytes)
        let version = try fields.read(.integer, "an attribute's version", from: bytes)
        let value = try fields.read(.octetString, "an attribute's value", from: bytes)
        try fields.finish("an attribute")
        return Attribute(
            start: element.start, type: Int(clamping: try bytes.integer(type)),
            version: Int(clamping: try bytes.integer(version)), value: value.content)
    }
}

/// The values of attributes.
extension Span<UInt8> {
    /// The one element that an attribute's value is.
    func element(inAttribute value: Range<Int>) throws -> ASN1Element {
        var reader = ASN1Reader(value, rules: .basic)
        let element = try reader.read("an attribute's value", from: self)
        try reader.finish("an attribute's value")
        return element
    }

    /// A number.
    func integer(inAttribute value: Range<Int>) throws -> Int64 {
        let element = try element(inAttribute: value)
        guard element.tag == .integer else {
            throw MalformedInput("an attribute must be INTEGER, found \(element.tag)", at: element.start)
        }
        return try integer(element)
    }

    /// A text; `known` itself where it is the same.
    func text(inAttribute value: Range<Int>, orSameAs known: String? = nil) throws -> String {
        let element = try element(inAttribute: value)
        if let known, element.tag == .utf8String, isText(known, in: element.content) { return known }
        return try text(element)
    }

    /// A date; nil where the text is empty, which is how Apple writes "none".
    func date(inAttribute value: Range<Int>) throws -> Date? {
        let element = try element(inAttribute: value)
        guard element.tag == .ia5String || element.tag == .utf8String else { return try noDate(element) }
        if element.content.isEmpty { return nil }
        return try date(in: element.content) ?? noDate(element)
    }

    private func noDate(_ element: ASN1Element) throws -> Date {
        throw MalformedInput("a date must be text like 2024-01-31T23:59:59Z", at: element.start)
    }

    /// A copy of some bytes.
    func data(_ range: Range<Int>) -> Data {
        extracting(range).withUnsafeBufferPointer { Data($0) }
    }
}

/// The set of attributes that something was read from. Two are equal where they hold the same bytes.
struct AttributeSource: Hashable, Sendable {
    /// The bytes that the set lies in.
    let bytes: ContiguousArray<UInt8>
    /// The set's content.
    let range: Range<Int>

    /// The attributes of the types wanted. The set was read before, so that none is unreadable.
    func attributes(where isWanted: (Int) -> Bool) -> [ReceiptAttribute] {
        let span = bytes.span
        var result: [ReceiptAttribute] = []
        var reader = AttributeReader(range)
        while let attribute = try? reader.next(in: span) {
            guard isWanted(attribute.type) else { continue }
            result.append(
                ReceiptAttribute(type: attribute.type, version: attribute.version, value: span.data(attribute.value)))
        }
        return result
    }

    static func == (left: AttributeSource, right: AttributeSource) -> Bool {
        left.bytes[left.range] == right.bytes[right.range]
    }

    func hash(into hasher: inout Hasher) { hasher.combine(bytes[range]) }
}
