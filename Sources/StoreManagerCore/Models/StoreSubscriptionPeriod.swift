/// A length of time as the store counts it: so many days, weeks, months or years.
///
/// Periods that mean the same are told equal by ``isEquivalent(to:)``; `==` compares the spelling.
public struct StoreSubscriptionPeriod: Hashable, Codable, Sendable {
    /// The unit of a period.
    public enum Unit: String, Hashable, Codable, Sendable, CaseIterable {
        /// 24 hours.
        case day
        /// Seven days.
        case week
        /// A calendar month.
        case month
        /// A calendar year.
        case year
    }

    /// How many units.
    public var value: Int
    /// Which unit.
    public var unit: Unit

    /// Makes a period of `value` units.
    public init(value: Int, unit: Unit) {
        self.value = value
        self.unit = unit
    }

    /// Reads an ISO 8601 duration of one unit, such as `P1W` or `P6M`; nil for anything else.
    public init?(iso8601 text: String) {
        guard text.first == "P", let letter = text.last, let unit = Unit(iso8601: letter),
            case let digits = text.dropFirst().dropLast(), !digits.isEmpty,
            digits.allSatisfy({ $0.isASCII && $0.isNumber }), let value = Int(digits), value > 0
        else { return nil }
        self.init(value: value, unit: unit)
    }

    /// The period as an ISO 8601 duration, such as `P1W`.
    public var iso8601: String { "P\(value)\(unit.iso8601)" }

    /// The same length in the largest unit that divides it: 7 days are 1 week, 12 months are 1 year.
    public var normalized: StoreSubscriptionPeriod {
        switch unit {
        case .day where value != 0 && value % 7 == 0: StoreSubscriptionPeriod(value: value / 7, unit: .week)
        case .month where value != 0 && value % 12 == 0: StoreSubscriptionPeriod(value: value / 12, unit: .year)
        default: self
        }
    }

    /// Whether both periods mean the same length, whatever their unit.
    public func isEquivalent(to other: StoreSubscriptionPeriod) -> Bool { normalized == other.normalized }

    /// The period taken `count` times; a length beyond the range of `Int` stays at that range's end.
    public func multiplied(by count: Int) -> StoreSubscriptionPeriod {
        let product = value.multipliedReportingOverflow(by: count)
        return StoreSubscriptionPeriod(value: product.overflow ? Int.max : product.partialValue, unit: unit)
    }
}

extension StoreSubscriptionPeriod.Unit {
    fileprivate init?(iso8601 letter: Character) {
        switch letter {
        case "D": self = .day
        case "W": self = .week
        case "M": self = .month
        case "Y": self = .year
        default: return nil
        }
    }

    fileprivate var iso8601: String {
        switch self {
        case .day: "D"
        case .week: "W"
        case .month: "M"
        case .year: "Y"
        }
    }
}
