/// StoreKit's interfaces that a test can make fail, under the names of `SKTestSession`.
public enum StoreAPI: String, Hashable, Codable, Sendable, CaseIterable {
    /// Asking for products.
    case loadProducts
    /// Buying.
    case purchase
    /// Checking signatures; a failure marks what the store reports as unverified.
    case verification
    /// Restoring.
    case appStoreSync
    /// Asking for what the user is entitled to, and for the status of subscriptions.
    case subscriptionStatus
    /// Asking for the transaction of the app itself, or for a new receipt.
    case appTransaction
    /// The sheet to manage subscriptions.
    case manageSubscriptions
    /// The sheet to ask for a refund.
    case refundRequest
    /// The sheet to redeem an offer code.
    case offerCodeRedeem
}

/// A failure of one of StoreKit's interfaces, as StoreKit 2 names it.
public enum StoreAPIFailure: Error, Hashable, Codable, Sendable {
    /// What every interface can show (`StoreKitError`).
    case generic(Generic)
    /// What a purchase can show besides (`Product.PurchaseError`).
    case purchase(Purchase)
    /// What is wrong with a signature (`VerificationResult.VerificationError`).
    case verification(Verification)
    /// What a refund request can show besides (`Transaction.RefundRequestError`).
    case refundRequest(RefundRequest)
    /// What a payment of StoreKit 1 can fail with besides, by the code of its `SKError`.
    case transaction(code: Int)

    /// The cases of `StoreKitError`.
    public enum Generic: String, Hashable, Codable, Sendable, CaseIterable {
        /// Something that the store does not explain.
        case unknown
        /// Somebody said no.
        case userCancelled
        /// The store could not be reached.
        case networkError
        /// The system failed.
        case systemError
        /// The product is not sold in this storefront.
        case notAvailableInStorefront
        /// The app has no right to sell.
        case notEntitled
        /// The device cannot do it.
        case unsupported
    }

    /// The cases of `Product.PurchaseError`.
    public enum Purchase: String, Hashable, Codable, Sendable, CaseIterable {
        /// The quantity is not one that can be bought.
        case invalidQuantity
        /// The product is not sold.
        case productUnavailable
        /// This person may not pay.
        case purchaseNotAllowed
        /// The offer is not for this buyer.
        case ineligibleForOffer
        /// The product has no such offer.
        case invalidOfferIdentifier
        /// The offer's price is not valid any more.
        case invalidOfferPrice
        /// The offer's signature does not hold.
        case invalidOfferSignature
        /// Something of the offer is missing.
        case missingOfferParameters
    }

    /// The cases of `VerificationResult.VerificationError`.
    public enum Verification: String, Hashable, Codable, Sendable, CaseIterable {
        /// A certificate was revoked.
        case revokedCertificate
        /// The chain does not lead to the store's root.
        case invalidCertificateChain
        /// It was signed for another device.
        case invalidDeviceVerification
        /// It cannot be read.
        case invalidEncoding
        /// The signature does not fit what was signed.
        case invalidSignature
        /// Something that must be there is not.
        case missingRequiredProperties
    }

    /// The cases of `Transaction.RefundRequestError`.
    public enum RefundRequest: String, Hashable, Codable, Sendable, CaseIterable {
        /// A refund was asked for already.
        case duplicateRequest
        /// The request could not be sent.
        case failed
    }
}

/// Keys of what is written down, in the order of their names.
extension StoreAPI: CodingKeyRepresentable {}

extension StoreAPI {
    /// Whether the interface can show this failure.
    public func canShow(_ failure: StoreAPIFailure) -> Bool {
        switch failure {
        case .generic: self != .verification
        case .purchase: self == .purchase
        case .verification: self == .verification
        case .refundRequest: self == .refundRequest
        case .transaction: self == .purchase
        }
    }
}
