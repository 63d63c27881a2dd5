import StoreSimulator
import Testing

@testable import StoreManagerCore

/// A line of those who wait, as a value.
struct WaitingLineTests {
    @Test("P03 D04 whoever comes and leaves in whatever order, the lowest number is the first")
    func randomly() {
        var line = WaitingLine<String>()
        var generator = SplitMix64(seed: 11)
        var expected: [UInt64] = []
        var unused = Array(UInt64(1)...400).shuffled(using: &generator)
        while !unused.isEmpty || !expected.isEmpty {
            if !unused.isEmpty, Bool.random(using: &generator) || expected.isEmpty {
                let number = unused.removeLast()
                line.insert("\(number)", number: number)
                expected.append(number)
                expected.sort()
            } else {
                let number = expected.remove(at: Int.random(in: 0..<expected.count, using: &generator))
                #expect(line.remove(number) == "\(number)")
                #expect(line.remove(number) == nil)
            }
            #expect(line.first()?.number == expected.first)
            #expect(line.first { $0.hasSuffix("7") }?.number == expected.first { $0 % 10 == 7 })
            #expect(line.count == expected.count)
        }
        #expect(line.isEmpty)
    }

    @Test("A01 D04 100,000 equal payments come and leave as fast as one", .timeLimit(.minutes(20)))
    func many() {
        var line = WaitingLine<Int>()
        let numbers = UInt64(1)...100_000
        for number in numbers { line.insert(Int(number), number: number) }
        for number in numbers {
            #expect(line.first()?.number == number)
            line.remove(number)
        }
        for number in numbers { line.insert(Int(number), number: number) }
        for number in numbers.reversed() { line.remove(number) }
        #expect(line.isEmpty)
    }
}
