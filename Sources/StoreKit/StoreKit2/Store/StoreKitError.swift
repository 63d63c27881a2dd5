public import Foundation

/// What every interface of StoreKit can fail with. Later systems know more.
public enum StoreKitError: Error, Sendable {
    /// Nothing is known.
    case unknown
    /// Somebody said no.
    case userCancelled
    /// The store could not be reached.
    case networkError(URLError)
    /// The system failed.
    case systemError(any Error)
    /// The product is not sold in this storefront.
    case notAvailableInStorefront
    /// The app has no right to sell.
    case notEntitled
    /// The device cannot do it.
    case unsupported
}

extension StoreKitError: LocalizedError {
    /// What went wrong.
    public var errorDescription: String? {
        switch self {
        case .unknown: "The store reported an error that it does not explain."
        case .userCancelled: "The request was cancelled."
        case .networkError(let error): "The store could not be reached: \(error.localizedDescription)"
        case .systemError(let error): "The system failed: \(error.localizedDescription)"
        case .notAvailableInStorefront: "The product is not sold in this storefront."
        case .notEntitled: "The app has no right to sell."
        case .unsupported: "This device does not support the request."
        }
    }
}

/// A request that the store could not read.
public struct InvalidRequestError: Error, Equatable, Hashable, Sendable {
    /// The store's number for what is wrong.
    public let code: Int64
    /// What is wrong.
    public let message: String
}
