public import Foundation

/// Everything that can go wrong between an app and its store.
///
/// An error of the store, the network or a handler is kept as ``underlyingError``. Whether somebody cancelled is a case of
/// its own, found by walking the chain of underlying errors: see ``init(_:)``.
public enum StoreError: Error, Sendable {
    /// The buyer, or the person asked to sign in, said no.
    case cancelled(underlying: (any Error)? = nil)
    /// The store could not be reached.
    case network(underlying: (any Error)? = nil)
    /// The store did not answer in time; seconds waited.
    case timedOut(after: TimeInterval)
    /// This device, or this person, may not pay.
    case paymentNotAllowed(underlying: (any Error)? = nil)
    /// The store knows no product of this identifier.
    case unknownProduct(identifier: String)
    /// The product exists, but is not sold here.
    case productUnavailable(underlying: (any Error)? = nil)
    /// A quantity must be 1 or more.
    case invalidQuantity(Int)
    /// The store wants a user name that is a UUID.
    case invalidUsername(String)
    /// The offer is wrong, for the reason given, or not for this buyer.
    case invalidOffer(reason: String, underlying: (any Error)? = nil)
    /// This store cannot do what was asked.
    case unsupported(String)

    /// The purchase did not pass verification, for the reason given.
    case verificationFailed(reason: String)
    /// Nobody could tell whether the purchase is genuine; it stays unfinished and is asked about again.
    case unableToCompleteVerification(underlying: any Error)
    /// The purchase could not be written down; it stays unfinished and comes back.
    case persistenceFailed(underlying: any Error)
    /// The purchase's content could not be fetched; it stays unfinished and is tried again.
    case downloadFailed(underlying: any Error)
    /// The purchase's content was not wanted any more; it stays unfinished and is tried again.
    case downloadCancelled

    /// The store answered with an earlier purchase of the same product that was delivered but not finished; finish that first.
    case unfinishedTransaction(id: StoreTransaction.ID)
    /// Another component took the transaction from the queue before it was paid.
    case transactionRemoved
    /// A transaction in this state cannot be finished.
    case notFinishable(StoreTransactionState)
    /// Something else went wrong in the store.
    case unknown(underlying: (any Error)? = nil)
}

extension StoreError {
    /// Finds what an error means to a purchase: it stays itself if it is a `StoreError`; it is a cancellation or a network
    /// error if anything in its chain of underlying errors is one, by domain and code; else it is unknown.
    public init(_ error: any Error) {
        if let error = error as? StoreError {
            self = error
        } else if error.isStoreCancellation {
            self = .cancelled(underlying: error)
        } else if error.isStoreNetworkFailure {
            self = .network(underlying: error)
        } else {
            self = .unknown(underlying: error)
        }
    }

    /// The error that caused this one.
    public var underlyingError: (any Error)? {
        switch self {
        case .cancelled(let error), .network(let error), .paymentNotAllowed(let error), .productUnavailable(let error),
            .invalidOffer(_, let error), .unknown(let error):
            error
        case .unableToCompleteVerification(let error), .persistenceFailed(let error), .downloadFailed(let error):
            error
        case .timedOut, .unknownProduct, .invalidQuantity, .invalidUsername, .unsupported, .verificationFailed,
            .downloadCancelled, .unfinishedTransaction, .transactionRemoved, .notFinishable:
            nil
        }
    }

    /// Whether somebody said no.
    public var isCancellation: Bool {
        if case .cancelled = self { true } else { false }
    }
}

extension StoreError: CustomNSError {
    /// The domain of these errors as `NSError`; it never changes.
    public static var errorDomain: String { "StoreKitManager.StoreError" }

    /// The code of the error as `NSError`; codes are never reused.
    public var errorCode: Int {
        switch self {
        case .cancelled: 1
        case .network: 2
        case .timedOut: 3
        case .paymentNotAllowed: 4
        case .unknownProduct: 5
        case .productUnavailable: 6
        case .invalidQuantity: 7
        case .invalidUsername: 8
        case .invalidOffer: 9
        case .unsupported: 10
        case .verificationFailed: 11
        case .unableToCompleteVerification: 12
        case .persistenceFailed: 13
        case .downloadFailed: 14
        case .downloadCancelled: 15
        case .unfinishedTransaction: 16
        case .transactionRemoved: 17
        case .notFinishable: 18
        case .unknown: 19
        }
    }

    /// The text and the underlying error, for those who read the error as `NSError`.
    public var errorUserInfo: [String: Any] {
        var info: [String: Any] = [NSLocalizedDescriptionKey: text]
        if let underlyingError { info[NSUnderlyingErrorKey] = underlyingError as NSError }
        return info
    }
}

extension StoreError: LocalizedError, CustomStringConvertible {
    /// A sentence that a person can read.
    public var errorDescription: String? { text }

    /// The sentence, and the cause behind it.
    public var description: String {
        guard let underlyingError else { return text }
        return "\(text) (\(underlyingError))"
    }

    private var text: String {
        switch self {
        case .cancelled: "The request was cancelled."
        case .network: "The store could not be reached."
        case .timedOut(let seconds): "The store did not answer within \(seconds.formatted()) seconds."
        case .paymentNotAllowed: "Purchases are not allowed on this device."
        case .unknownProduct(let identifier): "The store has no product \"\(identifier)\"."
        case .productUnavailable: "The product is not available in this store."
        case .invalidQuantity(let quantity): "A quantity of \(quantity) cannot be bought; it must be 1 or more."
        case .invalidUsername(let name): "The store takes only a UUID as user name, and \"\(name)\" is none."
        case .invalidOffer(let reason, _): "The offer cannot be used: \(reason)."
        case .unsupported(let what): "This store does not support \(what)."
        case .verificationFailed(let reason):
            "The purchase could not be verified: \(reason)" + (reason.hasSuffix(".") ? "" : ".")
        case .unableToCompleteVerification: "The purchase could not be verified yet; it will be tried again."
        case .persistenceFailed: "The purchase could not be saved; it will be tried again."
        case .downloadFailed: "The content of the purchase could not be fetched; it will be tried again."
        case .downloadCancelled: "The download of the purchase was cancelled; it will be tried again."
        case .unfinishedTransaction(let id): "An earlier purchase of this product, \(id), is not finished yet."
        case .transactionRemoved: "The transaction was removed before it was paid."
        case .notFinishable(let state): "A transaction that is \(state.rawValue) cannot be finished."
        case .unknown(nil): "The store reported an error that it does not explain."
        case .unknown(let error?): "The store reported an error: \(error.localizedDescription.asSentence)"
        }
    }
}

extension String {
    /// The text with a full stop.
    fileprivate var asSentence: String { hasSuffix(".") ? self : self + "." }
}
