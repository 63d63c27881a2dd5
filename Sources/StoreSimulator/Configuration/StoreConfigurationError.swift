public import Foundation

/// Why a `.storekit` file cannot be read: what is wrong, where, and what would be right.
public struct StoreConfigurationError: Error, Hashable, Sendable {
    /// Where something is wrong.
    public enum Place: Hashable, Sendable {
        /// The file as a whole.
        case file
        /// A value, by its key path such as `subscriptionGroups[0].subscriptions[2].displayPrice`; empty is the top level.
        case keyPath(String)
        /// A byte, counted from 0, and its line, counted from 1, where the file is not JSON. A file that breaks off is wrong
        /// at its end.
        case offset(Int, line: Int)
    }

    /// The name of the file; nil where data was read.
    public var file: String?
    /// Where it is wrong.
    public var place: Place
    /// What is wrong there.
    public var problem: String
    /// What would be right there.
    public var remedy: String

    /// Makes an error.
    public init(file: String? = nil, place: Place, problem: String, remedy: String) {
        self.file = file
        self.place = place
        self.problem = problem
        self.remedy = remedy
    }
}

extension StoreConfigurationError: LocalizedError, CustomStringConvertible {
    /// One line: file, place, problem, remedy.
    public var description: String {
        let whereabouts =
            switch place {
            case .file: ""
            case .keyPath(""): "top level"
            case .keyPath(let path): path
            case .offset(let byte, let line): "line \(line), byte \(byte)"
            }
        let parts = [file ?? "", whereabouts].filter { !$0.isEmpty } + ["\(problem); \(remedy)"]
        return parts.joined(separator: ": ")
    }

    /// The same line.
    public var errorDescription: String? { description }
}
