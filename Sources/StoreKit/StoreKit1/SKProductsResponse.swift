public import Foundation

// `@unchecked Sendable` is right because all that is stored is immutable and Sendable.
/// What a request for products found.
open class SKProductsResponse: NSObject, @unchecked Sendable {
    private let found: [SKProduct]
    private let notFound: [String]

    /// An empty response.
    public override init() { (found, notFound) = ([], []) }

    init(products: [SKProduct], invalidProductIdentifiers: [String]) {
        found = products
        notFound = invalidProductIdentifiers
    }

    /// The products that the store knows.
    open var products: [SKProduct] { found }
    /// The identifiers that it does not know.
    open var invalidProductIdentifiers: [String] { notFound }
}
