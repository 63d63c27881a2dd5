public import Foundation

extension StoreProduct {
    /// The price to show: as the store writes it, else written by the rules of ``priceLocale``, never of the device. Where there
    /// is neither, the bare number.
    public var localizedPrice: String { priceText(price, displayPrice) }

    /// The price of one of the product's offers, written like ``localizedPrice``.
    public func localizedPrice(of offer: StoreOffer) -> String { priceText(offer.price, offer.displayPrice) }

    /// What a subscription costs for a day, week, month or year, rounded to the nearest unit of its currency (to the hundredth
    /// where the currency is not known), halves up; nil for what is no subscription.
    ///
    /// A week has 7 days, a year 12 months and 365 days, so a month has 365/12. Thus a year at 119.88 is 9.99 a month, and
    /// a week at 1.99 is 8.65 a month and 103.76 a year.
    public func price(per unit: StoreSubscriptionPeriod.Unit) -> Decimal? {
        guard let period = subscription?.period, period.value > 0 else { return nil }
        let exact = price * unit.twelfthsOfADay / (Decimal(period.value) * period.unit.twelfthsOfADay)
        return exact.rounded(toUnitOf: priceLocale?.currency)
    }

    /// What a subscription costs for a day, week, month or year, by the rules of ``priceLocale``; nil for what is no
    /// subscription. See ``price(per:)``.
    public func localizedPrice(per unit: StoreSubscriptionPeriod.Unit) -> String? {
        price(per: unit).map { priceText($0, nil) }
    }

    private func priceText(_ price: Decimal, _ storeText: String?) -> String {
        if let storeText, !storeText.isEmpty { return storeText }
        guard let priceLocale, let currency = priceLocale.currency else {
            let locale = priceLocale ?? Locale(identifier: "en")
            return price.formatted(.number.locale(locale).grouping(.never))
        }
        return price.formatted(.currency(code: currency.identifier).locale(priceLocale))
    }
}

extension StoreSubscriptionPeriod.Unit {
    /// The length of a unit in twelfths of a day, the largest measure that divides them all.
    fileprivate var twelfthsOfADay: Decimal {
        switch self {
        case .day: 12
        case .week: 84
        case .month: 365
        case .year: 4380
        }
    }
}

extension Decimal {
    /// The amount to the nearest unit of a currency, halves up; to the hundredth where the currency is not known.
    package func rounded(toUnitOf currency: Locale.Currency?) -> Decimal {
        var value = self
        var result = Decimal()
        NSDecimalRound(&result, &value, currency?.fractionDigits ?? 2, .plain)
        return result
    }
}

extension Locale.Currency {
    /// How many digits of a fraction the currency has, read off a price: the number formatter's own answer is 2 for every
    /// currency on Linux.
    fileprivate var fractionDigits: Int {
        let text = Decimal(0).formatted(.currency(code: identifier).locale(Locale(identifier: "en_US_POSIX")))
        return text.split(separator: ".").dropFirst().last?.count ?? 0
    }
}
