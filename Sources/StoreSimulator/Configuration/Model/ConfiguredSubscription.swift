public import Foundation
public import StoreManagerCore

extension StoreConfiguration {
    /// A group of which an account holds one subscription at a time.
    public struct SubscriptionGroup: Hashable, Codable, Sendable, Identifiable {
        /// The group's identifier.
        public var id: String
        /// The name for the seller's own eyes.
        public var name: String
        /// The group's name by language; mostly empty.
        public var localizations: [Localization]

        /// Makes a group.
        public init(id: String, name: String = "", localizations: [Localization] = []) {
            self.id = id
            self.name = name
            self.localizations = localizations
        }
    }

    /// The terms of an auto-renewable subscription.
    public struct Subscription: Hashable, Codable, Sendable {
        /// The group that it belongs to.
        public var groupID: String
        /// The rank inside the group, 1 being the highest; several may share one.
        public var groupLevel: Int
        /// How long one paid period lasts; nil where the file leaves it out, and the product cannot be bought.
        public var period: StoreSubscriptionPeriod?
        /// The offers for new subscribers; one, or none.
        public var introductoryOffers: [Offer]
        /// The offers that the app's own server signs.
        public var promotionalOffers: [Offer]
        /// The offers behind offer codes.
        public var codeOffers: [Offer]
        /// The offers for those who once subscribed.
        public var winBackOffers: [Offer]
        /// The ways to pay for a period (5.0 and later); empty means up front, at the product's price.
        public var billingPlans: [BillingPlan]

        /// Makes terms. Only the group and the period have no default.
        public init(
            groupID: String, groupLevel: Int = 1, period: StoreSubscriptionPeriod?, introductoryOffers: [Offer] = [],
            promotionalOffers: [Offer] = [], codeOffers: [Offer] = [], winBackOffers: [Offer] = [],
            billingPlans: [BillingPlan] = []
        ) {
            self.groupID = groupID
            self.groupLevel = groupLevel
            self.period = period
            self.introductoryOffers = introductoryOffers
            self.promotionalOffers = promotionalOffers
            self.codeOffers = codeOffers
            self.winBackOffers = winBackOffers
            self.billingPlans = billingPlans
        }
    }

    /// A way to pay for one period of a subscription.
    public struct BillingPlan: Hashable, Codable, Sendable {
        /// The file's name for the plan: `BILLED_UPFRONT` or `MONTHLY` so far.
        public var type: String
        /// What one bill is for; nil where the file leaves it empty.
        public var price: Decimal?
        /// What all bills of the period come to; nil where the file leaves it empty.
        public var commitmentPrice: Decimal?
        /// Whether it is offered.
        public var isEnabled: Bool
        /// The identifier in App Store Connect, or one made by Xcode.
        public var internalID: String?

        /// Makes a plan.
        public init(
            type: String, price: Decimal?, commitmentPrice: Decimal? = nil, isEnabled: Bool = true,
            internalID: String? = nil
        ) {
            self.type = type
            self.price = price
            self.commitmentPrice = commitmentPrice
            self.isEnabled = isEnabled
            self.internalID = internalID
        }
    }
}
