import Foundation

/// An option that a command understands, such as `--list` or `--configuration FILE`.
public struct Option: Hashable, Sendable {
    /// The option's name with its dashes.
    public let name: String
    /// What its value is called in the help; nil for a switch, which has none.
    public let value: String?
    /// What it does, in a few words.
    public let help: String
    /// Whether it may be given more than once, each time with another value.
    public let isRepeatable: Bool

    /// Describes an option.
    public init(_ name: String, value: String? = nil, isRepeatable: Bool = false, help: String) {
        self.name = name
        self.value = value
        self.isRepeatable = isRepeatable
        self.help = help
    }

    /// The `.storekit` file to sell from.
    public static let configuration = Option(
        "--configuration", value: "FILE", help: "sell what this .storekit file holds, instead of the example's own")

    /// The name, and that of the value.
    var usage: String { [name, value].compactMap(\.self).joined(separator: " ") }
}

/// What a command was told on its command line.
public struct Arguments: Sendable {
    /// The words that are no options, in their order: the files that a command works on.
    public private(set) var operands: [String] = []

    private var values: [String: [String]] = [:]

    /// Reads the words of a command line, without the command's own name. A value follows its option, or stands behind an
    /// equals sign; what follows the word `--` is no option.
    ///
    /// - Parameter takesOperands: Whether the command works on words that are no options.
    /// - Throws: ``UsageError`` for a word that is no option, one that is repeated, a missing value, and a value for a switch.
    public init(_ words: [String], options: [Option], takesOperands: Bool = false) throws(UsageError) {
        var rest = words[...]
        while let word = rest.popFirst() {
            if takesOperands, word == "--" {
                operands += rest
                return
            }
            if takesOperands, !word.isEmpty, word == "-" || !word.hasPrefix("-") {
                operands.append(word)
                continue
            }
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard let option = options.first(where: { $0.name == parts.first }) else {
                let known = options.map(\.usage).joined(separator: ", ")
                throw UsageError(description: "\"\(word)\" is not an option; the options are \(known)")
            }
            guard values[option.name] == nil || option.isRepeatable else {
                throw UsageError(description: "\(option.name) stands there twice; right would be once")
            }
            let attached = parts.count == 2 ? parts[1] : nil
            if let value = option.value {
                guard let given = attached ?? rest.popFirst(), !given.isEmpty, !given.hasPrefix("--") else {
                    throw UsageError(
                        description: "\(option.name) needs a value; right would be \(option.name) \(value)")
                }
                values[option.name, default: []].append(given)
            } else if attached != nil {
                throw UsageError(description: "\(option.name) takes no value; right would be \(option.name)")
            } else {
                values[option.name] = [""]
            }
        }
    }

    /// Whether an option was given.
    public func has(_ name: String) -> Bool { values[name] != nil }

    /// The value of an option; nil where it was not given.
    public subscript(name: String) -> String? { values[name]?.first }

    /// All values of an option that is repeatable, in their order.
    public func all(_ name: String) -> [String] { values[name] ?? [] }
}

/// A command line that cannot be followed: what is wrong, and what would be right.
public struct UsageError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The sentence to print.
    public let description: String

    /// Makes an error.
    public init(description: String) { self.description = description }
}
