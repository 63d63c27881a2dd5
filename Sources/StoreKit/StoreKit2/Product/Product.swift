public import Foundation
import StoreManagerCore

/// Something that the store sells.
public struct Product: Identifiable, Equatable, Hashable, Sendable {
    /// The product in the words of the package.
    let source: StoreProduct
    /// The product as the store wrote it, in JSON.
    public let jsonRepresentation: Data

    /// The identifier of the product.
    public var id: String { source.id }
    /// What kind of thing is sold.
    public var type: ProductType { ProductType(source.type) }
    /// The name, in the store's language.
    public var displayName: String { source.displayName }
    /// The description, in the store's language.
    public var description: String { source.description }
    /// The price as the store writes it.
    public var displayPrice: String { source.displayPrice ?? "" }
    /// The price in the currency of the storefront.
    public var price: Decimal { source.price }
    /// Whether family members share it.
    public var isFamilyShareable: Bool { source.isFamilyShareable }
    /// The terms of an auto-renewable subscription; nil for everything else.
    public var subscription: SubscriptionInfo? { source.subscription.map { SubscriptionInfo(source: $0) } }

    /// Looks products up; unknown ones are absent.
    ///
    /// - Throws: ``StoreKitError``.
    public static func products<Identifiers: Collection>(for identifiers: Identifiers) async throws -> [Product]
    where Identifiers.Element == String {
        try await StoreLink.shared.products(withIdentifiers: Array(identifiers))
    }

    /// The newest transaction of the product; nil where there is none.
    public var latestTransaction: VerificationResult<Transaction>? {
        get async { await Transaction.latest(for: id) }
    }

    /// The transaction that entitles the user to the product; nil where there is none.
    public var currentEntitlement: VerificationResult<Transaction>? {
        get async { await Transaction.currentEntitlement(for: id) }
    }

    /// The transactions that entitle the user to the product.
    public var currentEntitlements: Transaction.Transactions { Transaction.currentEntitlements(for: id) }
}

extension Product: CustomDebugStringConvertible {
    /// The JSON of the product.
    public var debugDescription: String { String(decoding: jsonRepresentation, as: UTF8.self) }
}
