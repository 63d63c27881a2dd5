import Foundation
import StoreKit
import StoreManagerCore

extension SKMutablePayment {
    /// The payment in StoreKit's words.
    ///
    /// - Parameter product: The product as StoreKit gave it; nil where it was not fetched in this run.
    /// - Throws: `StoreError` where StoreKit 1 cannot pass on what the payment says.
    convenience init(_ payment: StorePayment, product: SKProduct?) throws(StoreError) {
        let options = payment.options
        if let key = options.customOptions.keys.min() { throw .unsupported("the option \(key) of a purchase") }
        let username = try options.queueUsername
        let discount = try options.offer.map(SKPaymentDiscount.init(offer:))
        if let product { self.init(product: product) } else { self.init() }
        productIdentifier = payment.product.id
        quantity = options.quantity
        applicationUsername = username
        paymentDiscount = discount
        simulatesAskToBuyInSandbox = options.simulatesAskToBuyInSandbox
    }
}

extension PurchaseOptions {
    /// What is sent as user name: StoreKit 1 has one field for it and for the account token.
    fileprivate var queueUsername: String? {
        get throws(StoreError) {
            guard let appAccountToken else { return applicationUsername }
            if let applicationUsername, UUID(uuidString: applicationUsername) != appAccountToken {
                throw .unsupported("an account token beside another user name")
            }
            return applicationUsername ?? appAccountToken.uuidString
        }
    }
}

extension SKPaymentDiscount {
    /// A signed offer, exactly as it was given.
    fileprivate convenience init(offer: PurchaseOffer) throws(StoreError) {
        guard case .promotional(let signed) = offer else {
            throw .unsupported("any offer but promotional ones with the classic signature")
        }
        self.init(
            identifier: signed.offerID, keyIdentifier: signed.keyID, nonce: signed.nonce, signature: signed.signature,
            timestamp: NSNumber(value: signed.timestamp))
    }
}
