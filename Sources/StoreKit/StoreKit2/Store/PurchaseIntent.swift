import StoreManagerCore

/// A purchase that somebody began on the app's page in the store.
public struct PurchaseIntent: Identifiable, Equatable, Sendable {
    /// The product.
    public let product: Product
    /// The identifier of the product.
    public var id: Product.ID { product.id }
    /// The offer that goes with it.
    public let offer: Product.SubscriptionOffer?

    /// Each such purchase, and at the beginning those that nobody took.
    public static var intents: PurchaseIntents { PurchaseIntents() }

    init(_ intent: StorePurchaseIntent) {
        product = Product(intent.product)
        offer = intent.offer.map(Product.SubscriptionOffer.init)
    }

    /// Purchases that were begun in the store.
    public struct PurchaseIntents: AsyncSequence {
        /// A purchase.
        public typealias Element = PurchaseIntent

        /// Begins to listen.
        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator() }

        /// Listens.
        public struct AsyncIterator: AsyncIteratorProtocol {
            /// A purchase.
            public typealias Element = PurchaseIntent
            private var listener = Listener<PurchaseIntent> { $0.addIntentListener($1) }

            /// The next purchase; nil when the task was cancelled.
            public mutating func next() async -> PurchaseIntent? { await listener.next() }
        }
    }
}

/// Apple's is not Sendable either.
@available(*, unavailable)
extension PurchaseIntent.PurchaseIntents: Sendable {}

/// An iterator belongs to one task.
@available(*, unavailable)
extension PurchaseIntent.PurchaseIntents.AsyncIterator: Sendable {}
