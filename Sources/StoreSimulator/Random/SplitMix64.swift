/// The simulator's source of chance: one seed gives one sequence, on every machine and for ever.
///
/// It is the generator SplitMix64 (Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", 2014): eight bytes
/// of state, good enough to shuffle deliveries, and of no use whatever for secrets.
public struct SplitMix64: RandomNumberGenerator, Hashable, Codable, Sendable {
    private var state: UInt64

    /// Starts the sequence of a seed.
    public init(seed: UInt64) { state = seed }

    /// The next number of the sequence.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    // The library's own ways to make fractions and choices are not promised to stay as they are; these are.

    /// Whether something happens that happens with this probability. Certain outcomes use no chance up, so that switching a
    /// fault on does not change what the others do.
    mutating func happens(withProbability probability: Double) -> Bool {
        if probability <= 0 { return false }
        return probability >= 1 || fraction() < probability
    }

    /// A number from the range, evenly spread. A range of one number uses no chance up.
    mutating func number(in range: ClosedRange<Double>) -> Double {
        let length = range.upperBound - range.lowerBound
        return length > 0 ? min(range.lowerBound + fraction() * length, range.upperBound) : range.lowerBound
    }

    /// A number from 0 up to, and without, `count`, which is 1 or more.
    mutating func index(below count: Int) -> Int { Int(next().multipliedFullWidth(by: UInt64(count)).high) }

    /// A number from 0 up to, and without, 1: 53 bits of chance.
    private mutating func fraction() -> Double { Double(next() >> 11) * 0x1p-53 }
}
