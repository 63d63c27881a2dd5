public import Foundation

/// A payment that the app can still change.
open class SKMutablePayment: SKPayment {
    /// The product.
    open override var productIdentifier: String {
        get { content.productIdentifier }
        set { content.productIdentifier = newValue }
    }

    /// How many.
    open override var quantity: Int {
        get { content.quantity }
        set { content.quantity = newValue }
    }

    /// The name of the user in the app, opaque to the store.
    open override var applicationUsername: String? {
        get { content.applicationUsername }
        set { content.applicationUsername = newValue }
    }

    /// Reserved.
    open override var requestData: Data? {
        get { content.requestData }
        set { content.requestData = newValue }
    }

    /// In a sandbox, whether the purchase waits for approval.
    open override var simulatesAskToBuyInSandbox: Bool {
        get { content.simulatesAskToBuyInSandbox }
        set { content.simulatesAskToBuyInSandbox = newValue }
    }

    /// The signed promotional offer to redeem.
    open override var paymentDiscount: SKPaymentDiscount? {
        get { content.paymentDiscount }
        set { content.paymentDiscount = newValue }
    }
}
