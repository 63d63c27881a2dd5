public import Foundation
import StoreKit
public import StoreManagerCore

extension Entitlements {
    /// Reads from StoreKit 2, without any prompt, all that the account bought and how its subscriptions stand, and works out what
    /// that entitles to. What StoreKit itself does not find genuine is left out.
    ///
    /// No manager takes part: nothing is verified by a verifier, written to a ledger or finished.
    ///
    /// - Parameters:
    ///   - products: the products, for the level of a subscription in its group.
    ///   - date: the date that the answers are for.
    /// - Throws: `StoreError` where StoreKit cannot say how a subscription stands.
    public static func readFromStoreKit(
        products: some Sequence<StoreProduct> = [], at date: Date = .now
    ) async throws -> Entitlements {
        let history = await Transaction.all.collected().map { StoreTransaction($0) }
            .filter { $0.storeVerification == .verified }
        let infos = try await StoreRenewalInfo.all(inGroups: Set(history.compactMap(\.subscriptionGroupID)))
        return Entitlements(transactions: history, renewalInfos: infos, products: products, at: date)
    }
}

extension StoreRenewalInfo {
    /// What StoreKit says about all renewals in some subscription groups, as far as it finds that genuine.
    fileprivate static func all(inGroups groupIDs: Set<String>) async throws -> [StoreRenewalInfo] {
        var infos: [StoreRenewalInfo] = []
        do {
            for groupID in groupIDs.sorted() {
                for status in try await Product.SubscriptionInfo.status(for: groupID) {
                    if case .verified(let info) = status.renewalInfo { infos.append(StoreRenewalInfo(info)) }
                }
            }
        } catch {
            throw StoreError(storeKit2: error)
        }
        return infos
    }
}
