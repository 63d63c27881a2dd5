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

    /// The next attribute where it is as nearly all are: the type in two octets, the version in one, and all in less than 128.
    /// A receipt has thousands of them, and this takes a quarter of the time.
    @inline(__always)
    private mutating func nextInShortForm(in bytes: Span<UInt8>) -> Attribute? {
        let start = reader.offset
        guard reader.end - start >= 11, bytes[start] == ASN1Tag.sequence.rawValue, bytes[start + 1] < 0x80,
            bytes[start + 2] == ASN1Tag.integer.rawValue, bytes[start + 3] == 2, bytes[start + 4] < 0x80,
            bytes[start + 6] == ASN1Tag.integer.rawValue, bytes[start + 7] == 1, bytes[start + 8] < 0x80,
            bytes[start + 9] == ASN1Tag.octetString.rawValue
        else { return nil }
        let end = start + 2 + Int(bytes[start + 1])
        guard end <= reader.end, end == start + 11 + Int(bytes[start + 10]) else { return nil }
        reader.skip(to: end)
        return Attribute(
            start: start, type: Int(bytes[start + 4]) << 8 | Int(bytes[start + 5]), version: Int(bytes[start + 8]),
            value: start + 11..<end)
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

    /// A text.
    func text(inAttribute value: Range<Int>) throws -> String {
        try text(try element(inAttribute: value))
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
