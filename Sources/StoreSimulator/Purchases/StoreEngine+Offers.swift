import Foundation
import StoreManagerCore

extension StoreEngine {
    /// Why the app cannot buy now; nil where it can.
    var obstacleForApp: StoreAPIFailure? {
        failure(of: .purchase, on: .purchase) ?? (controls.canMakePayments ? nil : .purchase(.purchaseNotAllowed))
    }

    /// Why a payment cannot be made, in the app or outside; nil where it can.
    func obstacle(to request: PaymentRequest, for product: Int, account: Int) -> StoreAPIFailure? {
        let product = catalogue[product]
        if !isSold(product) { return .purchase(.productUnavailable) }
        let isCounted = product.type == .consumable || product.type == .nonRenewable
        // StoreKit takes at most ten at a time (SKMutablePayment.quantity).
        guard (1...(isCounted ? 10 : 1)).contains(request.quantity) else { return .purchase(.invalidQuantity) }
        if let plan = request.billingPlan, product.subscription?.plan(plan) == nil {
            return .purchase(.productUnavailable)
        }
        guard let offer = request.offer else { return nil }
        if !request.isOfferGenuine { return .purchase(.invalidOfferSignature) }
        return obstacle(to: offer, of: product, account: account)
    }

    private func isSold(_ product: StoreConfiguration.Product) -> Bool {
        product.obstacleToPurchase == nil && (product.subscription?.period.map { $0.value > 0 } ?? true)
            && controls.sells(product.id)
    }

    /// The offer that a payment redeems; nil where it pays the full price.
    func redeemedOffer(
        of request: PaymentRequest, for product: StoreConfiguration.Product, account: Int
    ) -> StoreConfiguration.Offer? {
        guard let subscription = product.subscription else { return nil }
        switch request.offer {
        case .introductoryEligibility(let statement):
            let isAllowed = EligibilityStatement(compactJWS: statement)?.allowsIntroductoryOffer ?? false
            return isAllowed ? subscription.introductoryOffers.first : nil
        case .some(let offer):
            return subscription.offer(asked: offer)
        case nil:
            let isEligible = isEligibleForIntroductoryOffer(inGroup: subscription.groupID, account: account)
            return isEligible ? subscription.introductoryOffers.first : nil
        }
    }

    /// Where an account stands towards a group, in the words of offer codes. Who is in billing retry has not left.
    private func standing(inGroup groupID: String, account: Int) -> StoreConfiguration.Offer.Eligibility {
        guard let index = subscriptionIndex(inGroup: groupID, account: account) else { return .new }
        return subscriptions[index].isLive ? .existing : .expired
    }

    private func obstacle(
        to asked: RequestedOffer, of product: StoreConfiguration.Product, account: Int
    ) -> StoreAPIFailure? {
        guard let subscription = product.subscription else { return .purchase(.invalidOfferIdentifier) }
        if case .introductoryEligibility(let statement) = asked {
            let isReadable = EligibilityStatement(compactJWS: statement) != nil
            return isReadable || controls.habits.passesOverUntrustedEligibility
                ? nil : .purchase(.invalidOfferSignature)
        }
        guard let offer = subscription.offer(asked: asked) else { return .purchase(.invalidOfferIdentifier) }
        if offer.price == nil { return .purchase(.invalidOfferPrice) }
        let standing = standing(inGroup: subscription.groupID, account: account)
        switch asked {
        case .promotional(_, let keyID, _, let signature, _):
            if keyID.isEmpty || signature.isEmpty { return .purchase(.missingOfferParameters) }
            let isKnownKey = catalogue.configuration.offersKeyPair.map { $0.id == keyID } ?? true
            if !isKnownKey || Data(base64Encoded: signature) == nil { return .purchase(.invalidOfferSignature) }
            return standing == .new ? .purchase(.ineligibleForOffer) : nil
        case .promotionalJWS(_, let jws):
            if jws.split(separator: ".", omittingEmptySubsequences: false).count != 3 {
                return .purchase(.invalidOfferSignature)
            }
            return standing == .new ? .purchase(.ineligibleForOffer) : nil
        case .unsigned:
            return standing == .new ? .purchase(.ineligibleForOffer) : nil
        case .winBack:
            return standing == .expired && offer.isEligible ? nil : .purchase(.ineligibleForOffer)
        case .code:
            return offer.eligibility.contains(standing) ? nil : .purchase(.ineligibleForOffer)
        case .introductoryEligibility:
            return nil
        }
    }
}

/// The statement of an app's server on the introductory offer, a JWS whose payload says `allowIntroductoryOffer`.
private struct EligibilityStatement {
    var allowsIntroductoryOffer: Bool

    init?(compactJWS: String) {
        let parts = compactJWS.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let payload = Data(base64URLEncoded: parts[1]),
            let claims = try? JSONDecoder().decode(Claims.self, from: payload)
        else { return nil }
        allowsIntroductoryOffer = claims.allowIntroductoryOffer
    }

    private struct Claims: Decodable { var allowIntroductoryOffer: Bool }
}

extension Data {
    /// Decodes base64 in the alphabet for addresses, without padding (RFC 4648, section 5).
    fileprivate init?(base64URLEncoded text: Substring) {
        let standard = text.replacing("-", with: "+").replacing("_", with: "/")
        self.init(base64Encoded: standard + String(repeating: "=", count: (4 - standard.count % 4) % 4))
    }
}
