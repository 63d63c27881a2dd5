import Foundation
import StoreKit
import StoreManagerCore

extension Set<Product.PurchaseOption> {
    /// All that a payment says beyond the product, as StoreKit takes it.
    ///
    /// - Throws: `StoreError` where the product or the system has no such offer.
    init(_ payment: StorePayment, of product: Product) throws {
        let options = payment.options
        self.init()
        // StoreKit takes a quantity of consumables and non-renewing subscriptions alone; one is what it takes without.
        if options.quantity != 1 { insert(.quantity(options.quantity)) }
        if let token = options.appAccountToken { insert(.appAccountToken(token)) }
        if options.simulatesAskToBuyInSandbox { insert(.simulatesAskToBuyInSandbox(true)) }
        for (key, value) in options.customOptions { insert(.custom(key: key, value)) }
        if let offer = options.offer { formUnion(try Self(offer, of: product)) }
        if let offer = payment.intent?.offer { formUnion(try Self(offer, of: product)) }
    }

    /// An offer that the app asks for.
    private init(_ offer: PurchaseOffer, of product: Product) throws {
        switch offer {
        case .promotional(let signature):
            guard let bytes = Data(base64Encoded: signature.signature) else {
                throw StoreError.invalidOffer(reason: "its signature is not base64")
            }
            self = [
                .promotionalOffer(
                    offerID: signature.offerID, keyID: signature.keyID, nonce: signature.nonce, signature: bytes,
                    timestamp: signature.timestamp)
            ]
        case .promotionalJWS(let offerID, let jws):
            self.init(Product.PurchaseOption.promotionalOffer(offerID, compactJWS: jws))
        case .winBack(let offerID):
            self = [try .winBackOffer(withID: offerID, of: product)]
        case .introductoryEligibility(let jws):
            self = [.introductoryOfferEligibility(compactJWS: jws)]
        }
    }

    /// The offer of a purchase that was begun in the store.
    private init(_ offer: StoreOffer, of product: Product) throws {
        switch offer.type {
        // The store gives it by itself.
        case .introductory: self.init()
        case .winBack: self = [try .winBackOffer(withID: offer.id ?? "", of: product)]
        case .promotional, .code:
            throw StoreError.unsupported("\(offer.type.rawValue) offers of purchases that were begun in the store")
        }
    }
}

extension Product.PurchaseOption {
    /// The product's win-back offer of an identifier.
    fileprivate static func winBackOffer(withID offerID: String, of product: Product) throws -> Self {
        guard #available(iOS 18.0, macOS 15.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *) else {
            throw StoreError.unsupported("win-back offers")
        }
        guard let offer = product.subscription?.winBackOffers.first(where: { $0.id == offerID }) else {
            throw StoreError.invalidOffer(reason: "the product has no win-back offer \"\(offerID)\"")
        }
        return .winBackOffer(offer)
    }

    fileprivate static func custom(key: String, _ value: PurchaseOptions.CustomValue) -> Self {
        switch value {
        case .string(let text): .custom(key: key, value: text)
        case .number(let number): .custom(key: key, value: number)
        case .flag(let flag): .custom(key: key, value: flag)
        case .data(let data): .custom(key: key, value: data)
        }
    }
}
