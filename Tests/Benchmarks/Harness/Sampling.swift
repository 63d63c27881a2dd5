import AllocationCounter
import Foundation

/// Measures several works. They take turns, sample by sample, so that a busy machine is unfair to none of them.
@MainActor
func measure(_ works: [(label: String, work: Work)], samples count: Int) async throws -> [Measurement] {
    var taken = [[Double]](repeating: [], count: works.count)
    for round in 0...count {
        for (index, work) in works.map(\.work).enumerated() {
            let nanoseconds = try await sample(work)
            // The first round only warms up.
            if round > 0 { taken[index].append(nanoseconds) }
        }
    }
    var measurements: [Measurement] = []
    for (index, (label, work)) in works.enumerated() {
        var operations = 1
        let allocated = try await countingAllocations { operations = max(1, try await work()) }
        measurements.append(
            Measurement(
                label: label, samples: taken[index],
                allocations: allocated.map { Double($0.blocks) / Double(operations) }))
    }
    return measurements
}

/// Does the work once; the time in nanoseconds that one operation took.
@MainActor
func sample(_ work: Work) async throws -> Double {
    let clock = ContinuousClock()
    let began = clock.now
    let operations = try await work()
    return (clock.now - began) / .nanoseconds(1) / Double(max(1, operations))
}

/// Does the work once; the time in nanoseconds that a core spent on one operation, whatever else the machine was at.
@MainActor
func sampleOfCore(_ work: Work) async throws -> Double {
    let began = processorTime()
    let operations = try await work()
    return (processorTime() - began) * 1e9 / Double(max(1, operations))
}

/// How long cores have worked for this process, in seconds.
private func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// What was allocated meanwhile, by the whole process; nil where the system does not let it be counted.
@MainActor
func countingAllocations(_ body: @MainActor () async throws -> Void) async throws -> (blocks: Int, bytes: Int)? {
    let isAble = allocation_counter_start()
    defer { allocation_counter_stop() }
    try await body()
    return isAble ? (allocation_counter_blocks(), allocation_counter_bytes()) : nil
}
