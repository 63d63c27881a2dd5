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
    /// What would be right there, such as "a whole number".
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
    /// One line: file, place, problem and what would be right.
    public var description: String {
        let whereabouts =
            switch place {
            case .file: ""
            case .keyPath(""): "top level"
            case .keyPath(let path): path
            case .offset(let byte, let line): "line \(line), byte \(byte)"
            }
        let parts = [file ?? "", whereabouts].filter { !$0.isEmpty } + ["\(problem); right would be \(remedy)"]
        return parts.joined(separator: ": ")
    }

    /// The same line.
    public var errorDescription: String? { description }
}

extension StoreConfigurationError {
    /// The file at an address cannot be opened at all.
    init(unreadable url: URL, _ error: any Error) {
        let error = error as NSError
        let cause = error.userInfo[NSUnderlyingErrorKey] as? any Error
        let reason = error.localizedFailureReason ?? cause?.localizedDescription
        self.init(
            file: url.lastPathComponent, place: .file,
            problem: "it cannot be opened (\(reason ?? error.localizedDescription))",
            remedy: "a readable .storekit file")
    }
}
