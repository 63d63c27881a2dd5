import Foundation
import StoreManagerCore

/// A payment as the store keeps it: what is to be bought, how many, for whom and with which offer.
struct PaymentRequest: Codable, Sendable {
    var productIdentifier: String
    var quantity = 1
    var appAccountToken: UUID?
    var applicationUsername: String?
    @Rare var offer: RequestedOffer?
    /// Whether the offer's signature holds, as far as somebody looked.
    var isOfferGenuine = true
    var asksToBuy = false
    /// The purchase in the store that this one continues.
    var intent: String?
    /// How a subscription is to be billed; nil is up front.
    var billingPlan: String?

    init(productIdentifier: String) { self.productIdentifier = productIdentifier }

    init(_ payment: StorePayment) {
        productIdentifier = payment.product.id
        quantity = payment.options.quantity
        appAccountToken = payment.options.appAccountToken
        applicationUsername = payment.options.applicationUsername
        offer = payment.options.offer.map(RequestedOffer.init)
        asksToBuy = payment.options.simulatesAskToBuyInSandbox
        intent = payment.intent?.id
        if offer == nil, let intended = payment.intent?.offer, intended.type == .winBack, let id = intended.id {
            offer = .winBack(offerID: id)
        }
    }

    /// The payment as a store that knows no tokens tells it from others.
    var fingerprint: StorePayment.Fingerprint {
        var offerID: String?
        if case .promotional(let id, _, _, _, _) = offer { offerID = id }
        return StorePayment.Fingerprint(
            productIdentifier: productIdentifier, quantity: quantity, applicationUsername: applicationUsername,
            offerID: offerID)
    }
}

/// The offer that a payment asks for.
enum RequestedOffer: Hashable, Codable, Sendable {
    /// A promotional offer with the classic signature.
    case promotional(offerID: String, keyID: String, nonce: UUID, signature: String, timestamp: Int)
    /// A promotional offer with a signature in JWS form.
    case promotionalJWS(offerID: String, compactJWS: String)
    /// A win-back offer.
    case winBack(offerID: String)
    /// A statement on the introductory offer.
    case introductoryEligibility(compactJWS: String)
    /// A promotional offer without any signature, for purchases that a test makes outside the app.
    case unsigned(offerID: String)
    /// An offer code, by the reference name of its offer.
    case code(referenceName: String)

    init(_ offer: PurchaseOffer) {
        switch offer {
        case .promotional(let signed):
            self = .promotional(
                offerID: signed.offerID, keyID: signed.keyID, nonce: signed.nonce, signature: signed.signature,
                timestamp: signed.timestamp)
        case .promotionalJWS(let id, let jws): self = .promotionalJWS(offerID: id, compactJWS: jws)
        case .winBack(let id): self = .winBack(offerID: id)
        case .introductoryEligibility(let jws): self = .introductoryEligibility(compactJWS: jws)
        }
    }
}

/// A token that can be written down, for as long as the process lives that it belongs to.
struct SavedToken: Hashable, Codable, Sendable {
    let token: RequestToken

    init(_ token: RequestToken) { self.token = token }

    /// Reads the token from its text, such as `purchase-7`.
    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        let parts = text.split(separator: "-", maxSplits: 1)
        guard parts.count == 2, let kind = RequestToken.Kind(rawValue: String(parts[0])), let number = UInt64(parts[1])
        else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "\"\(text)\" is no token; a token is like \"purchase-7\"")
        }
        token = RequestToken(kind: kind, number: number)
    }

    /// Writes the token's text.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(token.description)
    }
}
