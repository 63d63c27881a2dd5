public import Foundation

/// The domain of StoreKit 1's errors.
public let SKErrorDomain: String = "SKErrorDomain"

/// An error of StoreKit 1.
public struct SKError: _BridgedStoredNSError, CustomNSError, Hashable, Sendable {
    /// The error as Foundation keeps it.
    public let _nsError: NSError

    /// Takes an error of the domain.
    public init(_nsError error: NSError) {
        precondition(error.domain == SKErrorDomain, "An SKError has the domain \(SKErrorDomain), not \(error.domain).")
        _nsError = error
    }

    /// The domain of the errors.
    public static var _nsErrorDomain: String { SKErrorDomain }

    /// The domain of the errors.
    public static var errorDomain: String { SKErrorDomain }

    /// Which error it is. Later systems know more.
    public enum Code: Int, _ErrorCodeProtocol, Sendable {
        /// The error that has this code.
        public typealias _ErrorType = SKError

        /// Nothing is known.
        case unknown = 0
        /// The client may not do what it asked for.
        case clientInvalid = 1
        /// The buyer said no.
        case paymentCancelled = 2
        /// A parameter of the payment was not understood.
        case paymentInvalid = 3
        /// The person may not pay.
        case paymentNotAllowed = 4
        /// The product is not sold in this storefront.
        case storeProductNotAvailable = 5
        /// The person did not allow access to the cloud service.
        case cloudServicePermissionDenied = 6
        /// The device could not reach the network.
        case cloudServiceNetworkConnectionFailed = 7
        /// The person took back the leave to use the cloud service.
        case cloudServiceRevoked = 8
        /// The person has to agree to the store's privacy statement first.
        case privacyAcknowledgementRequired = 9
        /// The app may not use the property `requestData`.
        case unauthorizedRequestData = 10
        /// There is no such offer.
        case invalidOfferIdentifier = 11
        /// The signature of the offer does not hold.
        case invalidSignature = 12
        /// Something of the offer is missing.
        case missingOfferParams = 13
        /// The offer's price is not valid any more.
        case invalidOfferPrice = 14
        /// An overlay was cancelled.
        case overlayCancelled = 15
        /// An overlay was configured wrongly.
        case overlayInvalidConfiguration = 16
        /// An overlay did not come in time.
        case overlayTimeout = 17
        /// The offer is not for this buyer.
        case ineligibleForOffer = 18
        /// The platform cannot do it.
        case unsupportedPlatform = 19
        /// An overlay was presented in a scene that is in the background.
        case overlayPresentedInBackgroundScene = 20
        /// A payment method has to be set up first. Only SDKs from 26.5 on have it.
        case paymentMethodBindingConfigurationRequired = 21
    }
}

extension SKError {
    /// ``Code/unknown``
    public static var unknown: Code { .unknown }
    /// ``Code/clientInvalid``
    public static var clientInvalid: Code { .clientInvalid }
    /// ``Code/paymentCancelled``
    public static var paymentCancelled: Code { .paymentCancelled }
    /// ``Code/paymentInvalid``
    public static var paymentInvalid: Code { .paymentInvalid }
    /// ``Code/paymentNotAllowed``
    public static var paymentNotAllowed: Code { .paymentNotAllowed }
    /// ``Code/storeProductNotAvailable``
    public static var storeProductNotAvailable: Code { .storeProductNotAvailable }
    /// ``Code/cloudServicePermissionDenied``
    public static var cloudServicePermissionDenied: Code { .cloudServicePermissionDenied }
    /// ``Code/cloudServiceNetworkConnectionFailed``
    public static var cloudServiceNetworkConnectionFailed: Code { .cloudServiceNetworkConnectionFailed }
    /// ``Code/cloudServiceRevoked``
    public static var cloudServiceRevoked: Code { .cloudServiceRevoked }
    /// ``Code/privacyAcknowledgementRequired``
    public static var privacyAcknowledgementRequired: Code { .privacyAcknowledgementRequired }
    /// ``Code/unauthorizedRequestData``
    public static var unauthorizedRequestData: Code { .unauthorizedRequestData }
    /// ``Code/invalidOfferIdentifier``
    public static var invalidOfferIdentifier: Code { .invalidOfferIdentifier }
    /// ``Code/invalidSignature``
    public static var invalidSignature: Code { .invalidSignature }
    /// ``Code/missingOfferParams``
    public static var missingOfferParams: Code { .missingOfferParams }
    /// ``Code/invalidOfferPrice``
    public static var invalidOfferPrice: Code { .invalidOfferPrice }
    /// ``Code/overlayCancelled``
    public static var overlayCancelled: Code { .overlayCancelled }
    /// ``Code/overlayInvalidConfiguration``
    public static var overlayInvalidConfiguration: Code { .overlayInvalidConfiguration }
    /// ``Code/overlayTimeout``
    public static var overlayTimeout: Code { .overlayTimeout }
    /// ``Code/ineligibleForOffer``
    public static var ineligibleForOffer: Code { .ineligibleForOffer }
    /// ``Code/unsupportedPlatform``
    public static var unsupportedPlatform: Code { .unsupportedPlatform }
    /// ``Code/overlayPresentedInBackgroundScene``
    public static var overlayPresentedInBackgroundScene: Code { .overlayPresentedInBackgroundScene }
    /// ``Code/paymentMethodBindingConfigurationRequired``
    public static var paymentMethodBindingConfigurationRequired: Code { .paymentMethodBindingConfigurationRequired }
}
