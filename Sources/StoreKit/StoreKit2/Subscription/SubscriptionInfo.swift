import StoreManagerCore

extension Product {
    /// The terms of an auto-renewable subscription, and how it stands.
    public struct SubscriptionInfo: Equatable, Hashable, Sendable {
        let source: StoreSubscriptionTerms

        /// The offer for new subscribers.
        public var introductoryOffer: SubscriptionOffer? { source.introductoryOffer.map(SubscriptionOffer.init) }
        /// The offers that the app's own server signs.
        public var promotionalOffers: [SubscriptionOffer] { source.promotionalOffers.map(SubscriptionOffer.init) }
        /// The offers for those who once subscribed.
        public var winBackOffers: [SubscriptionOffer] { source.winBackOffers.map(SubscriptionOffer.init) }
        /// The group, of which an account holds one subscription at a time.
        public var subscriptionGroupID: String { source.groupID }
        /// How long one paid period lasts.
        public var subscriptionPeriod: SubscriptionPeriod { SubscriptionPeriod(source.period) }
        /// The rank inside the group, 1 being the highest.
        public var groupLevel: Int { source.groupLevel }
        /// The group's name; may be empty.
        public var groupDisplayName: String { source.groupDisplayName ?? "" }

        /// Whether the user may have the introductory offer.
        public var isEligibleForIntroOffer: Bool {
            get async { await Self.isEligibleForIntroOffer(for: subscriptionGroupID) }
        }

        /// Whether the user may have an introductory offer of a group.
        public static func isEligibleForIntroOffer(for groupID: String) async -> Bool {
            await StoreLink.shared.isEligibleForIntroductoryOffer(inGroup: groupID)
        }

        /// How the user's subscriptions of the group stand.
        ///
        /// - Throws: ``StoreKitError``.
        public var status: [Status] {
            get async throws { try await Self.status(for: subscriptionGroupID) }
        }

        /// How the user's subscriptions of a group stand.
        ///
        /// - Throws: ``StoreKitError``.
        public static func status(for groupID: String) async throws -> [Status] {
            try await StoreLink.shared.statuses().filter { $0.groupID == groupID }.map(\.status)
        }

        /// How the subscription stands that a transaction belongs to; nil where there is none.
        ///
        /// - Throws: ``StoreKitError``.
        public static func status(transactionID: UInt64) async throws -> Status? {
            try await StoreLink.shared.status(ofTransaction: transactionID)
        }
    }
}

/// The terms of an auto-renewable subscription.
public typealias SubscriptionInfo = Product.SubscriptionInfo
/// How long one period lasts.
public typealias SubscriptionPeriod = Product.SubscriptionPeriod
/// How a subscription stands.
public typealias SubscriptionStatus = Product.SubscriptionInfo.Status
/// What the store says of the next renewal.
public typealias SubscriptionRenewalInfo = Product.SubscriptionInfo.RenewalInfo
/// The states of a subscription.
public typealias SubscriptionRenewalState = Product.SubscriptionInfo.RenewalState
