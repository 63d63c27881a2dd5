public import Foundation
import StoreManagerCore

extension Product {
    /// How prices of the product are written.
    public var priceFormatStyle: Decimal.FormatStyle.Currency {
        Decimal.FormatStyle.Currency(code: locale.currency?.identifier ?? "", locale: locale)
    }

    /// How periods of the product are written.
    ///
    /// Foundation on this host has the type, but nothing to write with it.
    public var subscriptionPeriodFormatStyle: Date.ComponentsFormatStyle { .empty }

    /// How the units of periods of the product are written.
    public var subscriptionPeriodUnitFormatStyle: SubscriptionPeriod.Unit.FormatStyle { .init() }

    private var locale: Locale { source.priceLocale ?? Locale(identifier: "en_US") }
}

extension Product.SubscriptionPeriod {
    /// Writes the period, as one that begins at a date.
    public func formatted<Style: Foundation.FormatStyle>(
        _ format: Style, referenceDate: Date = .now
    ) -> Style.FormatOutput where Style.FormatInput == Range<Date> {
        format.format(dateRange(referenceDate: referenceDate))
    }

    /// Writes the period, as one that begins at a date, by its length.
    public func formatted<Style: Foundation.FormatStyle>(
        _ format: Style, referenceDate: Date = .now
    ) -> Style.FormatOutput where Style.FormatInput == Duration {
        let range = dateRange(referenceDate: referenceDate)
        return format.format(.seconds(range.upperBound.timeIntervalSince(range.lowerBound)))
    }
}

extension Product.SubscriptionPeriod.Unit {
    /// Writes the unit.
    public func formatted<Style: Foundation.FormatStyle>(_ format: Style) -> Style.FormatOutput
    where Style.FormatInput == Product.SubscriptionPeriod.Unit {
        format.format(self)
    }

    /// The unit in print.
    public var localizedDescription: String { FormatStyle().format(self) }

    /// How units of periods are written: in English, because Foundation on this host has no words for them.
    public struct FormatStyle: Foundation.FormatStyle, Sendable {
        /// Writes a unit, such as `month`.
        public func format(_ value: Product.SubscriptionPeriod.Unit) -> String {
            switch value {
            case .day: "day"
            case .week: "week"
            case .month: "month"
            case .year: "year"
            }
        }
    }
}

extension Date.ComponentsFormatStyle {
    /// The only value of the type, which holds nothing on this host and can be had by decoding alone.
    fileprivate static let empty: Self = {
        guard let style = try? JSONDecoder().decode(Self.self, from: Data("{}".utf8)) else {
            preconditionFailure("Foundation's Date.ComponentsFormatStyle is not empty any more.")
        }
        return style
    }()
}
