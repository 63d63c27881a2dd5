import Foundation

extension Inspection {
    /// The inspection as one JSON object on one line, its keys in this order and always there.
    var jsonLine: String {
        Self.object([
            ("file", file.json), ("format", format?.rawValue.json), ("verdict", verdict.rawValue.json),
            ("reason", reason?.json), ("offset", offset.map(String.init)), ("environment", environment?.json),
            ("bundle", bundle?.json), ("purchases", purchases.map { "[\($0.map(\.json).joined(separator: ","))]" }),
        ])
    }

    /// An object of values that are JSON already; Foundation's encoder would not keep the order.
    fileprivate static func object(_ members: [(key: String, value: String?)]) -> String {
        "{\(members.map { "\"\($0.key)\":\($0.value ?? "null")" }.joined(separator: ","))}"
    }
}

extension Inspection.Purchase {
    fileprivate var json: String {
        Inspection.object([
            ("product", product?.json), ("transaction", transaction?.json),
            ("originalTransaction", originalTransaction?.json), ("quantity", quantity.map(String.init)),
            ("purchased", purchased?.iso8601?.json), ("expires", expires?.iso8601?.json),
            ("revoked", revoked?.iso8601?.json),
        ])
    }
}

extension String {
    /// The text as a JSON string.
    fileprivate var json: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        // A text can always be encoded; the empty one stands for what cannot happen.
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "\"\""
    }
}
