import Foundation
import StoreManagerCore

/// What was paid for and how: the same for all renewals at one price, and kept once for all who pay it.
struct Terms: Hashable, Codable, Sendable {
    /// The product's position in the catalogue.
    var product: Int
    var quantity = 1
    /// What was paid for the whole quantity.
    var price: Decimal
    var storefront: String
    var currency: String?
    /// The offer that was redeemed.
    var offer: StoreRedeemedOffer?
    /// The billing plan; nil is up front.
    var billingPlan: String?
    /// From one renewal to the next; nil where nothing renews.
    var step: PeriodStep?
}

/// All terms that anybody has bought on, each with a number.
struct TermsTable: Codable, Sendable {
    private var all: [Terms] = []
    private var numbers: [Terms: Int32] = [:]

    /// The number of these terms.
    mutating func number(of terms: Terms) -> Int32 {
        if let number = numbers[terms] { return number }
        let number = Int32(all.count)
        all.append(terms)
        numbers[terms] = number
        return number
    }

    /// The terms of a number that ``number(of:)`` gave.
    subscript(number: Int32) -> Terms { all[Int(number)] }

    init() {}

    /// Reads the terms in the order of their numbers.
    init(from decoder: any Decoder) throws {
        for terms in try decoder.singleValueContainer().decode([Terms].self) { _ = number(of: terms) }
    }

    /// Writes the terms in the order of their numbers.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(all)
    }
}
