/// Something to measure.
protocol Benchmark: Sendable {
    /// What is measured.
    var name: String { get }

    /// Measures it, so many times over.
    @MainActor func run(samples: Int) async throws -> Report
}

/// Does what is measured, and says how many operations that were.
typealias Work = @MainActor () async throws -> Int

/// How the cost of one operation grows with what is there, or pending, meanwhile.
struct GrowthBenchmark: Benchmark {
    let name: String
    /// The sizes, the smallest first.
    let sizes: [Int]
    /// The most that the cost at the largest size may be, as a multiple of that at the smallest; nil where none is asked for.
    let limit: Double?
    /// Prepares a size.
    let prepare: @MainActor @Sendable (Int) async throws -> Work

    init(
        _ name: String, sizes: [Int], limit: Double? = nil,
        prepare: @escaping @MainActor @Sendable (Int) async throws -> Work
    ) {
        (self.name, self.sizes, self.limit, self.prepare) = (name, sizes, limit, prepare)
    }

    func run(samples: Int) async throws -> Report {
        var works: [(label: String, work: Work)] = []
        for size in sizes { works.append(("\(size)", try await prepare(size))) }
        let measurements = try await measure(works, samples: samples)
        guard let first = measurements.first, let last = measurements.last, measurements.count > 1 else {
            return Report(name: name, measurements: measurements)
        }
        let meaning = "times the cost at \(first.label), at \(last.label)"
        return Report(
            name: name, measurements: measurements,
            figure: Report.Figure(last.least / first.least, meaning, limit.map { .atMost($0) }))
    }
}

/// How near something comes to what it cannot do without.
struct ComparisonBenchmark: Benchmark {
    let name: String
    /// The least that the bare cost may be, as a part of the whole cost.
    let limit: Double
    /// Prepares both: the bare work, and the whole one that contains it. Both do the same number of operations.
    let prepare: @MainActor @Sendable () async throws -> (bare: Work, whole: Work)

    init(
        _ name: String, limit: Double,
        prepare: @escaping @MainActor @Sendable () async throws -> (bare: Work, whole: Work)
    ) {
        (self.name, self.limit, self.prepare) = (name, limit, prepare)
    }

    func run(samples: Int) async throws -> Report {
        let works = try await prepare()
        let measurements = try await measure([("bare", works.bare), ("whole", works.whole)], samples: samples)
        let part = measurements[0].least / measurements[1].least
        return Report(
            name: name, measurements: measurements,
            figure: Report.Figure(part, "of the whole cost is the bare one", .atLeast(limit)))
    }
}

/// How much a core does in a second.
struct ThroughputBenchmark: Benchmark {
    let name: String
    /// The least number of operations a second a core.
    let limit: Double
    /// Prepares the work; done again for every sample, since the work may use up what it works on.
    let prepare: @MainActor @Sendable () async throws -> Work

    init(_ name: String, limit: Double, prepare: @escaping @MainActor @Sendable () async throws -> Work) {
        (self.name, self.limit, self.prepare) = (name, limit, prepare)
    }

    func run(samples: Int) async throws -> Report {
        var taken: [Double] = []
        for _ in 0..<samples { taken.append(try await sampleOfCore(prepare())) }
        let measurement = Measurement(label: "each", samples: taken, allocations: nil)
        return Report(
            name: name, measurements: [measurement],
            figure: Report.Figure(1e9 / measurement.least, "a second a core", .atLeast(limit)))
    }
}

/// What one of many takes in memory. Only where the system lets allocations be counted.
struct FootprintBenchmark: Benchmark {
    let name: String
    /// How many there are.
    let count: Int
    /// The most that one may take, in bytes.
    let limit: Double
    /// Makes so many, and returns what holds them.
    let make: @MainActor @Sendable (Int) async throws -> AnyObject

    init(
        _ name: String, count: Int, limit: Double, make: @escaping @MainActor @Sendable (Int) async throws -> AnyObject
    ) {
        (self.name, self.count, self.limit, self.make) = (name, count, limit, make)
    }

    func run(samples: Int) async throws -> Report {
        // What is made but once is made before.
        _ = try await make(1)
        var held: AnyObject?
        guard let allocated = try await countingAllocations({ held = try await make(count) }) else {
            return Report(name: name, measurements: [])
        }
        return withExtendedLifetime(held) {
            Report(
                name: name, measurements: [],
                figure: Report.Figure(Double(allocated.bytes) / Double(count), "bytes each", .atMost(limit)))
        }
    }
}
