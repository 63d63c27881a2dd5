import Foundation
import StoreManagerCore

extension Error {
    /// Why `JSONDecoder` did not read some JSON: what is wrong and under which key; where that is the JSON itself, the place in it.
    ///
    /// The decoder throws not only `DecodingError`: damage in a text or a key comes as an error of Foundation's own.
    func explanation(of json: Data) -> String {
        guard let error = self as? DecodingError else {
            return JSONFault(in: json)?.message ?? String(describing: self)
        }
        switch error {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
            .dataCorrupted(let context):
            let path = context.codingPath.map(\.stringValue).joined(separator: ".")
            return path.isEmpty
                ? JSONFault(in: json)?.message ?? context.debugDescription : "\(path): \(context.debugDescription)"
        @unknown default: return String(describing: error)
        }
    }
}

extension MalformedInput {
    /// Reads JSON, and turns what that throws into this error, placed where the JSON ends to be JSON, else at its start.
    static func wrapJSON<Value>(_ json: Data, _ read: () throws -> Value) throws -> Value {
        do {
            return try read()
        } catch {
            throw MalformedInput(error.explanation(of: json), at: JSONFault(in: json)?.offset ?? 0)
        }
    }
}
