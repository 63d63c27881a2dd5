public import Foundation

extension Product {
    /// How a purchase ended, or did not yet. Later systems may know more.
    public enum PurchaseResult: Sendable {
        /// Paid. The transaction has to be finished.
        case success(VerificationResult<Transaction>)
        /// The buyer said no.
        case userCancelled
        /// Somebody has to do something first; the transaction comes by ``Transaction/updates``, or never.
        case pending
    }

    /// Why a purchase cannot be made.
    public enum PurchaseError: Error, Equatable, Hashable, Sendable {
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

    /// Buys the product.
    ///
    /// - Throws: ``PurchaseError`` or ``StoreKitError``.
    @MainActor
    public func purchase(options: Set<PurchaseOption> = []) async throws -> PurchaseResult {
        try await StoreLink.shared.purchase(self, options: options)
    }
}

extension Product.PurchaseError: LocalizedError {
    /// What went wrong.
    public var errorDescription: String? {
        switch self {
        case .invalidQuantity: "This quantity cannot be bought."
        case .productUnavailable: "The product is not sold."
        case .purchaseNotAllowed: "This person may not pay."
        case .ineligibleForOffer: "The offer is not for this buyer."
        case .invalidOfferIdentifier: "The product has no such offer."
        case .invalidOfferPrice: "The price of the offer is not valid any more."
        case .invalidOfferSignature: "The signature of the offer does not hold."
        case .missingOfferParameters: "Something of the offer is missing."
        }
    }
}
