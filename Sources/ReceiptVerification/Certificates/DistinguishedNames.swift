import Foundation

/// The names in certificates (RFC 5280, 4.1.2.4): a SEQUENCE of SETs of parts, each with a type and a text.
extension Span<UInt8> {
    /// Reads a name and makes sure that it is one.
    func name(_ reader: inout ASN1Reader, _ name: String) throws -> ASN1Element {
        let element = try reader.read(.sequence, name, from: self)
        try forEachPart(of: element.encoding) { _, _ in }
        return element
    }

    /// The common name, for people to read; nil where there is none.
    func commonName(_ range: Range<Int>) throws -> String? {
        var result: String?
        try forEachPart(of: range) { type, value in
            if type == .commonName { result = try text(value) }
        }
        return result
    }

    private func forEachPart(
        of range: Range<Int>, _ body: (ObjectIdentifier, ASN1Element) throws -> Void
    ) throws {
        var reader = ASN1Reader(range, rules: .distinguished)
        var sets = reader.inside(try reader.read(.sequence, "a name", from: self))
        while !sets.isAtEnd {
            var parts = sets.inside(try sets.read(.set, "a name's part", from: self))
            while !parts.isAtEnd {
                var part = parts.inside(try parts.read(.sequence, "a name's part", from: self))
                let type = try objectIdentifier(part.read(.objectIdentifier, "a name's type", from: self))
                let value = try part.read("a name's text", from: self)
                try part.finish("a name's part")
                switch value.tag {
                case .utf8String: _ = try text(value)
                case .printableString, .ia5String, .numericString, .teletexString: break
                default: throw MalformedInput("a name must be text, found \(value.tag)", at: value.start)
                }
                try body(type, value)
            }
        }
    }
}
