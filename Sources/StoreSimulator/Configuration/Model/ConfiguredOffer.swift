public import Foundation
public import StoreManagerCore

extension StoreConfiguration {
    /// A reduced price for the first periods of a subscription.
    ///
    /// Offers are told apart by subscription and ``id``: an ``internalID`` may repeat.
    public struct Offer: Hashable, Codable, Sendable {
        /// For whom it is.
        public var type: StoreOfferType
        /// The offer's identifier; nil for introductory offers and offer codes.
        public var id: String?
        /// The name for the seller's own eyes, and the only name that an offer code has.
        public var referenceName: String?
        /// The identifier in App Store Connect, or one made by Xcode.
        public var internalID: String?
        /// How it is paid.
        public var paymentMode: StoreOfferPaymentMode
        /// The price of one period (`payAsYouGo`) or of the whole (`payUpFront`); 0 for a free trial, whatever the file says;
        /// nil where the file leaves it empty, and the offer cannot be redeemed.
        public var price: Decimal?
        /// How long one of its periods lasts.
        public var period: StoreSubscriptionPeriod
        /// How many periods it runs, 1 or more.
        public var periodCount: Int
        /// Who may redeem an offer code; empty for other offers.
        public var eligibility: Set<Eligibility> {
            get { Set(eligible) }
            set { eligible = Self.ordered(newValue) }
        }
        /// In order, so that one store is saved as the same bytes by every process.
        private var eligible: [Eligibility]
        /// Whether an offer code may be added to an introductory offer.
        public var isStackable: Bool
        /// Whether the buyer is taken to be eligible for a win-back offer.
        public var isEligible: Bool
        /// The billing plan that it reduces (5.0 and later).
        public var billingPlanType: String?

        /// Makes an offer.
        public init(
            type: StoreOfferType, id: String? = nil, paymentMode: StoreOfferPaymentMode, price: Decimal?,
            period: StoreSubscriptionPeriod, periodCount: Int = 1, referenceName: String? = nil,
            internalID: String? = nil, eligibility: Set<Eligibility> = [], isStackable: Bool = false,
            isEligible: Bool = true, billingPlanType: String? = nil
        ) {
            self.type = type
            self.id = id
            self.referenceName = referenceName
            self.internalID = internalID
            self.paymentMode = paymentMode
            self.price = price
            self.period = period
            self.periodCount = periodCount
            eligible = Self.ordered(eligibility)
            self.isStackable = isStackable
            self.isEligible = isEligible
            self.billingPlanType = billingPlanType
        }

        private static func ordered(_ eligibility: Set<Eligibility>) -> [Eligibility] {
            eligibility.sorted { $0.rawValue < $1.rawValue }
        }

        /// Who may redeem an offer code. The set is open, so the file's word is kept.
        public struct Eligibility: RawRepresentable, Hashable, Codable, Sendable {
            /// The file's word.
            public var rawValue: String
            /// Keeps the file's word.
            public init(rawValue: String) { self.rawValue = rawValue }
            /// Who never subscribed.
            public static let new = Eligibility(rawValue: "new")
            /// Who subscribes now.
            public static let existing = Eligibility(rawValue: "existing")
            /// Who once subscribed.
            public static let expired = Eligibility(rawValue: "expired")
        }
    }
}
