public import Foundation

/// Why some bytes could not be read: what is wrong, and where.
///
/// Nothing is known of such input, not even that it is what it was taken for. Damaged input of any kind ends in this error.
public struct MalformedInput: Error, Hashable, Sendable {
    /// What is wrong, and what would be right.
    public let problem: String
    /// Where it is: bytes from the start of the input (for text, of its UTF-8 form).
    public let offset: Int
    /// The part of the input from whose start ``offset`` is counted; nil where it is the input itself.
    public let part: String?

    /// Describes what is wrong at an offset of the input, or of a part that is encoded in it.
    public init(_ problem: String, at offset: Int, in part: String? = nil) {
        self.problem = problem
        self.offset = offset
        self.part = part
    }

    /// The same problem, placed in a part of the input.
    func inside(_ part: String) -> MalformedInput {
        MalformedInput(problem, at: offset, in: self.part.map { "\($0) in \(part)" } ?? part)
    }
}

extension MalformedInput: CustomStringConvertible, LocalizedError {
    /// The problem and its place, as a sentence.
    public var description: String {
        "\(problem), at byte \(offset)" + (part.map { " of \($0)" } ?? "")
    }

    /// The same as ``description``.
    public var errorDescription: String? { description }
}
