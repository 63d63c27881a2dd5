import Foundation

/// A JSON object whose simple values come now as text, now as numbers or truth values, as in the answers of Apple's
/// `verifyReceipt`.
///
/// What is missing, null, empty or of no use reads as nil.
struct LenientObject: Decodable {
    private let values: KeyedDecodingContainer<Key>

    init(from decoder: any Decoder) throws { values = try decoder.container(keyedBy: Key.self) }

    /// Whether there is a value under a name, null excepted.
    func contains(_ name: String) -> Bool { (try? values.decodeNil(forKey: Key(name))) == false }

    /// Text, or a number or truth value as text.
    func text(_ name: String) -> String? {
        let text = (try? values.decodeIfPresent(Scalar.self, forKey: Key(name)))?.text
        return text == "" ? nil : text
    }

    /// A whole number, or text of it.
    func integer(_ name: String) -> Int64? { text(name).flatMap { Int64($0) } }

    /// A truth value, or text of it; 1 and 0 stand for true and false.
    func flag(_ name: String) -> Bool? {
        switch text(name) {
        case "true", "1": true
        case "false", "0": false
        default: nil
        }
    }

    /// A date: the milliseconds since 1970 under `name_ms`, else under the name itself milliseconds or, as in
    /// `2020-07-22 17:39:08 Etc/GMT`, a date and time in Greenwich.
    func date(_ name: String) -> Date? {
        if let milliseconds = integer(name + "_ms") ?? integer(name) {
            return Date(timeIntervalSince1970: TimeInterval(milliseconds) / 1000)
        }
        guard let text = text(name), text.hasSuffix(" Etc/GMT") else { return nil }
        let standard = ContiguousArray(
            (text.dropLast(" Etc/GMT".count) + "Z").utf8.map { $0 == UInt8(ascii: " ") ? UInt8(ascii: "T") : $0 })
        return standard.span.date(in: 0..<standard.count)
    }

    /// Text that must be there.
    func requiredText(_ name: String) throws -> String { try required(name, text(name), "text") }

    /// A whole number that must be there.
    func requiredInteger(_ name: String) throws -> Int64 { try required(name, integer(name), "a whole number") }

    private func required<Value>(_ name: String, _ value: Value?, _ kind: String) throws -> Value {
        if let value { return value }
        throw DecodingError.dataCorruptedError(
            forKey: Key(name), in: values, debugDescription: "there must be \(kind) here")
    }

    /// The object under a name; nil where there is none.
    func object(_ name: String) throws -> LenientObject? {
        try values.decodeIfPresent(LenientObject.self, forKey: Key(name))
    }

    /// The objects in the array under a name, or the one object there; none where there is neither.
    func objects(_ name: String) throws -> [LenientObject] {
        if let object = try? object(name) { return [object] }
        return try values.decodeIfPresent([LenientObject].self, forKey: Key(name)) ?? []
    }

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(_ name: String) { stringValue = name }
        init(stringValue: String) { self.init(stringValue) }
        init?(intValue: Int) { nil }
    }

    /// A text, a number or a truth value, as text.
    private struct Scalar: Decodable {
        let text: String

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            if let text = try? value.decode(String.self) {
                self.text = text
            } else if let number = try? value.decode(Int64.self) {
                text = String(number)
            } else if let flag = try? value.decode(Bool.self) {
                text = String(flag)
            } else {
                text = try value.decode(Decimal.self).description
            }
        }
    }
}
