import Foundation
import StoreManagerCore

extension StoreEngine {
    /// Why a payment cannot be made; nil where it can.
    func obstacle(to request: PaymentRequest, for product: Int, account: Int) -> StoreAPIFailure? {
        if let failure = failure(of: .purchase, on: .purchase) { return failure }
        let product = catalogue[product]
        if !controls.canMakePayments { return .purchase(.purchaseNotAllowed) }
        if product.obstacleToPurchase != nil { return .purchase(.productUnavailable) }
        let isCounted = product.type == .consumable || product.type == .nonRenewable
        if request.quantity < 1 || request.quantity > 1 && !isCounted { return .purchase(.invalidQuantity) }
        guard let offer = request.offer else { return nil }
        return obstacle(to: offer, of: product, account: account)
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

    /// Whether an account may still have an introductory offer of a group: it never had one, and does not subscribe now.
    func isEligibleForIntroductoryOffer(inGroup groupID: String, account: Int) -> Bool {
        if let subscription = subscription(inGroup: groupID, account: account), subscription.hasAccess { return false }
        return !records(of: account).contains { record in
            record.standing == .paid && termsTable[record.terms].offer?.type == .introductory
                && product(of: record).subscription?.groupID == groupID
        }
    }

    /// Where an account stands towards a group, in the words of offer codes.
    private func standing(inGroup groupID: String, account: Int) -> StoreConfiguration.Offer.Eligibility {
        guard let subscription = subscription(inGroup: groupID, account: account) else { return .new }
        return subscription.hasAccess ? .existing : .expired
    }

    private func obstacle(
        to asked: RequestedOffer, of product: StoreConfiguration.Product, account: Int
    ) -> StoreAPIFailure? {
        guard let subscription = product.subscription else { return .purchase(.invalidOfferIdentifier) }
        if case .introductoryEligibility(let statement) = asked {
            return EligibilityStatement(compactJWS: statement) == nil ? .purchase(.invalidOfferSignature) : nil
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

extension StoreConfiguration.Subscription {
    /// The offer that a payment names.
    fileprivate func offer(asked: RequestedOffer) -> StoreConfiguration.Offer? {
        switch asked {
        case .promotional(let id, _, _, _, _), .promotionalJWS(let id, _), .unsigned(let id):
            promotionalOffers.first { $0.id == id }
        case .winBack(let id): winBackOffers.first { $0.id == id }
        case .code(let name): codeOffers.first { $0.referenceName == name }
        case .introductoryEligibility: introductoryOffers.first
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
