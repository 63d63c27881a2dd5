public import Foundation

/// The only door to a store.
///
/// A backend translates and decides nothing: it carries the manager's commands to a store and reports, as
/// ``StoreBackendEvent``, whatever the store says. Every command returns at once; its answer comes as an event, in the same
/// turn of the main actor or any time later. Nothing but the main actor touches a backend.
@MainActor
public protocol StoreBackend: AnyObject, Sendable {
    /// What the store behind it can and cannot do.
    var capabilities: StoreBackendCapabilities { get }

    /// Whether this device, and the person at it, may pay.
    var canMakePayments: Bool { get }

    /// The storefront that is sold from, where it is known.
    var storefront: StoreStorefront? { get }

    /// Begins to report to the observer, which is held weakly, and to no other any more. Transactions that an earlier run left unfinished are reported
    /// too, soon after.
    func startObserving(_ observer: any StoreBackendObserver)

    /// Ends all reports to the observer; nothing where another has begun to observe since.
    func stopObserving(_ observer: any StoreBackendObserver)

    /// Asks for products. Answered once by `productsFetched` or `productFetchFailed` with the same token.
    func fetchProducts(withIdentifiers identifiers: [String], for token: RequestToken)

    /// Asks the store to sell. Answered by `transactionsUpdated` with the payment's token where the store has a transaction,
    /// by `purchaseEnded` where it has none, and by `purchaseDeferred` on the way.
    func add(_ payment: StorePayment)

    /// Asks for all that the user owns: `transactionsUpdated` any number of times with this token, then once
    /// `restoreFinished` or `restoreFailed`.
    func restorePurchases(applicationUsername: String?, for token: RequestToken)

    /// Tells the store that a transaction was dealt with. Answered by `transactionFinished`. One that the store no longer
    /// knows is answered too.
    func finish(_ transaction: StoreTransaction)

    /// Asks for what the user is entitled to now, without any prompt. Answered once by `entitlementsRead`.
    func readCurrentEntitlements(for token: RequestToken)

    /// The app receipt, where the store keeps one.
    func receiptData() -> Data?

    /// Asks for a new app receipt; the person may have to sign in. Answered once by `receiptRefreshed`.
    func refreshReceipt(for token: RequestToken)

    /// Starts, pauses, resumes or cancels downloads that the store hosts. Answered by `downloadsUpdated`.
    func perform(_ command: StoreDownloadCommand, on downloads: [StoreDownload])
}

/// Who hears what a backend reports.
@MainActor
public protocol StoreBackendObserver: AnyObject {
    /// The store said something.
    func storeBackend(_ backend: any StoreBackend, didReport event: StoreBackendEvent)
}

/// What the store behind a backend can and cannot do.
public struct StoreBackendCapabilities: Hashable, Sendable {
    /// How a transaction is known to belong to a payment.
    public enum TokenCarriage: String, Hashable, Sendable, CaseIterable {
        /// The store gives the payment's token back with every transaction of it.
        case always
        /// The store gives the token back unless the purchase was deferred first (StoreKit 2).
        case unlessDeferred
        /// The store knows no tokens; transactions are paired with payments in the order of their purchasing (StoreKit 1).
        case never
    }

    /// How a transaction is known to belong to a payment.
    public var tokenCarriage: TokenCarriage
    /// Whether a user name has to be a UUID, which then serves as account token (StoreKit 2).
    public var requiresUUIDUsername: Bool
    /// Which kinds of offer the store takes.
    public var offers: Set<OfferKind>
    /// Whether the store tells what the user is entitled to without any prompt. Where it does not (StoreKit 1), that is never
    /// asked for at launch.
    public var listsEntitlements: Bool

    /// A kind of offer that a purchase can ask for.
    public enum OfferKind: String, Hashable, Sendable, CaseIterable {
        /// Promotional, with the classic signature.
        case promotional
        /// Promotional, signed in JWS form.
        case promotionalJWS
        /// Win-back.
        case winBack
        /// A statement on the introductory offer.
        case introductoryEligibility
    }

    /// Makes capabilities; by default a store that can do everything.
    public init(
        tokenCarriage: TokenCarriage = .always, requiresUUIDUsername: Bool = false,
        offers: Set<OfferKind> = Set(OfferKind.allCases), listsEntitlements: Bool = true
    ) {
        self.tokenCarriage = tokenCarriage
        self.requiresUUIDUsername = requiresUUIDUsername
        self.offers = offers
        self.listsEntitlements = listsEntitlements
    }
}
