/// What the benchmarks were called with.
struct Options {
    static let usage = "usage: Benchmarks [--filter TEXT] [--samples N] [--json] | Benchmarks --purchases N"

    /// Only benchmarks whose name contains it.
    private(set) var filter: String?
    /// How often each is measured.
    private(set) var samples = 9
    /// Whether the reports are printed as JSON.
    private(set) var isJSON = false
    /// How many purchases to make, instead of measuring anything.
    private(set) var purchases: Int?

    /// What is wrong with the words.
    struct Mistake: Error, CustomStringConvertible {
        let description: String
    }

    init(_ words: some Sequence<String>) throws {
        var words = Array(words).makeIterator()
        while let word = words.next() {
            switch word {
            case "--json": isJSON = true
            case "--filter": filter = try Self.value(of: word, from: &words)
            case "--samples": samples = try Self.number(of: word, from: &words)
            case "--purchases": purchases = try Self.number(of: word, from: &words)
            default: throw Mistake(description: "unknown option \(word)")
            }
        }
    }

    private static func value(of option: String, from words: inout IndexingIterator<[String]>) throws -> String {
        guard let value = words.next() else { throw Mistake(description: "\(option) needs a value") }
        return value
    }

    private static func number(of option: String, from words: inout IndexingIterator<[String]>) throws -> Int {
        let text = try value(of: option, from: &words)
        guard let number = Int(text), number > 0 else {
            throw Mistake(description: "\(option) needs a number from 1 on, not \(text)")
        }
        return number
    }
}
