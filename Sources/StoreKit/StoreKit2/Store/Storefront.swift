public import Foundation
import StoreManagerCore
import StoreSimulator

/// The country whose store is sold from.
public struct Storefront: Identifiable, Sendable {
    /// The store's own identifier of the storefront.
    public let id: String
    /// The country, an ISO 3166-1 alpha-3 code.
    public let countryCode: String
    /// The currency of its prices.
    public let currency: Locale.Currency?

    /// The storefront now; nil where it is not known.
    public static var current: Storefront? {
        get async { await StoreLink.shared.store?.storefront.map { Storefront($0) } }
    }

    /// Each change, from now on.
    public static var updates: Storefronts { Storefronts() }

    init(_ storefront: StoreStorefront) { self.init(countryCode: storefront.countryCode, id: storefront.id) }

    init(countryCode: String, id: String? = nil) {
        self.id = id ?? countryCode
        self.countryCode = countryCode
        currency = Locale(identifier: "en_\(countryCode)").currency
    }

    /// Storefronts, as they change.
    public struct Storefronts: AsyncSequence, Sendable {
        /// A storefront.
        public typealias Element = Storefront

        /// Begins to listen.
        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator() }

        /// Listens.
        public struct AsyncIterator: AsyncIteratorProtocol {
            /// A storefront.
            public typealias Element = Storefront
            private var listener = Listener<Storefront> { $0.storefrontUpdates.add($1) }

            /// The next storefront; nil when the task was cancelled.
            public mutating func next() async -> Storefront? { await listener.next() }
        }
    }
}

/// An iterator belongs to one task.
@available(*, unavailable)
extension Storefront.Storefronts.AsyncIterator: Sendable {}
