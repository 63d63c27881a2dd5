public import Foundation
import StoreManagerCore

extension Product {
    /// How long one period of a subscription, or of an offer, lasts.
    public struct SubscriptionPeriod: Equatable, Hashable, Sendable {
        /// The unit of a period. Later systems may know more.
        public enum Unit: Equatable, Hashable, Sendable, Comparable {
            /// A day.
            case day
            /// Seven days.
            case week
            /// A month.
            case month
            /// A year.
            case year
        }

        /// Which unit.
        public let unit: Unit
        /// How many units.
        public let value: Int

        init(value: Int, unit: Unit) {
            self.value = value
            self.unit = unit
        }

        /// The time from a date until a period later.
        public func dateRange(referenceDate: Date = .now) -> Range<Date> {
            let components = DateComponents(subscriptionPeriod: self)
            let end = Calendar(identifier: .gregorian).date(byAdding: components, to: referenceDate) ?? referenceDate
            return referenceDate..<max(referenceDate, end)
        }

        /// One week.
        public static let weekly = SubscriptionPeriod(value: 1, unit: .week)
        /// One month.
        public static let monthly = SubscriptionPeriod(value: 1, unit: .month)
        /// One year.
        public static let yearly = SubscriptionPeriod(value: 1, unit: .year)
        /// Three days.
        public static let everyThreeDays = SubscriptionPeriod(value: 3, unit: .day)
        /// Two weeks.
        public static let everyTwoWeeks = SubscriptionPeriod(value: 2, unit: .week)
        /// Two months.
        public static let everyTwoMonths = SubscriptionPeriod(value: 2, unit: .month)
        /// Three months.
        public static let everyThreeMonths = SubscriptionPeriod(value: 3, unit: .month)
        /// Six months.
        public static let everySixMonths = SubscriptionPeriod(value: 6, unit: .month)
    }
}

extension Product.SubscriptionPeriod {
    init(_ period: StoreSubscriptionPeriod) {
        self.init(value: period.value, unit: Unit(period.unit))
    }
}

extension Product.SubscriptionPeriod.Unit {
    init(_ unit: StoreSubscriptionPeriod.Unit) {
        switch unit {
        case .day: self = .day
        case .week: self = .week
        case .month: self = .month
        case .year: self = .year
        }
    }
}

extension DateComponents {
    /// The components of a period.
    public init(subscriptionPeriod period: Product.SubscriptionPeriod) {
        self.init()
        switch period.unit {
        case .day: day = period.value
        case .week: weekOfYear = period.value
        case .month: month = period.value
        case .year: year = period.value
        }
    }
}
