import Foundation

/// What the content of primitive elements says.
extension Span<UInt8> {
    /// An INTEGER of at most 64 bits.
    @inline(__always)
    func integer(_ element: ASN1Element) throws -> Int64 {
        let content = element.content
        switch content.count {
        case 1: return Int64(Int8(bitPattern: self[content.lowerBound]))
        case 2:
            let octets = UInt16(self[content.lowerBound]) << 8 | UInt16(self[content.lowerBound + 1])
            return Int64(Int16(bitPattern: octets))
        default: return try longInteger(element)
        }
    }

    private func longInteger(_ element: ASN1Element) throws -> Int64 {
        let content = element.content
        guard !content.isEmpty else { throw MalformedInput("an INTEGER is empty", at: element.start) }
        guard content.count <= 8 else { throw MalformedInput("an INTEGER has more than 64 bits", at: element.start) }
        var value: Int64 = self[content.lowerBound] & 0x80 == 0 ? 0 : -1
        for index in content { value = value << 8 | Int64(self[index]) }
        return value
    }

    /// An INTEGER that counts something, from 0 to the largest `Int` of the platform.
    func count(_ element: ASN1Element) throws -> Int {
        guard let value = Int(exactly: try integer(element)), value >= 0 else {
            throw MalformedInput("an INTEGER is out of range", at: element.start)
        }
        return value
    }

    /// An OBJECT IDENTIFIER.
    func objectIdentifier(_ element: ASN1Element) throws -> ObjectIdentifier {
        try ObjectIdentifier(element, in: self)
    }

    /// A BOOLEAN, in its distinguished form.
    func boolean(_ element: ASN1Element) throws -> Bool {
        guard element.content.count == 1, [0x00, 0xFF].contains(self[element.content.lowerBound]) else {
            throw MalformedInput("a BOOLEAN must be one octet, 00 or FF", at: element.start)
        }
        return self[element.content.lowerBound] == 0xFF
    }

    /// The octets of a BIT STRING that is made of whole octets.
    func octets(ofBitString element: ASN1Element) throws -> Range<Int> {
        guard let unusedBits = element.content.first, self[unusedBits] == 0 else {
            throw MalformedInput("a BIT STRING must be made of whole octets", at: element.start)
        }
        return element.content.dropFirst()
    }

    /// A string of any of the types that receipts use.
    func text(_ element: ASN1Element) throws -> String {
        switch element.tag {
        case .utf8String, .ia5String, .printableString, .visibleString: break
        default: throw MalformedInput("text must be UTF8String or IA5String, found \(element.tag)", at: element.start)
        }
        guard let text = text(in: element.content) else {
            throw MalformedInput("text is not UTF-8", at: element.content.lowerBound)
        }
        return text
    }

    /// The UTF-8 text in a range; nil where it is not UTF-8.
    func text(in range: Range<Int>) -> String? {
        extracting(range).withUnsafeBufferPointer { buffer in
            let text = String(decoding: buffer, as: UTF8.self)
            // Invalid sequences would be replaced, so all but plain ASCII is compared with what it was made from.
            let isASCII = buffer.reduce(0, |) < 0x80
            return isASCII || text.utf8.elementsEqual(buffer) ? text : nil
        }
    }

    /// Whether a range holds exactly a text in UTF-8.
    func isText(_ text: String, in range: Range<Int>) -> Bool {
        text.utf8.withContiguousStorageIfAvailable { isSame($0, as: range) } ?? false
    }

    private func isSame(_ other: UnsafeBufferPointer<UInt8>, as range: Range<Int>) -> Bool {
        guard other.count == range.count, let start = other.baseAddress else { return false }
        return extracting(range).withUnsafeBytes { bytes in
            bytes.baseAddress.map { memcmp($0, start, other.count) == 0 } ?? false
        }
    }

    /// Whether a range holds exactly the bytes given.
    func holds(_ bytes: [UInt8], in range: Range<Int>) -> Bool {
        guard range.count == bytes.count else { return false }
        for (index, byte) in zip(range, bytes) where self[index] != byte { return false }
        return true
    }

    /// Whether two ranges hold the same bytes.
    func holdsSame(_ first: Range<Int>, _ second: Range<Int>) -> Bool {
        guard first.count == second.count else { return false }
        for (left, right) in zip(first, second) where self[left] != self[right] { return false }
        return true
    }

    /// Whether another span holds the same bytes.
    func isSame(as other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        return withUnsafeBytes { bytes in
            other.withUnsafeBytes { other in
                guard let start = bytes.baseAddress, let otherStart = other.baseAddress else { return true }
                return memcmp(start, otherStart, count) == 0
            }
        }
    }

    /// Where a byte stands.
    func offsets(of byte: UInt8) -> [Int] {
        withUnsafeBytes { bytes in
            var offsets: [Int] = []
            guard let start = bytes.baseAddress else { return offsets }
            var offset = 0
            while offset < count, let found = memchr(start + offset, Int32(byte), count - offset) {
                offsets.append(UnsafeRawPointer(found) - start)
                offset = UnsafeRawPointer(found) - start + 1
            }
            return offsets
        }
    }

    /// A copy of the bytes in a range.
    func copy(_ range: Range<Int>) -> ContiguousArray<UInt8> {
        extracting(range).withUnsafeBufferPointer { ContiguousArray($0) }
    }
}
