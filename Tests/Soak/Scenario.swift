import StoreSimulator

/// A life as a value: how the app and its store are set up, and all that happens to them.
struct Scenario: Hashable, Sendable {
    /// Decides the set-up, and the store's own chance.
    var seed: UInt32
    var steps: [Step]

    /// A life by chance.
    static func random(seed: UInt32, length: Int) -> Scenario {
        var random = SplitMix64(seed: UInt64(seed))
        return Scenario(seed: seed, steps: (0..<length).map { _ in .random(using: &random) })
    }
}

extension Scenario {
    /// A line that is not one of a scenario.
    struct Unreadable: Error, CustomStringConvertible {
        var line: Int
        var text: String
        var description: String {
            "line \(line): \"\(text)\" is neither \"life SEED\", the first line, nor a step like \"buy 12\""
        }
    }

    /// Reads what ``text`` wrote. What follows a `#` is passed over.
    init(text: String) throws(Unreadable) {
        var seed: UInt32?
        steps = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let code = line.prefix { $0 != "#" }.split(separator: " ").joined(separator: " ")
            if code.isEmpty { continue }
            if seed == nil, code.hasPrefix("life "), let number = UInt32(code.dropFirst(5)) {
                seed = number
            } else if seed != nil, let step = Step(code) {
                steps.append(step)
            } else {
                throw Unreadable(line: index + 1, text: String(line))
            }
        }
        guard let seed else { throw Unreadable(line: 1, text: "") }
        self.seed = seed
    }

    /// The scenario as text, a step a line.
    var text: String { (["life \(seed)"] + steps.map(\.description)).joined(separator: "\n") + "\n" }
}
