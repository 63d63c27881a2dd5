public import Foundation

/// One transaction as the store tells it: what was bought, when, by whom and in which state it is.
///
/// A transaction is a value. A later word of the store about the same purchase (a refund, a renewal's new expiry) arrives
/// as another value with the same ``id``.
public struct StoreTransaction: Hashable, Sendable, Identifiable {
    /// The store's identifier; where the store gave none (StoreKit 1's failed payments), one made by the backend.
    public var id: String {
        get { fields.value.id }
        set { fields.edit { $0.id = newValue } }
    }
    /// The identifier of the purchase that this one renews or restores; its own otherwise. Empty where the store took a product
    /// back without saying which purchase of it (StoreKit 1).
    public var originalID: String {
        get { fields.value.originalID }
        set { fields.edit { $0.originalID = newValue } }
    }
    /// The product that was bought.
    public var productIdentifier: String {
        get { fields.value.productIdentifier }
        set { fields.edit { $0.productIdentifier = newValue } }
    }
    /// The kind of that product.
    public var productType: StoreProductType {
        get { fields.value.productType }
        set { fields.edit { $0.productType = newValue } }
    }
    /// Where the transaction stands.
    public var state: StoreTransactionState {
        get { fields.value.state }
        set { fields.edit { $0.state = newValue } }
    }
    /// How many were bought, 1 or more.
    public var quantity: Int {
        get { fields.value.quantity }
        set { fields.edit { $0.quantity = newValue } }
    }
    /// When this transaction was charged.
    public var purchaseDate: Date {
        get { fields.value.purchaseDate }
        set { fields.edit { $0.purchaseDate = newValue } }
    }
    /// When the first purchase was charged.
    public var originalPurchaseDate: Date {
        get { fields.value.originalPurchaseDate }
        set { fields.edit { $0.originalPurchaseDate = newValue } }
    }
    /// When a subscription's paid period ends.
    public var expirationDate: Date? {
        get { fields.value.expirationDate }
        set { fields.edit { $0.expirationDate = newValue } }
    }
    /// When the store took the purchase back; nil while it stands.
    public var revocationDate: Date? {
        get { fields.value.revocationDate }
        set { fields.edit { $0.revocationDate = newValue } }
    }
    /// Why the store took the purchase back.
    public var revocationReason: StoreRevocationReason? {
        get { fields.value.revocationReason }
        set { fields.edit { $0.revocationReason = newValue } }
    }
    /// Whether the subscriber moved up to a better plan, so that this one no longer counts.
    public var isUpgraded: Bool {
        get { fields.value.isUpgraded }
        set { fields.edit { $0.isUpgraded = newValue } }
    }
    /// Whether it was bought by this account, or by a family member.
    public var ownership: StoreOwnership {
        get { fields.value.ownership }
        set { fields.edit { $0.ownership = newValue } }
    }
    /// Whether it was bought by a person or renewed by the store.
    public var reason: StoreTransactionReason {
        get { fields.value.reason }
        set { fields.edit { $0.reason = newValue } }
    }
    /// The account token that the purchase was started with.
    public var appAccountToken: UUID? {
        get { fields.value.appAccountToken }
        set { fields.edit { $0.appAccountToken = newValue } }
    }
    /// The application user name that the purchase was started with.
    public var applicationUsername: String? {
        get { fields.value.applicationUsername }
        set { fields.edit { $0.applicationUsername = newValue } }
    }
    /// The subscription group of the product.
    public var subscriptionGroupID: String? {
        get { fields.value.subscriptionGroupID }
        set { fields.edit { $0.subscriptionGroupID = newValue } }
    }
    /// The offer that was redeemed.
    public var offer: StoreRedeemedOffer? {
        get { fields.value.offer }
        set { fields.edit { $0.offer = newValue } }
    }
    /// What was paid, for the whole quantity, in `currencyCode`.
    public var price: Decimal? {
        get { fields.value.price }
        set { fields.edit { $0.price = newValue } }
    }
    /// The currency of the price, an ISO 4217 code.
    public var currencyCode: String? {
        get { fields.value.currencyCode }
        set { fields.edit { $0.currencyCode = newValue } }
    }
    /// The country of the storefront, an ISO 3166-1 alpha-3 code.
    public var storefrontCountryCode: String? {
        get { fields.value.storefrontCountryCode }
        set { fields.edit { $0.storefrontCountryCode = newValue } }
    }
    /// Where the purchase was made.
    public var environment: StoreEnvironment? {
        get { fields.value.environment }
        set { fields.edit { $0.environment = newValue } }
    }
    /// When the store signed this word about the transaction. The newest one is right.
    public var signedDate: Date? {
        get { fields.value.signedDate }
        set { fields.edit { $0.signedDate = newValue } }
    }
    /// The store's signed form of the transaction, a JWS; nil on StoreKit 1.
    public var jwsRepresentation: String? {
        get { fields.value.jwsRepresentation }
        set { fields.edit { $0.jwsRepresentation = newValue } }
    }
    /// What the store's own library made of the signature.
    public var storeVerification: StoreVerification {
        get { fields.value.storeVerification }
        set { fields.edit { $0.storeVerification = newValue } }
    }
    /// Content that the store hosts for this purchase.
    public var downloads: [StoreDownload] {
        get { fields.value.downloads }
        set { fields.edit { $0.downloads = newValue } }
    }
    /// What the app gave along with the purchase, where it is known to belong to it.
    public var context: PurchaseContext? {
        get { fields.value.context }
        set { fields.edit { $0.context = newValue } }
    }

    /// All of it, in one place: a transaction is handed on many times on its way, and a copy costs one reference.
    private var fields: Boxed<StoreTransactionFields>

    /// Makes a transaction. What is not given is as for a simple purchase of one piece.
    public init(
        id: String, originalID: String? = nil, productIdentifier: String, productType: StoreProductType = .unknown,
        state: StoreTransactionState, quantity: Int = 1, purchaseDate: Date, originalPurchaseDate: Date? = nil,
        expirationDate: Date? = nil
    ) {
        fields = Boxed(
            StoreTransactionFields(
                id: id, originalID: originalID ?? id, productIdentifier: productIdentifier, productType: productType,
                state: state, quantity: quantity, purchaseDate: purchaseDate,
                originalPurchaseDate: originalPurchaseDate ?? purchaseDate, expirationDate: expirationDate))
    }
}

extension StoreTransaction: Codable {
    /// Decodes a transaction: one container with a key for each property.
    public init(from decoder: any Decoder) throws { fields = Boxed(try StoreTransactionFields(from: decoder)) }

    /// Encodes the transaction: one container with a key for each property.
    public func encode(to encoder: any Encoder) throws { try fields.value.encode(to: encoder) }
}

extension StoreTransaction: CustomReflectable {
    /// What a transaction shows in print: its properties.
    public var customMirror: Mirror { Mirror(self, children: Mirror(reflecting: fields.value).children.map { $0 }) }
}
