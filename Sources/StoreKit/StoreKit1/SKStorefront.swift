public import Foundation

// `@unchecked Sendable` is right because all that is stored is immutable and Sendable.
/// The country whose store is sold from.
open class SKStorefront: NSObject, @unchecked Sendable {
    private let fields: (countryCode: String, identifier: String)

    /// A storefront of no country.
    public override init() { fields = ("", "") }

    init(countryCode: String, identifier: String) { fields = (countryCode, identifier) }

    /// The country, an ISO 3166-1 alpha-3 code.
    open var countryCode: String { fields.countryCode }
    /// The store's own identifier of the storefront.
    open var identifier: String { fields.identifier }
}
