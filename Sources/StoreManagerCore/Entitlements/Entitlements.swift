public import Foundation

/// What somebody may use at a date, worked out from all that the store said about their purchases.
///
/// A value made of values: the same history gives the same answers, in whatever order it arrived and however often a
/// transaction is in it. Of several words about one transaction the one that the store signed last counts.
public struct Entitlements: Hashable, Sendable {
    /// What is known about the right to use a product.
    public enum State: String, Hashable, Codable, Sendable, CaseIterable {
        /// The store has said nothing yet: that is not "not entitled".
        case unknown
        /// The store was heard, and there is no such right.
        case notEntitled
        /// The product may be used.
        case entitled
    }

    /// The date that the answers are for.
    public let date: Date
    /// Whether the store was heard.
    public let isKnown: Bool
    /// Every subscription, running or not, the best for its owner first: with access before without, then the higher plan,
    /// then one's own before the family's, then the longer.
    public let subscriptions: [StoreSubscriptionStatus]
    /// The transactions that entitle to something, oldest first; one that tells no subscription group has its product's. A
    /// consumable never entitles: what is left of it, the ledger tells.
    public let transactions: [StoreTransaction]
    private let history: [StoreTransaction]

    /// Works out what a history entitles to.
    ///
    /// - Parameters:
    ///   - transactions: all that the store said; an empty history is that of somebody who bought nothing.
    ///   - renewalInfos: what it said about renewals; without it no grace period and no billing retry is known.
    ///   - products: the products, for the level of a subscription in its group and the group of a transaction that tells none.
    ///   - date: the date; take the store's time where you can, a wrong clock gives wrong answers.
    public init(
        transactions: some Sequence<StoreTransaction>, renewalInfos: some Sequence<StoreRenewalInfo> = [],
        products: some Sequence<StoreProduct> = [], at date: Date
    ) {
        let terms = Dictionary(products.map { ($0.id, $0.subscription) }) { first, _ in first }.compactMapValues { $0 }
        let paid = transactions.filter { $0.state == .purchased || $0.state == .restored }
        history = Dictionary(paid.map { ($0.id, $0) }) { $0.isOlder(than: $1) ? $1 : $0 }.values
            .map { $0.withGroupID(of: terms[$0.productIdentifier]) }
            .sorted { ($0.purchaseDate, $0.id) < ($1.purchaseDate, $1.id) }
        subscriptions = StoreSubscriptionStatus.statuses(
            of: history, renewalInfos: renewalInfos, terms: terms, at: date)
        let running = Set(subscriptions.filter { $0.hasAccess(at: date) }.map(\.transaction.id))
        self.transactions = history.filter { transaction in
            switch transaction.productType {
            case .autoRenewable: running.contains(transaction.id)
            case .nonConsumable, .nonRenewable, .unknown: transaction.isActive(at: date)
            case .consumable: false
            }
        }
        self.date = date
        isKnown = true
    }

    /// Nothing was heard from the store yet.
    public static func unknown(at date: Date) -> Entitlements { Entitlements(unknownAt: date) }

    /// The products that may be used.
    public var productIdentifiers: Set<String> { Set(transactions.map(\.productIdentifier)) }

    /// Whether a product may be used, as far as is known.
    public func state(of productIdentifier: String) -> State {
        guard isKnown else { return .unknown }
        return transactions.contains { $0.productIdentifier == productIdentifier } ? .entitled : .notEntitled
    }

    /// The subscription that decides what somebody gets in a group; nil where they never had one, or nothing is known.
    public func subscription(inGroup groupID: String) -> StoreSubscriptionStatus? {
        subscriptions.first { $0.transaction.subscriptionGroupID == groupID }
    }

    /// Whether somebody may have the introductory offer of a product.
    public func introductoryOfferEligibility(for product: StoreProduct) -> IntroductoryOfferEligibility {
        guard let terms = product.subscription, terms.introductoryOffer != nil else { return .noOffer }
        guard isKnown else { return .unknown }
        func isInGroup(_ transaction: StoreTransaction) -> Bool {
            transaction.productIdentifier == product.id
                || (!terms.groupID.isEmpty && transaction.subscriptionGroupID == terms.groupID)
        }
        if subscriptions.contains(where: { isInGroup($0.transaction) && $0.hasAccess(at: date) }) { return .subscribed }
        let hasUsedOne = history.contains {
            isInGroup($0) && $0.offer?.type == .introductory && $0.ownership == .purchased
        }
        return hasUsedOne ? .alreadyUsed : .eligible
    }

    private init(unknownAt date: Date) {
        self.date = date
        isKnown = false
        subscriptions = []
        transactions = []
        history = []
    }
}

/// Whether somebody may have an introductory offer: one for each group and account, for those who do not subscribe now.
public enum IntroductoryOfferEligibility: String, Hashable, Codable, Sendable, CaseIterable {
    /// They may have it.
    case eligible
    /// They had one in this group.
    case alreadyUsed
    /// They subscribe to a plan of this group.
    case subscribed
    /// The product has no such offer.
    case noOffer
    /// Nothing was heard from the store yet.
    case unknown
}

extension StoreTransaction {
    /// Whether the other word about the same transaction is the later one. Without signatures to go by, the one that takes the
    /// purchase away is.
    fileprivate func isOlder(than other: StoreTransaction) -> Bool { rank < other.rank }

    fileprivate func withGroupID(of terms: StoreSubscriptionTerms?) -> StoreTransaction {
        var transaction = self
        if (subscriptionGroupID ?? "").isEmpty { transaction.subscriptionGroupID = terms?.groupID }
        return transaction
    }

    private var rank: (Date, Int, Int, Date) {
        (
            signedDate ?? .distantPast, revocationDate == nil ? 0 : 1, isUpgraded ? 1 : 0,
            expirationDate ?? .distantPast
        )
    }
}
