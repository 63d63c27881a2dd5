// Measures what the package costs, and how that grows. Build it with `-c release`.
//
//     Benchmarks [--filter text] [--samples count] [--json]     times, at several sizes
// Nothing but that, for a tool that counts: take the difference of two runs of different counts.
//
//     Benchmarks --purchases count [--pending count] [--at-once count] [--ledger]
//     Benchmarks --restores count --of count
import Foundation

let words = Array(CommandLine.arguments.dropFirst())
let isJSON = words.contains("--json")
let filter = word(after: "--filter")
let samples = word(after: "--samples").flatMap(Int.init) ?? 9

func word(after option: String) -> String? {
    words.firstIndex(of: option).flatMap { words.dropFirst($0 + 1).first }
}

if let count = word(after: "--purchases").flatMap(Int.init) {
    await Workload.purchases(
        count, atOnce: word(after: "--at-once").flatMap(Int.init) ?? 1,
        pending: word(after: "--pending").flatMap(Int.init) ?? 10, keepsLedger: words.contains("--ledger"))
    exit(0)
}
if let count = word(after: "--restores").flatMap(Int.init) {
    await Workload.restores(count, of: word(after: "--of").flatMap(Int.init) ?? 100)
    exit(0)
}

var reports: [Report] = []
for benchmark in Benchmark.manager where filter.map({ benchmark.name.contains($0) }) ?? true {
    if !isJSON { print(benchmark.name) }
    let report = try await benchmark.run(samples: max(3, samples))
    reports.append(report)
    guard !isJSON else { continue }
    for measurement in report.measurements {
        let figures = [measurement.median, measurement.minimum, measurement.spread].map { Int($0.rounded()) }
        print("  at \(measurement.size): median \(figures[0]) ns, least \(figures[1]) ns, spread \(figures[2]) ns")
    }
    if let growth = report.growth { print("  grows by a factor of \(String(format: "%.2f", growth))", terminator: "") }
    if let limit = report.limit {
        print(", limit \(limit): \(report.isReached == true ? "reached" : "NOT reached")", terminator: "")
    }
    print("")
}
if isJSON {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    print(String(decoding: try encoder.encode(reports), as: UTF8.self))
}
