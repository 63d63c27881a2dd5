public import Foundation
import StoreManagerCore

// `@unchecked Sendable` is right because all that is stored is immutable and Sendable.
/// An offer for a subscription.
open class SKProductDiscount: NSObject, @unchecked Sendable {
    private let offer: StoreOffer?
    private let locale: Locale
    private let period: SKProductSubscriptionPeriod

    /// An empty offer.
    public override init() {
        offer = nil
        locale = Locale(identifier: "")
        period = SKProductSubscriptionPeriod()
    }

    init(_ offer: StoreOffer, priceLocale: Locale) {
        self.offer = offer
        locale = priceLocale
        period = SKProductSubscriptionPeriod(offer.period)
    }

    /// The price of one period, or of the whole where it is paid up front.
    open var price: NSDecimalNumber { NSDecimalNumber(decimal: offer?.price ?? 0) }
    /// The locale of the price.
    open var priceLocale: Locale { locale }
    /// The offer's identifier; nil for an introductory offer.
    open var identifier: String? { offer?.type == .introductory ? nil : offer?.id }
    /// How long one of its periods lasts.
    open var subscriptionPeriod: SKProductSubscriptionPeriod { period }
    /// How many periods it runs.
    open var numberOfPeriods: Int { offer?.periodCount ?? 0 }
    /// For whom it is.
    open var type: `Type` { offer?.type == .introductory ? .introductory : .subscription }
    /// How it is paid.
    open var paymentMode: PaymentMode {
        switch offer?.paymentMode {
        case .payUpFront, .oneTime: .payUpFront
        case .freeTrial: .freeTrial
        case .payAsYouGo, nil: .payAsYouGo
        }
    }

    /// How an offer is paid.
    public enum PaymentMode: UInt, Sendable {
        /// Each period.
        case payAsYouGo = 0
        /// Once for all periods.
        case payUpFront = 1
        /// Not at all.
        case freeTrial = 2
    }

    /// For whom an offer is.
    public enum `Type`: UInt, Sendable {
        /// New subscribers.
        case introductory = 0
        /// Present and former subscribers.
        case subscription = 1
    }
}
