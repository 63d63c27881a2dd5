import Foundation
import StoreManagerCore
package import StoreSimulator

extension StoreError {
    /// The error as StoreKit 2 throws it.
    var storeKit2Error: any Error {
        if let failure = underlyingError as? StoreAPIFailure { return failure.storeKit2Error }
        return switch self {
        case .cancelled: StoreKitError.userCancelled
        case .network: StoreKitError.networkError(URLError(.notConnectedToInternet))
        case .unknownProduct, .productUnavailable: Product.PurchaseError.productUnavailable
        case .paymentNotAllowed: Product.PurchaseError.purchaseNotAllowed
        case .unsupported: StoreKitError.unsupported
        case .unknown(let underlying?): StoreKitError.systemError(underlying)
        default: StoreKitError.unknown
        }
    }
}

extension StoreAPIFailure {
    /// The failure as StoreKit 2 throws it.
    package var storeKit2Error: any Error {
        switch self {
        case .generic(let failure): failure.storeKitError
        case .purchase(let failure): failure.purchaseError
        case .refundRequest(.duplicateRequest): Transaction.RefundRequestError.duplicateRequest
        case .refundRequest(.failed): Transaction.RefundRequestError.failed
        case .verification, .transaction: StoreKitError.unknown
        }
    }
}

extension StoreAPIFailure.Generic {
    /// The failure as StoreKit 2 has it.
    package var storeKitError: StoreKitError {
        switch self {
        case .unknown: .unknown
        case .userCancelled: .userCancelled
        case .networkError: .networkError(URLError(.notConnectedToInternet))
        case .systemError: .systemError(NSError(domain: "SKInternalErrorDomain", code: 0))
        case .notAvailableInStorefront: .notAvailableInStorefront
        case .notEntitled: .notEntitled
        case .unsupported: .unsupported
        }
    }

    /// What a test gives as StoreKit 2 has it.
    package init(_ error: StoreKitError) {
        switch error {
        case .unknown: self = .unknown
        case .userCancelled: self = .userCancelled
        case .networkError: self = .networkError
        case .systemError: self = .systemError
        case .notAvailableInStorefront: self = .notAvailableInStorefront
        case .notEntitled: self = .notEntitled
        case .unsupported: self = .unsupported
        }
    }
}

extension StoreAPIFailure.Purchase {
    /// The failure as StoreKit 2 has it.
    package var purchaseError: Product.PurchaseError {
        switch self {
        case .invalidQuantity: .invalidQuantity
        case .productUnavailable: .productUnavailable
        case .purchaseNotAllowed: .purchaseNotAllowed
        case .ineligibleForOffer: .ineligibleForOffer
        case .invalidOfferIdentifier: .invalidOfferIdentifier
        case .invalidOfferPrice: .invalidOfferPrice
        case .invalidOfferSignature: .invalidOfferSignature
        case .missingOfferParameters: .missingOfferParameters
        }
    }

    /// What a test gives as StoreKit 2 has it.
    package init(_ error: Product.PurchaseError) {
        switch error {
        case .invalidQuantity: self = .invalidQuantity
        case .productUnavailable: self = .productUnavailable
        case .purchaseNotAllowed: self = .purchaseNotAllowed
        case .ineligibleForOffer: self = .ineligibleForOffer
        case .invalidOfferIdentifier: self = .invalidOfferIdentifier
        case .invalidOfferPrice: self = .invalidOfferPrice
        case .invalidOfferSignature: self = .invalidOfferSignature
        case .missingOfferParameters: self = .missingOfferParameters
        }
    }
}
