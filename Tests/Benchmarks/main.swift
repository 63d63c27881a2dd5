// Measures what the package costs, and how that grows. Build it with `-c release`.
import Foundation

let options: Options
do {
    options = try Options(CommandLine.arguments.dropFirst())
} catch {
    FileHandle.standardError.write(Data("\(error)\n\(Options.usage)\n".utf8))
    exit(64)
}
if let count = options.purchases {
    // For a profiler: nothing but purchases.
    try await Purchases.run(count)
    exit(0)
}
let all: [any Benchmark] = Benchmarks.manager + Benchmarks.models + Benchmarks.simulator
var reports: [Report] = []
for benchmark in all where options.filter.map(benchmark.name.contains) ?? true {
    let report = try await benchmark.run(samples: options.samples)
    reports.append(report)
    if !options.isJSON { print(report, terminator: "\n\n") }
}
if options.isJSON {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    print(String(decoding: try encoder.encode(reports), as: UTF8.self))
} else {
    let figures = reports.compactMap(\.figure?.isReached)
    print("\(figures.filter(\.self).count) of \(figures.count) limits reached")
}
