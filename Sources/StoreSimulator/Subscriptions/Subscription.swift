import Foundation
import StoreManagerCore

/// One account's subscription of one group, through all its plans, lapses and returns.
struct Subscription: Codable, Sendable {
    /// Where it stands.
    enum Phase: Hashable, Codable, Sendable {
        /// Paid until ``Subscription/expiration``.
        case active
        /// The renewal failed; access goes on, and the store tries to charge, until the first date; then it only tries, until
        /// the second.
        case grace(until: Date, retryUntil: Date)
        /// The renewal failed; the store tries to charge.
        case retry(until: Date)
        /// Over, for the reason given.
        case expired(ExpirationReason)
        /// Taken back by the store.
        case revoked
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
    var recordHint: Int = 0
    /// When the period that was paid for ends.
    var expiration: Date
    var renews = true
    var phase = Phase.active
    var runningOffer: RunningOffer?
    /// Where the price is going to rise.
    var priceIncrease: PriceIncrease?
    /// The terms of the next renewal, while nothing about them changes; 0 or more.
    var steadyTerms: Int32 = -1
    /// The store's count of changes when ``steadyTerms`` was found.
    var steadySince: Int32 = -1

    /// A price increase.
    struct PriceIncrease: Hashable, Codable, Sendable {
        /// The price from the next renewal on; nil asks for consent to what it is.
        var price: Decimal?
        var isAgreed = false
    }

    /// When something happens to it by itself; nil where nothing will.
    var due: Date? {
        switch phase {
        case .active: expiration
        case .grace(let end, _): end
        case .retry(let end): end
        case .expired, .revoked: nil
        }
    }

    /// Whether it gives access: paid for, or in its grace period.
    var hasAccess: Bool {
        switch phase {
        case .active, .grace: true
        case .retry, .expired, .revoked: false
        }
    }
}

/// Why a subscription ended, with StoreKit's numbers.
enum ExpirationReason: Int, Codable, Sendable {
    /// The subscriber turned the renewal off.
    case autoRenewDisabled = 1
    /// The renewal could not be charged.
    case billingError
    /// The subscriber did not agree to a higher price.
    case didNotConsentToPriceIncrease
    /// The product is not sold any more.
    case productUnavailable
}
