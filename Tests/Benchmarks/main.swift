// Measures what the package costs, and how that grows. Build it with `-c release`.
import Foundation

let words = Array(CommandLine.arguments.dropFirst())
let isJSON = words.contains("--json")
let filter = words.firstIndex(of: "--filter").flatMap { words.dropFirst($0 + 1).first }
let samples = words.firstIndex(of: "--samples").flatMap { words.dropFirst($0 + 1).first }.flatMap(Int.init) ?? 9

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
