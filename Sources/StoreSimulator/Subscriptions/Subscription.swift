import Foundation
import StoreManagerCore

/// One account's subscription of one group, through all its plans, lapses and returns.
struct Subscription: Codable, Sendable {
    /// Where it stands.
    enum Phase: Hashable, Codable, Sendable {
        /// Paid until ``Subscription/expiration``.
        case active
        /// The renewal failed; access goes on, and the store tries to charge.
        case grace(BillingTrouble)
        /// The renewal failed; the store tries to charge.
        case retry(BillingTrouble)
        /// Over, for the reason given.
        case expired(StoreExpirationReason)
        /// Taken back by the store.
        case revoked
    }

    var account: Int32
    /// The plan that is paid for.
    var product: Int32
    /// The plan that the next renewal is for.
    var nextProduct: Int32
    /// Its newest transaction.
    var lastID: UInt64
    /// The identifiers that are set aside for it end here.
    var idsEnd: UInt64
    /// Where the record of ``lastID`` was found last.
    var recordHint: Int32 = 0
    /// When the period that was paid for ends.
    var expiration: Date
    /// When the store looks at it next; nil where nothing happens by itself.
    var due: Date?
    /// Whether it renews at the end of the period.
    var renews = true
    var phase = Phase.active
    /// The terms of the next renewal, while nothing about them changes; else less than 0.
    var steadyTerms: Int32 = -1
    /// The store's count of changes when ``steadyTerms`` was found.
    var steadySince: Int32 = -1
    /// What few subscriptions have.
    @Rare var special: Special?

    /// What few subscriptions have.
    struct Special: Codable, Sendable {
        /// An offer that goes on, or begins, with the next renewal.
        var runningOffer: RunningOffer?
        /// Where the price is going to rise.
        var priceIncrease: PriceIncrease?
        /// Where a long period is paid month by month.
        var commitment: Commitment?
        /// The renewals that failed at first.
        var troubles: [PastTrouble] = []
        /// When and why it ended, each time.
        var endings: [Ending] = []
        /// The subscription that this one is a family member's share of.
        var leader: Int32?
        /// The shares that family members have in this one.
        var followers: [Int32] = []
    }

    /// An offer that runs over several periods.
    struct RunningOffer: Hashable, Codable, Sendable {
        /// The plan that it is for.
        var product: Int32
        var redeemed: StoreRedeemedOffer
        /// The price of one of its periods.
        var price: Decimal
        /// How long one of its periods lasts.
        var period: StoreSubscriptionPeriod
        /// How many of its periods are still to come.
        var periodsLeft: Int32
    }

    /// A price increase of one plan.
    struct PriceIncrease: Hashable, Codable, Sendable {
        /// The plan that it is for.
        var product: Int32
        /// The price from the next renewal on; nil asks for consent to what it is.
        var price: Decimal?
        /// Whether the subscriber has agreed, or need not.
        var isAgreed = false
    }

    /// A long period that is paid month by month.
    struct Commitment: Hashable, Codable, Sendable {
        /// The file's name of the billing plan.
        var plan: String
        /// The price of a month.
        var price: Decimal
        /// When the subscriber is free again.
        var end: Date
    }

    /// A renewal that failed.
    struct BillingTrouble: Hashable, Codable, Sendable {
        /// When it failed first.
        var begin: Date
        /// When access ends; nil where it ended at once.
        var graceEnd: Date?
        /// When the store gives up.
        var retryEnd: Date
        /// How often the store tried again.
        var attempts = 0

        /// How often the store tries before it gives up: once a day of the sixty that it has.
        static let attemptCount = 60

        /// When the store tries again.
        var nextAttempt: Date {
            begin + retryEnd.timeIntervalSince(begin) * Double(attempts + 1) / Double(Self.attemptCount)
        }
    }

    /// An end, which another purchase may have followed.
    struct Ending: Hashable, Codable, Sendable {
        var date: Date
        var reason: StoreExpirationReason
    }

    /// A renewal that failed at first, and when that was over.
    struct PastTrouble: Hashable, Codable, Sendable {
        /// The plan that was to be renewed.
        var product: Int32
        var begin: Date
        var graceEnd: Date?
        var end: Date
    }

    /// Changes what few subscriptions have.
    mutating func withSpecial(_ change: (inout Special) -> Void) {
        var changed = special ?? Special()
        change(&changed)
        special = changed
        steadyTerms = -1
    }

    /// The price increase that the next renewal comes under; one of a plan that is going to be left does not count.
    var priceIncrease: PriceIncrease? { special?.priceIncrease.flatMap { $0.product == nextProduct ? $0 : nil } }

    /// Whether it has not ended.
    var isLive: Bool {
        switch phase {
        case .active, .grace, .retry: true
        case .expired, .revoked: false
        }
    }

    /// Whether it gives access at a date that is not before the last thing that happened to it: paid for, be it by a renewal
    /// that was forced while billing fails, or in its grace period.
    func hasAccess(at date: Date) -> Bool {
        switch phase {
        case .active, .retry: date < expiration
        case .grace: true
        case .expired, .revoked: false
        }
    }

    /// The trouble that goes on.
    var trouble: BillingTrouble? {
        switch phase {
        case .grace(let trouble), .retry(let trouble): trouble
        case .active, .expired, .revoked: nil
        }
    }
}
