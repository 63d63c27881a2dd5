import Foundation
import StoreManagerCore

/// A value that the file spells in its own way, from a text or a number.
protocol ConfigurationValue: Decodable {
    associatedtype Spelling: Decodable
    /// What would be right in the value's place, to follow "right would be".
    static var remedy: String { get }
    /// Understands a spelling; nil where it means nothing.
    init?(_ spelling: Spelling)
}

extension ConfigurationValue {
    init(from decoder: any Decoder) throws {
        func misfit(_ problem: String) -> StoreConfigurationError {
            StoreConfigurationError(place: .keyPath(decoder.codingPath.text), problem: problem, remedy: Self.remedy)
        }
        let spelling: Spelling
        do {
            spelling = try decoder.singleValueContainer().decode(Spelling.self)
        } catch DecodingError.typeMismatch {
            throw misfit("the value is of another type")
        } catch DecodingError.valueNotFound {
            throw misfit("the value is null")
        } catch {
            // For a number that its type cannot hold the decoder's own error has no key path.
            guard Spelling.self is any Numeric.Type else { throw error }
            throw misfit("the number cannot be held")
        }
        guard let value = Self(spelling) else { throw misfit("\"\(spelling)\" is not understood") }
        self = value
    }
}

extension ConfigurationFile {
    struct WholeNumber: ConfigurationValue {
        static let remedy = "a whole number such as 4"
        var value: Int
        init?(_ spelling: Int) { value = spelling }
    }

    struct Count: ConfigurationValue {
        static let remedy = "a whole number, 1 or more"
        var value: Int
        init?(_ spelling: Int) {
            guard spelling >= 1 else { return nil }
            value = spelling
        }
    }

    /// Seconds since the beginning of 2001 (UTC).
    struct Seconds: ConfigurationValue {
        static let remedy = "seconds since 2001 as a number, such as 748108800.5"
        var date: Date
        init?(_ spelling: Double) { date = Date(timeIntervalSinceReferenceDate: spelling) }
    }

    struct ProductIdentifier: ConfigurationValue {
        static let remedy = "a product identifier such as \"com.example.coins\""
        var text: String
        init?(_ spelling: String) {
            guard !spelling.isEmpty else { return nil }
            text = spelling
        }
    }

    struct ProductType: ConfigurationValue {
        static let remedy =
            "\"Consumable\", \"NonConsumable\", \"NonRenewingSubscription\" or \"RecurringSubscription\""
        var type: StoreProductType
        init?(_ spelling: String) {
            switch spelling {
            case "Consumable": type = .consumable
            case "NonConsumable": type = .nonConsumable
            case "NonRenewingSubscription": type = .nonRenewable
            case "RecurringSubscription", "AutoRenewableSubscription": type = .autoRenewable
            default: return nil
            }
        }
    }

    struct PaymentMode: ConfigurationValue {
        static let remedy = "\"free\", \"payAsYouGo\" or \"payUpFront\""
        var mode: StoreOfferPaymentMode
        init?(_ spelling: String) {
            switch spelling {
            case "free": mode = .freeTrial
            case "payAsYouGo": mode = .payAsYouGo
            case "payUpFront": mode = .payUpFront
            default: return nil
            }
        }
    }

    /// A price, or none where the text is empty.
    struct Price: ConfigurationValue {
        static let remedy = "a price with a point and without a currency, such as \"4.99\""
        var amount: Decimal?
        init?(_ spelling: String) {
            if spelling.isEmpty { return }
            guard let amount = Decimal(priceText: spelling) else { return nil }
            self.amount = amount
        }
    }

    /// A period, or none where the text is empty.
    struct Period: ConfigurationValue {
        static let remedy = OfferPeriod.remedy
        var period: StoreSubscriptionPeriod?
        init?(_ spelling: String) {
            if spelling.isEmpty { return }
            guard let offerPeriod = OfferPeriod(spelling) else { return nil }
            period = offerPeriod.period
        }
    }

    /// A period that cannot be left out.
    struct OfferPeriod: ConfigurationValue {
        static let remedy = "an ISO 8601 period of days, weeks, months or years, such as \"P1M\""
        var period: StoreSubscriptionPeriod
        init?(_ spelling: String) {
            guard let period = StoreSubscriptionPeriod(iso8601: spelling) else { return nil }
            self.period = period
        }
    }

    /// The rate for older readers: a number in 1.1, an object such as `{"3": 6}` later.
    struct CompatibilityTimeRate: Decodable {
        var rate: Int?

        /// The version of the format that a rate is for. Only one was ever seen.
        private enum Version: String, CodingKey {
            case three = "3"
        }

        init(from decoder: any Decoder) throws {
            if let rates = try? decoder.container(keyedBy: Version.self) {
                rate = try rates.decodeIfPresent(WholeNumber.self, forKey: .three)?.value
            } else {
                rate = try WholeNumber(from: decoder).value
            }
        }
    }
}

extension [any CodingKey] {
    /// The key path in print, such as `products[2].displayPrice`.
    var text: String {
        reduce(into: "") { text, key in
            if let index = key.intValue {
                text += "[\(index)]"
            } else {
                text += text.isEmpty ? key.stringValue : ".\(key.stringValue)"
            }
        }
    }
}
