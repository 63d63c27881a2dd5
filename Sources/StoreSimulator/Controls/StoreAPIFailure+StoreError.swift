public import StoreManagerCore

extension StoreAPIFailure {
    /// The failure in the manager's words; it stays at hand as the underlying error.
    public var storeError: StoreError {
        switch self {
        case .generic(.userCancelled): .cancelled(underlying: self)
        case .generic(.networkError): .network(underlying: self)
        case .generic(.notAvailableInStorefront): .productUnavailable(underlying: self)
        case .generic(.unsupported): .unsupported("this request")
        case .generic(.unknown), .generic(.systemError): .unknown(underlying: self)
        case .generic(.notEntitled): .paymentNotAllowed(underlying: self)
        case .purchase(.productUnavailable): .productUnavailable(underlying: self)
        case .purchase(.purchaseNotAllowed): .paymentNotAllowed(underlying: self)
        case .purchase(let failure): .invalidOffer(reason: failure.reason, underlying: self)
        case .verification, .refundRequest, .transaction: .unknown(underlying: self)
        }
    }
}

extension StoreAPIFailure.Purchase {
    /// What is wrong, in words that follow a colon.
    fileprivate var reason: String {
        switch self {
        case .invalidQuantity: "the quantity cannot be bought"
        case .productUnavailable: "the product is not sold"
        case .purchaseNotAllowed: "this person may not pay"
        case .ineligibleForOffer: "it is not for this buyer"
        case .invalidOfferIdentifier: "the product has no such offer"
        case .invalidOfferPrice: "its price is not valid any more"
        case .invalidOfferSignature: "its signature does not hold"
        case .missingOfferParameters: "something of it is missing"
        }
    }
}
