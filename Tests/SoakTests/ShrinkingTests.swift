import StoreSimulator
import Testing

@testable import Soak

/// What makes a long list of steps a short one.
@MainActor
@Suite("Shrinking")
struct ShrinkingTests {
    @Test(
        "of a hundred steps those remain that it takes, in their order",
        arguments: [[], [0], [99], [17, 18], [3, 50, 97], [0, 1, 2, 3, 40, 41, 99]])
    func subsets(needed: [Int]) async {
        let short = await shrunk(Array(0..<100)) { list in needed.allSatisfy(list.contains) }
        #expect(short == needed)
    }

    @Test("what is left cannot be made shorter by any single step, even where steps depend on one another")
    func minimal() async {
        // Three fives, or any even number behind an odd one.
        let hasProperty: @MainActor @Sendable ([Int]) -> Bool = { list in
            list.count { $0 == 5 } >= 3 || zip(list, list.dropFirst()).contains { $0 % 2 == 1 && $1 % 2 == 0 }
        }
        var random = SplitMix64(seed: 7)
        for _ in 0..<50 {
            let list = (0..<60).map { _ in random.below(12) }
            guard hasProperty(list) else { continue }
            let short = await shrunk(list, while: hasProperty)
            #expect(hasProperty(short))
            for index in short.indices {
                var shorter = short
                shorter.remove(at: index)
                #expect(!hasProperty(shorter), "\(short) of \(list)")
            }
        }
    }

    @Test("it looks far less often than there are subsets")
    func effort() async {
        var looks = 0
        _ = await shrunk(Array(0..<128)) { list in
            looks += 1
            return list.contains(5) && list.contains(100)
        }
        #expect(looks < 128)
    }
}
