import Foundation

/// What a ``StoreTransaction`` says.
struct StoreTransactionFields: Hashable, Codable, Sendable {
    var id: String
    var originalID: String
    var productIdentifier: String
    var productType: StoreProductType
    var state: StoreTransactionState
    var quantity: Int
    var purchaseDate: Date
    var originalPurchaseDate: Date
    var expirationDate: Date?
    var revocationDate: Date?
    var revocationReason: StoreRevocationReason?
    var isUpgraded = false
    var ownership = StoreOwnership.purchased
    var reason = StoreTransactionReason.purchase
    var appAccountToken: UUID?
    var applicationUsername: String?
    var subscriptionGroupID: String?
    var offer: StoreRedeemedOffer?
    var price: Decimal?
    var currencyCode: String?
    var storefrontCountryCode: String?
    var environment: StoreEnvironment?
    var signedDate: Date?
    var jwsRepresentation: String?
    var storeVerification = StoreVerification.notChecked
    var downloads: [StoreDownload] = []
    var context: PurchaseContext?
}
