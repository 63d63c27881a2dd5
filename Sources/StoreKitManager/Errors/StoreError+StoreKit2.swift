import StoreKit
import StoreManagerCore

extension StoreError {
    /// Finds what an error of StoreKit 2 means; the error itself stays at hand as the underlying one, save where it is
    /// `unsupported` or `verificationFailed`, which have no place for it.
    init(storeKit2 error: any Error) {
        switch error {
        case let error as StoreError: self = error
        case let error as StoreKitError: self.init(error)
        case let error as Product.PurchaseError: self.init(error)
        case let error as VerificationResult<Transaction>.VerificationError: self = .verificationFailed(error)
        case let error as VerificationResult<Product.SubscriptionInfo.RenewalInfo>.VerificationError:
            self = .verificationFailed(error)
        case let error as VerificationResult<AppTransaction>.VerificationError: self = .verificationFailed(error)
        default: self.init(storeKit1: error)
        }
    }

    private init(_ error: StoreKitError) {
        switch error {
        case .userCancelled: self = .cancelled(underlying: error)
        case .networkError: self = .network(underlying: error)
        case .notAvailableInStorefront: self = .productUnavailable(underlying: error)
        case .unsupported: self = .unsupported("this request")
        case .systemError(let cause):
            // What the system met with may be plain: no network, or somebody who said no.
            switch StoreError(storeKit2: cause) {
            case .unknown: self = .unknown(underlying: error)
            case let known: self = known
            }
        case .notEntitled: self = .paymentNotAllowed(underlying: error)
        case .unknown: self = .unknown(underlying: error)
        @unknown default: self = .unknown(underlying: error)
        }
    }

    private init(_ error: Product.PurchaseError) {
        switch error {
        case .productUnavailable: self = .productUnavailable(underlying: error)
        case .purchaseNotAllowed: self = .paymentNotAllowed(underlying: error)
        case .invalidQuantity: self = .unknown(underlying: error)
        case .ineligibleForOffer: self = .invalidOffer(reason: "it is not for this buyer", underlying: error)
        case .invalidOfferIdentifier: self = .invalidOffer(reason: "the product has no such offer", underlying: error)
        case .invalidOfferPrice: self = .invalidOffer(reason: "its price is not valid any more", underlying: error)
        case .invalidOfferSignature: self = .invalidOffer(reason: "its signature does not hold", underlying: error)
        case .missingOfferParameters: self = .invalidOffer(reason: "something of it is missing", underlying: error)
        @unknown default: self = .unknown(underlying: error)
        }
    }

    private static func verificationFailed<Signed>(
        _ error: VerificationResult<Signed>.VerificationError
    ) -> StoreError {
        .verificationFailed(reason: error.reason)
    }
}

extension VerificationResult.VerificationError {
    /// What is wrong with a signature, in words that follow a colon.
    var reason: String {
        switch self {
        case .revokedCertificate: "a certificate was revoked"
        case .invalidCertificateChain: "its certificates do not lead to Apple's root"
        case .invalidDeviceVerification: "it was signed for another device"
        case .invalidEncoding: "its signed form cannot be read"
        case .invalidSignature: "its signature does not hold"
        case .missingRequiredProperties: "something is missing in its signed form"
        @unknown default: "its signature could not be verified"
        }
    }
}
