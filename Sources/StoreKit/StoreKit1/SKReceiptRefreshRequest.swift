import Foundation
import StoreManagerCore

/// Asks the store for a new receipt of the app.
open class SKReceiptRefreshRequest: SKRequest {
    private let properties: [String: Any]?

    /// A request for an ordinary receipt.
    public override init() { properties = nil }

    /// A request for a receipt; in a sandbox the properties say what is to be wrong with it.
    public init(receiptProperties properties: [String: Any]?) { self.properties = properties }

    /// What is to be wrong with the receipt, in a sandbox.
    open var receiptProperties: [String: Any]? { properties }

    override func ask(_ reply: Reply<SKRequest>) {
        StoreLink.shared.post { link in
            link.refreshReceipt { error in
                if let error {
                    reply.fail(with: error.storeKit1RequestError)
                } else {
                    reply.end { $0.delegates.requestDelegate?.requestDidFinish($0) }
                }
            }
        }
    }
}

/// In ``SKReceiptRefreshRequest/receiptProperties``: whether the receipt has expired.
public let SKReceiptPropertyIsExpired: String = "expired"
/// In ``SKReceiptRefreshRequest/receiptProperties``: whether the receipt was revoked.
public let SKReceiptPropertyIsRevoked: String = "revoked"
/// In ``SKReceiptRefreshRequest/receiptProperties``: whether the app was bought by an organisation.
public let SKReceiptPropertyIsVolumePurchase: String = "vpp"

/// Ends the app, because its receipt is not valid.
public func SKTerminateForInvalidReceipt() { exit(173) }
