package import Foundation

extension Decimal {
    /// The number that a store's data spell with a point, such as `114.99`; nil for anything else. It is exact, as no detour
    /// over a binary fraction would be.
    package init?(priceText text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (48...57).contains($0) } })
        else {
            return nil
        }
        self.init(string: text, locale: Locale(identifier: "en_US_POSIX"))
    }
}
