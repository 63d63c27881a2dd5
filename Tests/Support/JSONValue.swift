public import Foundation

/// A JSON document as a tree, to compare documents and to change them at any place.
///
/// Numbers are kept as `Double`: exact for the whole numbers and short decimals of the tests' files.
public enum JSONValue: Hashable, Sendable, Codable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number.
    case number(Double)
    /// A text.
    case string(String)
    /// A list.
    case array([JSONValue])
    /// An object.
    case object([String: JSONValue])

    /// Parses a document.
    public init(data: Data) throws { self = try JSONDecoder().decode(JSONValue.self, from: data) }

    /// The document in print.
    public func data() throws -> Data { try JSONEncoder().encode(self) }

    /// Decodes whatever comes.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([JSONValue].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    /// Encodes the value as itself.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let values): try container.encode(values)
        case .object(let members): try container.encode(members)
        }
    }
}

extension JSONValue {
    /// One step into a document.
    public enum Step: Hashable, Sendable {
        /// Into the member of an object.
        case key(String)
        /// Into the element of a list, counted from 0.
        case index(Int)
    }

    /// The steps to every value of the document but itself.
    public var paths: [[Step]] {
        let members: [(Step, JSONValue)] =
            switch self {
            case .object(let members): members.sorted { $0.key < $1.key }.map { (.key($0.key), $0.value) }
            case .array(let values): values.enumerated().map { (.index($0.offset), $0.element) }
            case .null, .bool, .number, .string: []
            }
        return members.flatMap { step, value in [[step]] + value.paths.map { [step] + $0 } }
    }

    /// The value at the end of a path; nil where the path leads nowhere.
    public subscript(path: some Collection<Step>) -> JSONValue? {
        guard let step = path.first else { return self }
        switch (step, self) {
        case (.key(let key), .object(let members)): return members[key]?[path.dropFirst()]
        case (.index(let index), .array(let values)) where values.indices.contains(index):
            return values[index][path.dropFirst()]
        default: return nil
        }
    }

    /// The document with another value at the end of a path; nil removes the member or element.
    public func replacing(_ path: some Collection<Step>, with value: JSONValue?) -> JSONValue {
        guard let step = path.first else { return value ?? .null }
        let isLast = path.count == 1
        switch (step, self) {
        case (.key(let key), .object(var members)):
            members[key] = isLast ? value : members[key]?.replacing(path.dropFirst(), with: value)
            return .object(members)
        case (.index(let index), .array(var values)) where values.indices.contains(index):
            if isLast, value == nil {
                values.remove(at: index)
            } else {
                values[index] = values[index].replacing(path.dropFirst(), with: value)
            }
            return .array(values)
        default:
            return self
        }
    }
}

extension [JSONValue.Step] {
    /// The path in print, such as `products[2].displayPrice`.
    public var text: String {
        reduce(into: "") { text, step in
            switch step {
            case .key(let key): text += text.isEmpty ? key : ".\(key)"
            case .index(let index): text += "[\(index)]"
            }
        }
    }
}
