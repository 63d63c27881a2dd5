/// A place in some bytes from which one ASN.1 element after another is read.
///
/// The bytes are lent to each call and never copied; what is kept are offsets from their start, checked before they are used.
/// So an error's offset counts from the start of the whole input, however deep the element lies.
struct ASN1Reader {
    /// The rules that lengths follow.
    enum Rules: Sendable {
        /// Definite lengths in their shortest form only (X.690, 10.1), as in certificates.
        case distinguished
        /// Any form, indefinite lengths among them, as Xcode's receipts have.
        case basic
    }

    /// How deep elements of indefinite length may lie in one another. Genuine receipts need six.
    static let maximumDepth = 16

    private(set) var offset: Int
    let end: Int
    let rules: Rules

    /// Reads what lies in `range`.
    init(_ range: Range<Int>, rules: Rules) {
        offset = range.lowerBound
        end = range.upperBound
        self.rules = rules
    }

    var isAtEnd: Bool { offset >= end }

    /// The next element, whatever it is. `name` says in an error what was looked for.
    @inline(__always)
    mutating func read(_ name: String, from bytes: Span<UInt8>) throws -> ASN1Element {
        let start = offset
        // Nearly all elements have a small tag and are shorter than 128 bytes: they need no more than this.
        if end - start >= 2, bytes[start] != 0, bytes[start] & 0x1F != 0x1F, bytes[start + 1] < 0x80 {
            let next = start + 2 + Int(bytes[start + 1])
            if next <= end {
                offset = next
                return ASN1Element(tag: ASN1Tag(bytes[start]), start: start, content: start + 2..<next, end: next)
            }
        }
        return try readAny(name, from: bytes)
    }

    /// The next element, which must have the tag given.
    @inline(__always)
    mutating func read(_ tag: ASN1Tag, _ name: String, from bytes: Span<UInt8>) throws -> ASN1Element {
        guard offset < end, bytes[offset] == tag.rawValue else { throw absence(of: tag, name, in: bytes) }
        return try read(name, from: bytes)
    }

    /// The next element if it has the tag given, else nil and nothing is read.
    mutating func readIfPresent(_ tag: ASN1Tag, from bytes: Span<UInt8>) throws -> ASN1Element? {
        guard offset < end, bytes[offset] == tag.rawValue else { return nil }
        return try read("\(tag)", from: bytes)
    }

    /// Goes on at an offset up to which the caller has read by itself.
    mutating func skip(to offset: Int) { self.offset = offset }

    /// Makes sure that nothing is left.
    @inline(__always)
    func finish(_ name: String) throws {
        guard isAtEnd else { throw surplus(name) }
    }

    @inline(never)
    private func surplus(_ name: String) -> MalformedInput {
        MalformedInput("\(name) has \(end - offset) bytes too many", at: offset)
    }

    /// Makes sure that everything up to the end is made of whole elements, to the innermost ones.
    func checkNesting(in bytes: Span<UInt8>, depth: Int = 0) throws {
        guard depth < Self.maximumDepth else {
            throw MalformedInput("elements lie more than \(Self.maximumDepth) deep in one another", at: offset)
        }
        var reader = self
        while !reader.isAtEnd {
            let element = try reader.read("an element", from: bytes)
            if element.tag.isConstructed { try inside(element).checkNesting(in: bytes, depth: depth + 1) }
        }
    }

    /// Opens an element to read what is inside.
    func inside(_ element: ASN1Element) -> ASN1Reader { ASN1Reader(element.content, rules: rules) }

    @inline(never)
    private mutating func readAny(_ name: String, from bytes: Span<UInt8>) throws -> ASN1Element {
        guard offset < end else { throw MalformedInput("\(name) is missing", at: offset) }
        let element = try Self.element(at: offset, before: end, rules: rules, depth: 0, in: bytes)
        offset = element.end
        return element
    }

    @inline(never)
    private func absence(of tag: ASN1Tag, _ name: String, in bytes: Span<UInt8>) -> MalformedInput {
        guard offset < end else { return MalformedInput("\(name) is missing: \(tag) expected", at: offset) }
        return MalformedInput("\(name) must be \(tag), found \(ASN1Tag(bytes[offset]))", at: offset)
    }

    private static func element(
        at start: Int, before end: Int, rules: Rules, depth: Int, in bytes: Span<UInt8>
    ) throws -> ASN1Element {
        guard end - start >= 2 else { throw MalformedInput("an element is cut off", at: start) }
        let tag = ASN1Tag(bytes[start])
        guard tag.rawValue & 0x1F != 0x1F else { throw MalformedInput("tag numbers above 30 are not used", at: start) }
        guard tag.rawValue != 0 else { throw MalformedInput("end-of-contents without a beginning", at: start) }
        let length = bytes[start + 1]
        if length < 0x80 {
            let content = start + 2
            guard Int(length) <= end - content else { throw overrun(Int(length), start, end - content) }
            let next = content + Int(length)
            return ASN1Element(tag: tag, start: start, content: content..<next, end: next)
        }
        if length == 0x80 {
            return try indefiniteElement(tag, at: start, before: end, rules: rules, depth: depth, in: bytes)
        }
        if length == 0x82, end - start >= 4 {
            // By far the most frequent of the others.
            let value = Int(bytes[start + 2]) << 8 | Int(bytes[start + 3])
            let next = start + 4 + value
            if value > 0xFF, next <= end {
                return ASN1Element(tag: tag, start: start, content: start + 4..<next, end: next)
            }
        }
        let count = Int(length & 0x7F)
        guard count <= 4 else { throw MalformedInput("a length of \(count) octets is more than 4", at: start + 1) }
        let content = start + 2 + count
        guard content <= end else { throw MalformedInput("a length is cut off", at: start + 1) }
        var value = 0
        for index in start + 2..<content { value = value << 8 | Int(bytes[index]) }
        if rules == .distinguished, value < 0x80 || bytes[start + 2] == 0 {
            throw MalformedInput("a length is not in its shortest form", at: start + 1)
        }
        guard value <= end - content else { throw overrun(value, start, end - content) }
        return ASN1Element(tag: tag, start: start, content: content..<content + value, end: content + value)
    }

    /// An element whose content lasts until two zero octets.
    private static func indefiniteElement(
        _ tag: ASN1Tag, at start: Int, before end: Int, rules: Rules, depth: Int, in bytes: Span<UInt8>
    ) throws -> ASN1Element {
        guard rules == .basic else { throw MalformedInput("an indefinite length is not allowed here", at: start + 1) }
        guard tag.isConstructed else {
            throw MalformedInput("a primitive element cannot have an indefinite length", at: start + 1)
        }
        guard depth < maximumDepth else {
            throw MalformedInput("elements lie more than \(maximumDepth) deep in one another", at: start)
        }
        var offset = start + 2
        while true {
            guard end - offset >= 2 else { throw MalformedInput("end-of-contents is missing", at: start) }
            if bytes[offset] == 0, bytes[offset + 1] == 0 {
                return ASN1Element(tag: tag, start: start, content: start + 2..<offset, end: offset + 2)
            }
            offset = try element(at: offset, before: end, rules: rules, depth: depth + 1, in: bytes).end
        }
    }

    private static func overrun(_ length: Int, _ start: Int, _ room: Int) -> MalformedInput {
        MalformedInput("an element of \(length) bytes has room for \(room)", at: start)
    }
}
