public import Foundation
import StoreManagerCore

/// What an app asks the queue to sell.
open class SKPayment: NSObject, NSCopying, NSMutableCopying {
    var content = Content()

    /// What a payment says.
    struct Content: Sendable {
        var productIdentifier = ""
        var quantity = 1
        var applicationUsername: String?
        var requestData: Data?
        var simulatesAskToBuyInSandbox = false
        var paymentDiscount: SKPaymentDiscount?
        /// The purchase in the store that the payment continues, with an offer that no property shows.
        var intent: StorePurchaseIntent?
    }

    /// An empty payment.
    public override init() {}

    /// A payment for one piece of a product.
    public convenience init(product: SKProduct) {
        self.init()
        content.productIdentifier = product.productIdentifier
    }

    convenience init(_ content: Content) {
        self.init()
        self.content = content
    }

    /// The product.
    open var productIdentifier: String { content.productIdentifier }
    /// How many.
    open var quantity: Int { content.quantity }
    /// The name of the user in the app, opaque to the store.
    open var applicationUsername: String? { content.applicationUsername }
    /// Reserved.
    open var requestData: Data? { content.requestData }
    /// In a sandbox, whether the purchase waits for approval.
    open var simulatesAskToBuyInSandbox: Bool { content.simulatesAskToBuyInSandbox }
    /// The signed promotional offer to redeem.
    open var paymentDiscount: SKPaymentDiscount? { content.paymentDiscount }

    /// A payment that says the same, and that nobody can change.
    open func copy(with zone: NSZone? = nil) -> Any { SKPayment(content) }

    /// A payment that says the same, and that can be changed.
    open func mutableCopy(with zone: NSZone? = nil) -> Any { SKMutablePayment(content) }
}

/// Payments can be changed by whoever holds them, so they stay where they are.
@available(*, unavailable)
extension SKPayment: @unchecked Sendable {}
