import Foundation

/// Something to measure at several sizes.
struct Benchmark {
    /// What is measured.
    let name: String
    /// The sizes, the smallest first: how much is there, or pending, while it is measured.
    let sizes: [Int]
    /// The most that the cost at the largest size may be, as a multiple of that at the smallest; nil where none is asked for.
    let limit: Double?
    /// Prepares a size; the returned closure does the work once and says how many operations that were.
    let prepare: @MainActor (Int) async throws -> (@MainActor () async throws -> Int)

    init(
        _ name: String, sizes: [Int], limit: Double? = nil,
        prepare: @escaping @MainActor (Int) async throws -> (@MainActor () async throws -> Int)
    ) {
        self.name = name
        self.sizes = sizes
        self.limit = limit
        self.prepare = prepare
    }
}

/// What was measured at one size, in nanoseconds of processor time for each operation.
struct Measurement: Codable {
    let size: Int
    let median: Double
    let minimum: Double
    /// The middle half of the samples, from its lower to its upper end.
    let spread: Double
}

/// What was measured of a benchmark at all sizes.
struct Report: Codable {
    let name: String
    let measurements: [Measurement]
    /// The cost at the largest size as a multiple of that at the smallest.
    let growth: Double?
    let limit: Double?

    /// Whether the growth keeps within the limit; nil where there is none.
    var isReached: Bool? { growth.flatMap { growth in limit.map { growth <= $0 } } }
}

extension Benchmark {
    /// Measures every size. The sizes take turns, sample by sample, so that a busy machine is unfair to none of them.
    @MainActor
    func run(samples count: Int) async throws -> Report {
        var works: [(@MainActor () async throws -> Int)] = []
        for size in sizes { works.append(try await prepare(size)) }
        var samples = [[Double]](repeating: [], count: sizes.count)
        for round in 0...count {
            for (index, work) in works.enumerated() {
                let began = processorNanoseconds()
                let operations = try await work()
                let elapsed = processorNanoseconds() - began
                // The first round only warms up.
                if round > 0 { samples[index].append(elapsed / Double(max(1, operations))) }
            }
        }
        let measurements = zip(sizes, samples).map { Measurement(size: $0, samples: $1) }
        // The least disturbed sample of each size is the fairest to compare.
        let growth =
            measurements.count > 1 ? measurements[measurements.count - 1].minimum / measurements[0].minimum : nil
        return Report(name: name, measurements: measurements, growth: growth, limit: limit)
    }
}

extension Measurement {
    init(size: Int, samples: [Double]) {
        let sorted = samples.sorted()
        self.size = size
        median = sorted[sorted.count / 2]
        minimum = sorted[0]
        spread = sorted[sorted.count * 3 / 4] - sorted[sorted.count / 4]
    }
}

/// The processor time that all threads of the process have taken: what others do on the machine does not count.
private func processorNanoseconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
}
