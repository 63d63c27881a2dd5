#if os(macOS)
// Not run by the package's own tests, which have no windows. To try first: a refund request for a sandbox purchase.
public import AppKit
import StoreKit
public import StoreManagerCore

extension StoreManager {
    /// Lets the person ask for the money for a transaction back. That it was granted is told later, as a revocation.
    ///
    /// - Throws: `StoreError`, `.cancelled` where the person thought better of it.
    public func beginRefundRequest(for transaction: StoreTransaction, in controller: NSViewController) async throws {
        let id = try transaction.storeKitID
        let status = try await storeKitCall { try await Transaction.beginRefundRequest(for: id, in: controller) }
        if status == .userCancelled { throw StoreError.cancelled() }
    }

    /// Lets the person redeem an offer code. What is bought so comes to the default receiver.
    ///
    /// - Throws: `StoreError`.
    @available(macOS 15.0, *)
    public func presentOfferCodeRedeemSheet(from controller: NSViewController) async throws {
        try await storeKitCall { try await AppStore.presentOfferCodeRedeemSheet(from: controller) }
    }
}
#endif
