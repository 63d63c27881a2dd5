public import Foundation

/// One line of a simulated store's log: when, who, what, and the particulars.
///
/// Two stores with one configuration, one seed and one sequence of commands have the same log, byte for byte.
public struct StoreLogEntry: Hashable, Codable, Sendable, CustomStringConvertible {
    /// The place in the log, counted from 1.
    public var number: Int
    /// The store's time.
    public var date: Date
    /// The device or account that it is about, or `store`.
    public var subject: String
    /// What happened.
    public var event: Event
    /// The particulars, in the order in which they are written.
    public var fields: [Field]

    /// One particular.
    public struct Field: Hashable, Codable, Sendable {
        /// What it is about, such as `product`.
        public var name: String
        /// What it is.
        public var value: String

        /// Makes a particular.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The value of a particular; nil where the line has none of this name.
    public subscript(name: String) -> String? { fields.first { $0.name == name }?.value }

    /// The line, such as `12 2025-01-31T09:30:00.000Z phone paid product=com.example.coins transaction=3`.
    public var description: String {
        let particulars = fields.map { " \($0.name)=\(Self.quoted($0.value))" }.joined()
        return "\(number) \(CivilDate(date)) \(Self.quoted(subject)) \(event.rawValue)\(particulars)"
    }

    /// A value in one word: quoted where it has blanks, quotes or line breaks in it, or nothing.
    private static func quoted(_ value: String) -> String {
        let isPlain = !value.isEmpty && value.utf8.allSatisfy { $0 > 0x20 && $0 != UInt8(ascii: "\"") && $0 != 0x7F }
        guard !isPlain else { return value }
        let escaped = value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
        return "\"\(escaped)\""
    }
}
