import Foundation
import StoreSimulator
import TestSupport

/// Damages bytes in the ways that find mistakes in parsers; the same for the same seed.
struct Mutation {
    private var generator: SplitMix64

    init(seed: UInt64) { generator = SplitMix64(seed: seed) }

    /// How many damaged samples a test looks at: `TEST_MUTATIONS`, a few hundred where that is not set.
    static let count = ProcessInfo.processInfo.environment["TEST_MUTATIONS"].flatMap { Int($0) } ?? 400

    /// A damaged copy.
    mutating func damage(_ data: Data) -> Data {
        var bytes = [UInt8](data)
        for _ in 0..<Int.random(in: 1...2, using: &generator) { change(&bytes) }
        return Data(bytes)
    }

    private mutating func change(_ bytes: inout [UInt8]) {
        guard !bytes.isEmpty else { return }
        let place = Int.random(in: bytes.indices, using: &generator)
        switch Int.random(in: 0..<8, using: &generator) {
        case 0, 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
        case 2: bytes[place] = UInt8.random(in: 0...255, using: &generator)
        case 3: bytes[place] &+= Bool.random(using: &generator) ? 1 : 255
        case 4: bytes.remove(at: place)
        case 5: bytes.insert(UInt8.random(in: 0...255, using: &generator), at: place)
        case 6:
            // A stretch is written over another one.
            let count = Int.random(in: 1...min(64, bytes.count), using: &generator)
            let (source, target) = (
                Int.random(in: 0...bytes.count - count, using: &generator),
                Int.random(in: 0...bytes.count - count, using: &generator)
            )
            bytes.replaceSubrange(target..<target + count, with: Array(bytes[source..<source + count]))
        default: bytes.append(UInt8.random(in: 0...255, using: &generator))
        }
    }
}
