#if os(iOS) || os(visionOS)
// Not run by the package's own tests, which have no scenes. To try first: a refund request for a sandbox purchase.
import StoreKit
public import StoreManagerCore
public import UIKit

extension StoreManager {
    /// Lets the person ask for the money for a transaction back. That it was granted is told later, as a revocation.
    ///
    /// - Throws: `StoreError`, `.cancelled` where the person thought better of it.
    public func beginRefundRequest(for transaction: StoreTransaction, in scene: UIWindowScene) async throws {
        let id = try transaction.storeKitID
        let status = try await storeKitCall { try await Transaction.beginRefundRequest(for: id, in: scene) }
        if status == .userCancelled { throw StoreError.cancelled() }
    }

    /// Shows the person's subscriptions, of all groups or of one. What is changed there is told later.
    ///
    /// - Throws: `StoreError`.
    public func showManageSubscriptions(inGroup groupID: String? = nil, in scene: UIWindowScene) async throws {
        try await storeKitCall {
            if let groupID {
                try await AppStore.showManageSubscriptions(in: scene, subscriptionGroupID: groupID)
            } else {
                try await AppStore.showManageSubscriptions(in: scene)
            }
        }
    }

    /// Lets the person redeem an offer code. What is bought so comes to the default receiver.
    ///
    /// - Throws: `StoreError`.
    public func presentOfferCodeRedeemSheet(in scene: UIWindowScene) async throws {
        try await storeKitCall { try await AppStore.presentOfferCodeRedeemSheet(in: scene) }
    }
}
#endif
