public import Foundation
import StoreManagerCore

/// One transaction as the store tells it.
///
/// A transaction is a value. A later word of the store about the same purchase is another value with the same ``id``.
public struct Transaction: Identifiable, Equatable, Hashable, Sendable {
    let source: StoreTransaction
    let signed: SignedValue
    /// How long one period of the offer lasts that was redeemed.
    let offerPeriod: StoreSubscriptionPeriod?

    /// The store's identifier.
    public var id: UInt64 { UInt64(source.id) ?? 0 }
    /// The identifier of the purchase that this one renews; its own otherwise.
    public var originalID: UInt64 { UInt64(source.originalID) ?? 0 }
    /// The identifier of one purchase of a subscription, across devices; nil for everything else.
    public var webOrderLineItemID: String? { source.productType == .autoRenewable ? source.id : nil }
    /// The product that was bought.
    public var productID: String { source.productIdentifier }
    /// The subscription group of the product.
    public var subscriptionGroupID: String? { source.subscriptionGroupID }
    /// The app that it was bought in.
    public var appBundleID: String { signed.bundleID }
    /// When it was charged.
    public var purchaseDate: Date { source.purchaseDate }
    /// When the first purchase was charged.
    public var originalPurchaseDate: Date { source.originalPurchaseDate }
    /// When the paid period of a subscription ends.
    public var expirationDate: Date? { source.expirationDate }
    /// How many were bought.
    public var purchasedQuantity: Int { source.quantity }
    /// Whether the subscriber moved up to a better plan.
    public var isUpgraded: Bool { source.isUpgraded }
    /// When the store took the purchase back; nil while it stands.
    public var revocationDate: Date? { source.revocationDate }
    /// Why the store took the purchase back.
    public var revocationReason: RevocationReason? {
        source.revocationReason.map { RevocationReason(rawValue: $0.rawValue) }
    }
    /// What kind of thing was bought.
    public var productType: Product.ProductType { Product.ProductType(source.productType) }
    /// The account token that the purchase was started with.
    public var appAccountToken: UUID? { source.appAccountToken }
    /// Whose purchase it is.
    public var ownershipType: OwnershipType { source.ownership == .purchased ? .purchased : .familyShared }

    /// When the store signed this word. The newest one is right.
    public var signedDate: Date { signed.signedDate }
    /// What ties the word to this device.
    public var deviceVerification: Data { signed.deviceVerification }
    /// What went into ``deviceVerification``.
    public var deviceVerificationNonce: UUID { signed.deviceVerificationNonce }
    /// The word as the store wrote it, in JSON.
    public var jsonRepresentation: Data { signed.payload }
    /// The identifier of the download of the app that the purchase belongs to.
    public var appTransactionID: String { signed.appTransactionID }

    /// Tells the store that the app has dealt with the purchase.
    public func finish() async { await StoreLink.shared.finish(source) }
}

extension Transaction: CustomDebugStringConvertible {
    /// The JSON of the transaction.
    public var debugDescription: String { String(decoding: jsonRepresentation, as: UTF8.self) }
}
