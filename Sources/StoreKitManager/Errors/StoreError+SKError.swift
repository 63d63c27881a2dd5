import Foundation
import StoreKit
import StoreManagerCore

extension StoreError {
    /// What an error of StoreKit 1 means to a purchase, by domain and code; the error itself is kept underneath, save
    /// where it is `unsupported`, which has no place for it. One that this version does not know, and one of another domain, is what its chain of underlying errors says, else unknown.
    init(storeKit1 error: any Error) {
        let code = error as NSError
        guard !(error is StoreError), code.domain == SKErrorDomain, let known = StoreError(code: code.code, of: error)
        else {
            self.init(error)
            return
        }
        self = known
    }

    /// Nil for `unknown`, for codes that say nothing that an app could act on, and for those of later systems.
    private init?(code: Int, of error: any Error) {
        // By raw values, because not every system's StoreKit has every name.
        switch code {
        case SKError.paymentCancelled.rawValue, SKError.overlayCancelled.rawValue:
            self = .cancelled(underlying: error)
        case SKError.clientInvalid.rawValue, SKError.paymentNotAllowed.rawValue,
            SKError.cloudServicePermissionDenied.rawValue, SKError.cloudServiceRevoked.rawValue,
            SKError.privacyAcknowledgementRequired.rawValue:
            self = .paymentNotAllowed(underlying: error)
        case SKError.storeProductNotAvailable.rawValue:
            self = .productUnavailable(underlying: error)
        case SKError.cloudServiceNetworkConnectionFailed.rawValue:
            self = .network(underlying: error)
        case SKError.invalidOfferIdentifier.rawValue:
            self = .invalidOffer(reason: "the store does not know its identifier", underlying: error)
        case SKError.invalidSignature.rawValue:
            self = .invalidOffer(reason: "its signature does not hold", underlying: error)
        case SKError.missingOfferParams.rawValue:
            self = .invalidOffer(reason: "something of it is missing", underlying: error)
        case SKError.invalidOfferPrice.rawValue:
            self = .invalidOffer(reason: "its price is not valid any more", underlying: error)
        case SKError.ineligibleForOffer.rawValue:
            self = .invalidOffer(reason: "it is not for this buyer", underlying: error)
        case 19:
            // unsupportedPlatform, a name that tvOS does not have
            self = .unsupported("this on the present platform")
        default:
            return nil
        }
    }
}
