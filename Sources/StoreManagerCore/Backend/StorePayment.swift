/// What the manager asks a store to sell.
public struct StorePayment: Hashable, Sendable {
    /// The request that the payment belongs to. A token names nothing beyond the process: a store that keeps payments over a
    /// relaunch forgets their tokens.
    public var token: RequestToken
    /// The product.
    public var product: StoreProduct {
        get { order.value.product }
        set { order.edit { $0.product = newValue } }
    }
    /// All that the caller said besides.
    public var options: PurchaseOptions {
        get { order.value.options }
        set { order.edit { $0.options = newValue } }
    }
    /// The store's own payment that this one continues, where somebody began to buy in the store itself.
    public var intent: StorePurchaseIntent? {
        get { order.value.intent }
        set { order.edit { $0.intent = newValue } }
    }

    /// What is ordered: large, kept as long as the store does not answer, and handed on several times.
    private var order: Boxed<Order>

    private struct Order: Hashable, Sendable {
        var product: StoreProduct
        var options: PurchaseOptions
        var intent: StorePurchaseIntent?
    }

    /// Makes a payment.
    public init(
        token: RequestToken, product: StoreProduct, options: PurchaseOptions = PurchaseOptions(),
        intent: StorePurchaseIntent? = nil
    ) {
        self.token = token
        order = Boxed(Order(product: product, options: options, intent: intent))
    }

    /// What two payments must share to be equal in the eyes of a store that knows no tokens.
    public struct Fingerprint: Hashable, Sendable {
        /// The product.
        public var productIdentifier: String
        /// How many.
        public var quantity: Int
        /// The application user name.
        public var applicationUsername: String?
        /// The identifier of the promotional offer.
        public var offerID: String?

        /// Makes a fingerprint.
        public init(
            productIdentifier: String, quantity: Int = 1, applicationUsername: String? = nil, offerID: String? = nil
        ) {
            self.productIdentifier = productIdentifier
            self.quantity = quantity
            self.applicationUsername = applicationUsername
            self.offerID = offerID
        }
    }

    /// The payment as far as one can be told from another.
    public var fingerprint: Fingerprint {
        var offerID: String?
        if case .promotional(let signature) = options.offer { offerID = signature.offerID }
        return Fingerprint(
            productIdentifier: product.id, quantity: options.quantity,
            applicationUsername: options.applicationUsername, offerID: offerID)
    }
}

/// A purchase that somebody began on the app's page in the store (a promoted purchase).
public struct StorePurchaseIntent: Hashable, Sendable, Identifiable {
    /// What tells it from others; made by the backend.
    public var id: String
    /// The product.
    public var product: StoreProduct
    /// The offer that goes with it, where the store says.
    public var offer: StoreOffer?

    /// Makes an intent.
    public init(id: String, product: StoreProduct, offer: StoreOffer? = nil) {
        self.id = id
        self.product = product
        self.offer = offer
    }
}
