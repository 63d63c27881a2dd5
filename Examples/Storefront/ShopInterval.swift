import StoreManagerCore

/// A length of time as it is typed: a number and h, d, w, mo or y.
struct ShopInterval: Equatable {
    /// So many hours, or so many days, weeks, months or years of the calendar.
    enum Length: Equatable {
        case hours(Int)
        case period(StoreSubscriptionPeriod)
    }

    let length: Length

    /// Reads `31d`.
    init(_ text: String) throws {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        let units: [String: (limit: Int, make: (Int) -> Length)] = [
            "h": (876_000, Length.hours),
            "d": (36_500, { .period(StoreSubscriptionPeriod(value: $0, unit: .day)) }),
            "w": (5_200, { .period(StoreSubscriptionPeriod(value: $0, unit: .week)) }),
            "mo": (1_200, { .period(StoreSubscriptionPeriod(value: $0, unit: .month)) }),
            "y": (100, { .period(StoreSubscriptionPeriod(value: $0, unit: .year)) }),
        ]
        guard let number = Int(digits), let unit = units[text.dropFirst(digits.count).lowercased()],
            (1...unit.limit).contains(number)
        else {
            throw ShopError(
                "\"\(text)\" is no length of time; right would be 31d, 6h, 2w, 3mo or 1y, up to a hundred years")
        }
        length = unit.make(number)
    }
}
