import Foundation
import StoreManagerCore

/// A line of a ``StateFile``: a checksum, what it is, and what it says, such as `85944171f73967e8 step {...}`.
struct StateLine {
    /// The checksum of a line and, by way of the one before, of all that stands before it.
    typealias Checksum = String

    /// What a line can be.
    enum Kind: String, CaseIterable {
        /// How the store was at first.
        case start
        /// Something that was done to it.
        case step
        /// The end of what was saved at once.
        case saved
    }

    let checksum: Checksum
    let kind: Kind
    let content: Data

    /// Takes a line apart; nil where it has not the checksum that stands before it, or follows another line.
    init?(_ bytes: Data, after last: Checksum) {
        let text = Data(bytes.dropFirst(Self.checksumLength + 1))
        guard bytes.dropFirst(Self.checksumLength).first == Self.blank, let end = text.firstIndex(of: Self.blank),
            let kind = Kind(rawValue: String(decoding: text[..<end], as: UTF8.self))
        else { return nil }
        let sum = Self.checksum(of: text, after: last)
        guard Data(sum.utf8) == bytes.prefix(Self.checksumLength) else { return nil }
        checksum = sum
        self.kind = kind
        content = Data(text[(end + 1)...])
    }

    /// Writes a line with its end.
    ///
    /// - Parameter last: The checksum of the line before; afterwards that of this one.
    static func written(_ kind: Kind, _ value: some Encodable, after last: inout Checksum) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let text = Data("\(kind.rawValue) ".utf8) + (try encoder.encode(value))
        last = checksum(of: text, after: last)
        return Data("\(last) ".utf8) + text + Data("\n".utf8)
    }

    /// Whether these bytes may be what was written of a step before the writing was broken off.
    static func isBeginningOfStep(_ bytes: Data) -> Bool {
        let digits = Data("0123456789abcdef".utf8)
        let behind = Data(" \(Kind.step.rawValue) {".utf8)
        return bytes.prefix(checksumLength).allSatisfy(digits.contains)
            && zip(bytes.dropFirst(checksumLength), behind).allSatisfy(==)
    }

    private static let checksumLength = 16
    private static let blank = UInt8(ascii: " ")

    private static func checksum(of text: Data, after last: Checksum) -> Checksum {
        (Data(last.utf8) + text).checksum
    }
}
