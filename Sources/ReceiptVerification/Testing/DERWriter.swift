import Foundation

/// Writes ASN.1 in its distinguished encoding. Each function gives one whole element.
enum DER {
    /// An element around others, or around raw octets.
    static func element(_ tag: ASN1Tag, _ parts: [UInt8]...) -> [UInt8] {
        let content = Array(parts.joined())
        var length: [UInt8] = []
        if content.count < 0x80 {
            length = [UInt8(content.count)]
        } else {
            var rest = content.count
            while rest > 0 {
                length.insert(UInt8(truncatingIfNeeded: rest), at: 0)
                rest >>= 8
            }
            length.insert(0x80 | UInt8(length.count), at: 0)
        }
        return [tag.rawValue] + length + content
    }

    /// A SET of elements, sorted as the encoding demands.
    static func set(of elements: [[UInt8]]) -> [UInt8] {
        element(.set, Array(elements.sorted { $0.lexicographicallyPrecedes($1) }.joined()))
    }

    static func integer(_ value: Int64) -> [UInt8] {
        var octets = withUnsafeBytes(of: value.bigEndian) { [UInt8]($0) }
        while octets.count > 1,
            (octets[0] == 0x00 && octets[1] & 0x80 == 0) || (octets[0] == 0xFF && octets[1] & 0x80 != 0)
        {
            octets.removeFirst()
        }
        return element(.integer, octets)
    }

    static func identifier(_ identifier: ObjectIdentifier) -> [UInt8] { element(.objectIdentifier, identifier.bytes) }

    static func text(_ text: String, _ tag: ASN1Tag = .utf8String) -> [UInt8] { element(tag, Array(text.utf8)) }

    /// A BIT STRING of whole octets.
    static func bits(_ octets: [UInt8]) -> [UInt8] { element(.bitString, [0], octets) }

    /// An AlgorithmIdentifier; RSA's have NULL for parameters, those of curves none (RFC 4055, RFC 5758).
    static func algorithm(_ identifier: ObjectIdentifier, hasNull: Bool = false) -> [UInt8] {
        element(.sequence, Self.identifier(identifier), hasNull ? element(.null) : [])
    }

    /// A date of a certificate: UTCTime up to the year 2049, GeneralizedTime after it.
    static func date(_ date: Date) -> [UInt8] {
        let digits = date.formatted(.iso8601).filter { $0.isNumber }
        return digits < "2050" ? text(digits.dropFirst(2) + "Z", .utcTime) : text(digits + "Z", .generalizedTime)
    }
}
