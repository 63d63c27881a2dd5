import Foundation
import StoreManagerCore
package import StoreSimulator

extension StoreError {
    /// The error as StoreKit 1 gives it for a payment or a restore.
    var storeKit1Error: any Error {
        if let failure = underlyingError as? StoreAPIFailure { return failure.storeKit1Error }
        return switch self {
        case .cancelled: SKError(.paymentCancelled)
        case .unknownProduct, .productUnavailable: SKError(.storeProductNotAvailable)
        case .paymentNotAllowed: SKError(.paymentNotAllowed)
        case .unsupported: SKError(.unsupportedPlatform)
        default: SKError(.unknown, because: underlyingError ?? self)
        }
    }

    /// The error as StoreKit 1 gives it for a request: a store that cannot be reached is an error of the network.
    var storeKit1RequestError: any Error {
        guard case .network = self else { return storeKit1Error }
        return URLError(.notConnectedToInternet)
    }
}

extension StoreAPIFailure {
    /// The code of the failure in StoreKit 1.
    package var storeKit1Code: SKError.Code { storeKit1Error.code }

    /// The failure as StoreKit 1 gives it.
    fileprivate var storeKit1Error: SKError {
        switch self {
        case .generic(.userCancelled): SKError(.paymentCancelled)
        case .generic(.networkError):
            SKError(.unknown, because: URLError(.notConnectedToInternet))
        case .generic(.notAvailableInStorefront), .purchase(.productUnavailable): SKError(.storeProductNotAvailable)
        case .generic(.unsupported): SKError(.unsupportedPlatform)
        case .generic(.notEntitled): SKError(.clientInvalid)
        case .transaction(let code): SKError(SKError.Code(rawValue: code) ?? .unknown)
        case .generic(.systemError), .generic(.unknown), .verification, .refundRequest: SKError(.unknown)
        case .purchase(.invalidQuantity): SKError(.paymentInvalid)
        case .purchase(.purchaseNotAllowed): SKError(.paymentNotAllowed)
        case .purchase(.ineligibleForOffer): SKError(.ineligibleForOffer)
        case .purchase(.invalidOfferIdentifier): SKError(.invalidOfferIdentifier)
        case .purchase(.invalidOfferPrice): SKError(.invalidOfferPrice)
        case .purchase(.invalidOfferSignature): SKError(.invalidSignature)
        case .purchase(.missingOfferParameters): SKError(.missingOfferParams)
        }
    }
}

extension SKError {
    /// An error with another one underneath, in whose words it speaks.
    fileprivate init(_ code: Code, because error: any Error) {
        self.init(
            code,
            userInfo: [
                NSLocalizedDescriptionKey: error.localizedDescription, NSUnderlyingErrorKey: error as NSError,
            ])
    }
}
