import StoreSimulator

/// One thing that happens in a life: what, and a number that decides everything else about it.
///
/// It depends on nothing that happened before, so that a life can be lived again without some of its steps.
struct Step: Hashable, Sendable {
    enum Kind: String, CaseIterable, Sendable {
        // What the app does.
        case buy, fetch, restore, cancel, release, receiver, answer, retry, consume
        // What the buyer, the parents and the store do.
        case approve, decline, resolve, sheet, refund, reverse, outside, intent, expire, renew, autorenew, remove,
            billing
        // What goes wrong on the way.
        case faults, calm, hold, letgo, offline, disk
        // Time, and the end of processes.
        case settle, turn, wait, days, relaunch, crash, powercut
    }

    var kind: Kind
    var number: UInt32
}

extension Step {
    /// How often each kind comes, on the average.
    private static let weights: [(kind: Kind, weight: Int)] = [
        (.buy, 20), (.fetch, 4), (.restore, 6), (.cancel, 4), (.release, 2), (.receiver, 4), (.answer, 8), (.retry, 2),
        (.consume, 2),
        (.approve, 4), (.decline, 1), (.resolve, 3), (.sheet, 3), (.refund, 4), (.reverse, 2), (.outside, 3),
        (.intent, 1), (.expire, 1), (.renew, 3), (.autorenew, 1), (.remove, 1), (.billing, 1),
        (.faults, 4), (.calm, 4), (.hold, 3), (.letgo, 4), (.offline, 1), (.disk, 2),
        (.settle, 16), (.turn, 12), (.wait, 6), (.days, 2), (.relaunch, 2), (.crash, 2), (.powercut, 1),
    ]
    private static let kinds = weights.flatMap { Array(repeating: $0.kind, count: $0.weight) }

    /// A step by chance.
    static func random(using random: inout SplitMix64) -> Step {
        Step(kind: kinds[random.below(kinds.count)], number: UInt32(random.below(1 << 20)))
    }
}

extension Step: LosslessStringConvertible {
    /// Reads `buy 4711`.
    init?(_ text: String) {
        let words = text.split(separator: " ")
        guard words.count == 2, let kind = Kind(rawValue: String(words[0])), let number = UInt32(words[1]) else {
            return nil
        }
        self.init(kind: kind, number: number)
    }

    /// The step as it is read again.
    var description: String { "\(kind.rawValue) \(number)" }
}
