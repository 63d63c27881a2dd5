public import Foundation
import StoreManagerCore
import StoreSimulator

// `@unchecked Sendable` is right because all that is stored is immutable and Sendable; only being `open` keeps the compiler
// from seeing it. Subclasses say it for themselves.
/// Something that the store sells.
///
/// One that an app makes itself, or a subclass, is empty where it does not override.
open class SKProduct: NSObject, @unchecked Sendable {
    private let product: StoreProduct?
    private let terms: Terms?
    private let content: [HostedContent]

    /// An empty product.
    public override init() {
        product = nil
        terms = nil
        content = []
    }

    init(_ product: StoreProduct, hosting content: [HostedContent] = []) {
        self.product = product
        self.content = content
        terms = product.subscription.map { Terms($0, priceLocale: product.priceLocale ?? .unknown) }
    }

    /// The identifier of the product.
    open var productIdentifier: String { product?.id ?? "" }
    /// The name, in the store's language.
    open var localizedTitle: String { product?.displayName ?? "" }
    /// The description, in the store's language.
    open var localizedDescription: String { product?.description ?? "" }
    /// The price in the currency of ``priceLocale``.
    open var price: NSDecimalNumber { NSDecimalNumber(decimal: product?.price ?? 0) }
    /// The locale of the price.
    open var priceLocale: Locale { product?.priceLocale ?? .unknown }
    /// Whether family members share it.
    open var isFamilyShareable: Bool { product?.isFamilyShareable ?? false }

    /// How long one period of the subscription lasts; nil for anything else.
    open var subscriptionPeriod: SKProductSubscriptionPeriod? { terms?.period }
    /// The offer for new subscribers.
    open var introductoryPrice: SKProductDiscount? { terms?.introductory }
    /// The group of the subscription; nil for anything else.
    open var subscriptionGroupIdentifier: String? { product?.subscription?.groupID }
    /// The promotional offers.
    open var discounts: [SKProductDiscount] { terms?.discounts ?? [] }

    /// Whether the store hosts content for it.
    open var isDownloadable: Bool { !content.isEmpty }
    /// The sizes of that content in bytes.
    open var downloadContentLengths: [NSNumber] { content.map { NSNumber(value: $0.length) } }
    /// The version of that content.
    open var downloadContentVersion: String { content.first?.version ?? "" }
    /// The version of that content.
    open var contentVersion: String { downloadContentVersion }

    /// The unit of a period.
    public enum PeriodUnit: UInt, Sendable {
        /// A day.
        case day = 0
        /// Seven days.
        case week = 1
        /// A month.
        case month = 2
        /// A year.
        case year = 3
    }

    /// The terms of a subscription in StoreKit's classes.
    private struct Terms: Sendable {
        let period: SKProductSubscriptionPeriod
        let introductory: SKProductDiscount?
        let discounts: [SKProductDiscount]

        init(_ terms: StoreSubscriptionTerms, priceLocale: Locale) {
            period = SKProductSubscriptionPeriod(terms.period)
            introductory = terms.introductoryOffer.map { SKProductDiscount($0, priceLocale: priceLocale) }
            discounts = terms.promotionalOffers.map { SKProductDiscount($0, priceLocale: priceLocale) }
        }
    }
}

extension Locale {
    /// The locale of a price that the store does not know.
    fileprivate static let unknown = Locale(identifier: "")
}
