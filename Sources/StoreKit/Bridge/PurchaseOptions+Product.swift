import Foundation
import StoreManagerCore

extension PurchaseOptions {
    /// StoreKit 2's options in the words of the package. Of several offers the one that is written first below is asked for.
    init(_ options: Set<Product.PurchaseOption>) {
        self.init()
        var texts: [String: String] = [:]
        var offers: [(rank: Int, offer: PurchaseOffer)] = []
        for option in options {
            switch option.content {
            case .quantity(let quantity): self.quantity = quantity
            case .appAccountToken(let token): appAccountToken = token
            case .simulatesAskToBuyInSandbox(let flag): simulatesAskToBuyInSandbox = flag
            case .custom(let key, .string(let text)): texts[key] = text
            case .promotionalOffer(let offerID, let signature):
                offers.append((0, .promotional(PromotionalOfferSignature(offerID: offerID, signature))))
            case .winBackOffer(let offerID): offers.append((2, .winBack(offerID: offerID)))
            case .custom, .onStorefrontChange, .promotionalOfferID, .codeOffer, .purchaseDate: break
            }
        }
        if let offerID = texts[OptionKey.promotionalOfferID], let jws = texts[OptionKey.promotionalOfferJWS] {
            offers.append((1, .promotionalJWS(offerID: offerID, compactJWS: jws)))
        }
        if let jws = texts[OptionKey.introductoryEligibility] {
            offers.append((3, .introductoryEligibility(compactJWS: jws)))
        }
        offer = offers.min { $0.rank < $1.rank }?.offer
    }
}

extension PromotionalOfferSignature {
    fileprivate init(offerID: String, _ signature: Product.SubscriptionOffer.Signature) {
        self.init(
            offerID: offerID, keyID: signature.keyID, nonce: signature.nonce,
            signature: signature.signature.base64EncodedString(), timestamp: signature.timestamp)
    }
}

extension Set<Product.PurchaseOption> {
    /// Who decides whether the purchase goes on in another storefront.
    var storefrontDecision: (@Sendable (Storefront) -> Bool)? {
        for case .onStorefrontChange(let decision) in map(\.content) { return decision }
        return nil
    }
}
