import Foundation
import StoreKit
import StoreManagerCore

extension StoreTransaction {
    /// StoreKit's transaction, what it made of the signature, and the signed form itself.
    init(_ result: VerificationResult<Transaction>, state: StoreTransactionState = .purchased) {
        self.init(result.unsafePayloadValue, state: state)
        jwsRepresentation = result.jwsRepresentation
        storeVerification = StoreVerification(result)
    }

    private init(_ transaction: Transaction, state: StoreTransactionState) {
        self.init(
            id: String(transaction.id), originalID: String(transaction.originalID),
            productIdentifier: transaction.productID, productType: StoreProductType(transaction.productType),
            state: state, quantity: transaction.purchasedQuantity, purchaseDate: transaction.purchaseDate,
            originalPurchaseDate: transaction.originalPurchaseDate, expirationDate: transaction.expirationDate)
        revocationDate = transaction.revocationDate
        revocationReason = transaction.revocationReason.map { StoreRevocationReason(rawValue: $0.rawValue) }
        isUpgraded = transaction.isUpgraded
        ownership = transaction.ownershipType == .familyShared ? .familyShared : .purchased
        reason = transaction.reason == .renewal ? .renewal : .purchase
        appAccountToken = transaction.appAccountToken
        subscriptionGroupID = transaction.subscriptionGroupID
        offer = StoreRedeemedOffer(of: transaction)
        price = transaction.price
        currencyCode = transaction.currency?.identifier
        storefrontCountryCode = transaction.storefront.countryCode
        environment = StoreEnvironment(rawValue: transaction.environment.rawValue)
        signedDate = transaction.signedDate
    }
}

extension StoreVerification {
    /// What StoreKit made of a signature.
    init<Signed>(_ result: VerificationResult<Signed>) {
        switch result {
        case .verified: self = .verified
        case .unverified(_, let error): self = .unverified(reason: error.reason)
        }
    }
}

extension StoreRedeemedOffer {
    /// The offer that a transaction redeemed; nil where it did not, or where the package does not know such offers.
    init?(of transaction: Transaction) {
        if #available(iOS 17.2, macOS 14.2, tvOS 17.2, watchOS 10.2, visionOS 1.1, *) {
            guard let offer = transaction.offer else { return nil }
            self.init(offer)
        } else {
            guard let type = transaction.offerType.flatMap({ StoreOfferType($0) }) else { return nil }
            let mode = transaction.offerPaymentModeStringRepresentation
            self.init(
                id: transaction.offerID, type: type, paymentMode: mode.flatMap { StoreOfferPaymentMode(storeKit: $0) })
        }
    }

    /// StoreKit's redeemed offer; nil for one of a kind that the package does not know.
    @available(iOS 17.2, macOS 14.2, tvOS 17.2, watchOS 10.2, visionOS 1.1, *)
    init?(_ offer: Transaction.Offer) {
        guard let type = StoreOfferType(offer.type) else { return nil }
        self.init(
            id: offer.id, type: type,
            paymentMode: offer.paymentMode.flatMap { StoreOfferPaymentMode(storeKit: $0.rawValue) })
    }
}

extension StoreOfferType {
    fileprivate init?(_ type: Transaction.OfferType) {
        switch type {
        case .introductory: self = .introductory
        case .promotional: self = .promotional
        case .code: self = .code
        case .winBack: self = .winBack
        default: return nil
        }
    }
}

extension StoreOfferPaymentMode {
    /// The way to pay by the name that it has in signed transactions; nil for one that the package does not know.
    fileprivate init?(storeKit name: String) {
        switch name {
        case "FREE_TRIAL": self = .freeTrial
        case "PAY_AS_YOU_GO": self = .payAsYouGo
        case "PAY_UP_FRONT": self = .payUpFront
        case "ONE_TIME": self = .oneTime
        default: return nil
        }
    }
}
