import Foundation

extension DecodingError {
    /// What is wrong, and under which key; where that is the JSON itself, the place in it.
    func explanation(for json: Data) -> String {
        switch self {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
            .dataCorrupted(let context):
            let path = context.codingPath.map(\.stringValue).joined(separator: ".")
            return path.isEmpty
                ? syntaxError(in: json) ?? context.debugDescription : "\(path): \(context.debugDescription)"
        @unknown default: return String(describing: self)
        }
    }

    /// The other JSON parser's words, which tell the place.
    private func syntaxError(in json: Data) -> String? {
        do {
            _ = try JSONSerialization.jsonObject(with: json)
            return nil
        } catch {
            return (error as NSError).userInfo[NSDebugDescriptionErrorKey] as? String
        }
    }
}
