import Foundation
import StoreManagerCore
import TestSupport
import Testing

@testable import StoreSimulator

@MainActor
@Suite("Determinism")
struct DeterminismTests {
    @Test(
        "C04 one seed gives one log, byte for byte, and another seed another", arguments: 1...4 as ClosedRange<UInt64>)
    func sameSeed(seed: UInt64) async {
        var first = RandomLife(seed: seed)
        var second = RandomLife(seed: seed)
        var other = RandomLife(seed: seed + 100)
        await first.live(steps: 100)
        await second.live(steps: 100)
        await other.live(steps: 100)
        let log = first.store.log.map(\.description)
        #expect(log == second.store.log.map(\.description), "seed \(seed)")
        #expect(log != other.store.log.map(\.description), "seed \(seed)")
    }

    @Test("C04 the log is the same in every process and on every machine")
    func sameEverywhere() async {
        var life = RandomLife(seed: 2_025)
        await life.live(steps: 300)
        let text = life.store.log.map { $0.description + "\n" }.joined()
        // Changes only where the store behaves otherwise than it did, or writes its log otherwise.
        #expect(Data(text.utf8).checksum == "f072b474b62f68e2")
    }

    @Test("C04 the generator gives the numbers that are published for it")
    func generator() {
        // From the reference implementation, seed 1234567.
        var generator = SplitMix64(seed: 1_234_567)
        #expect(
            (0..<3).map { _ in generator.next() } == [
                6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
            ])
    }
}
