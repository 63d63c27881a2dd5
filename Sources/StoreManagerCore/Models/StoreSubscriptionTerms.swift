public import Foundation

/// The terms of an auto-renewable subscription.
public struct StoreSubscriptionTerms: Hashable, Codable, Sendable {
    /// The group of which an account holds one subscription at a time; empty where the store does not say.
    public var groupID: String
    /// The group's name to show; nil where there is none.
    public var groupDisplayName: String?
    /// The rank inside the group, 1 being the highest; 0 where the store does not say.
    public var groupLevel: Int
    /// How long one paid period lasts.
    public var period: StoreSubscriptionPeriod
    /// The offer for new subscribers.
    public var introductoryOffer: StoreOffer?
    /// The offers that the app's own server signs.
    public var promotionalOffers: [StoreOffer]
    /// The offers for those who once subscribed.
    public var winBackOffers: [StoreOffer]

    /// Makes terms. Only the group and the period have no default.
    public init(
        groupID: String, groupDisplayName: String? = nil, groupLevel: Int = 0, period: StoreSubscriptionPeriod,
        introductoryOffer: StoreOffer? = nil, promotionalOffers: [StoreOffer] = [], winBackOffers: [StoreOffer] = []
    ) {
        self.groupID = groupID
        self.groupDisplayName = groupDisplayName
        self.groupLevel = groupLevel
        self.period = period
        self.introductoryOffer = introductoryOffer
        self.promotionalOffers = promotionalOffers
        self.winBackOffers = winBackOffers
    }
}

/// A reduced price for the first periods of a subscription.
public struct StoreOffer: Hashable, Codable, Sendable {
    /// The offer's identifier; nil for an introductory offer, which needs none.
    public var id: String?
    /// For whom it is.
    public var type: StoreOfferType
    /// How it is paid.
    public var paymentMode: StoreOfferPaymentMode
    /// The price of one period (`payAsYouGo`), of the whole (`payUpFront`), or 0 (`freeTrial`).
    public var price: Decimal
    /// The price as the store itself writes it.
    public var displayPrice: String?
    /// How long one of its periods lasts.
    public var period: StoreSubscriptionPeriod
    /// How many periods it runs; 1 unless it is paid as you go.
    public var periodCount: Int

    /// Makes an offer.
    public init(
        id: String? = nil, type: StoreOfferType, paymentMode: StoreOfferPaymentMode, price: Decimal,
        displayPrice: String? = nil, period: StoreSubscriptionPeriod, periodCount: Int = 1
    ) {
        self.id = id
        self.type = type
        self.paymentMode = paymentMode
        self.price = price
        self.displayPrice = displayPrice
        self.period = period
        self.periodCount = periodCount
    }

    /// How long the offer lasts altogether, in the normal form of its period.
    public var totalLength: StoreSubscriptionPeriod { period.multiplied(by: periodCount).normalized }
}

/// Whom an offer is for.
public enum StoreOfferType: String, Hashable, Codable, Sendable, CaseIterable {
    /// New subscribers.
    case introductory
    /// Present and former subscribers, signed by the app's server.
    case promotional
    /// Whoever has an offer code.
    case code
    /// Former subscribers.
    case winBack
}

/// How an offer is paid.
public enum StoreOfferPaymentMode: String, Hashable, Codable, Sendable, CaseIterable {
    /// Each period at the reduced price.
    case payAsYouGo
    /// Once, for the whole length.
    case payUpFront
    /// Nothing.
    case freeTrial
    /// A single payment for something that does not renew.
    case oneTime
}
