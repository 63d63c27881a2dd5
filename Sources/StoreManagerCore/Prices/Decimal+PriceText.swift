package import Foundation

extension Decimal {
    /// The number that a store's data spell with a point, such as `114.99`; nil for anything else. It is exact, as no detour
    /// over a binary fraction would be.
    package init?(priceText text: String) {
        // `Decimal` reads a number from the beginning of nearly any text, and holds 38 digits exactly.
        guard text.wholeMatch(of: /[0-9]+(\.[0-9]+)?/) != nil, text.count <= 38 else { return nil }
        self.init(string: text, locale: Locale(identifier: "en_US_POSIX"))
    }
}
