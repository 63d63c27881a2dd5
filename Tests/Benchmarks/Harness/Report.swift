import Foundation

/// What was measured of a benchmark.
struct Report: Codable {
    let name: String
    let measurements: [Measurement]
    /// What it comes to; nil where there is nothing to compare, or no way to measure it here.
    var figure: Figure?

    /// A figure, and the limit that it is to keep.
    struct Figure: Codable {
        let value: Double
        /// What it is a number of.
        let meaning: String
        let limit: Limit?
        /// Nil where there is no limit.
        let isReached: Bool?

        init(_ value: Double, _ meaning: String, _ limit: Limit?) {
            (self.value, self.meaning, self.limit) = (value, meaning, limit)
            isReached = limit?.allows(value)
        }
    }

    /// What a figure may be.
    enum Limit: Codable {
        case atMost(Double)
        case atLeast(Double)

        func allows(_ value: Double) -> Bool {
            switch self {
            case .atMost(let bound): value <= bound
            case .atLeast(let bound): value >= bound
            }
        }
    }
}

/// What was measured at one size, for each operation.
struct Measurement: Codable {
    let label: String
    /// Nanoseconds.
    let median: Double
    /// Nanoseconds; the least disturbed sample is the fairest to compare.
    let least: Double
    /// The width of the middle half of the samples, in nanoseconds.
    let spread: Double
    /// How many blocks of memory were allocated; nil where the system does not let them be counted.
    let allocations: Double?

    init(label: String, samples: [Double], allocations: Double?) {
        let sorted = samples.sorted()
        self.label = label
        median = sorted[sorted.count / 2]
        least = sorted[0]
        spread = sorted[sorted.count * 3 / 4] - sorted[sorted.count / 4]
        self.allocations = allocations
    }
}

extension Report: CustomStringConvertible {
    /// The report as a person reads it.
    var description: String {
        let lines = measurements.map { "  \($0)" } + [figure.map { "  \($0)" }].compactMap(\.self)
        return ([name] + (lines.isEmpty ? ["  cannot be measured on this system"] : lines)).joined(separator: "\n")
    }
}

extension Measurement: CustomStringConvertible {
    var description: String {
        var text = "\(label): median \(median.grouped) ns, least \(least.grouped) ns, spread \(spread.grouped) ns"
        if let allocations { text += ", \(allocations.short) allocations" }
        return text
    }
}

extension Report.Figure: CustomStringConvertible {
    var description: String {
        let text = "\(value.short) \(meaning)"
        guard let limit, let isReached else { return text }
        return "\(text); limit \(limit): \(isReached ? "reached" : "NOT reached")"
    }
}

extension Report.Limit: CustomStringConvertible {
    var description: String {
        switch self {
        case .atMost(let bound): "at most \(bound.short)"
        case .atLeast(let bound): "at least \(bound.short)"
        }
    }
}

extension Double {
    /// A whole number with a space between thousands.
    fileprivate var grouped: String {
        let digits = String(Int(rounded()))
        return String(
            digits.reversed().enumerated().flatMap {
                $0.offset > 0 && $0.offset % 3 == 0 ? [" ", $0.element] : [$0.element]
            }
            .reversed())
    }

    /// Two decimals where they matter.
    fileprivate var short: String { self < 100 ? String(format: "%.2f", self) : grouped }
}
