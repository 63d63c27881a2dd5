public import Foundation

extension StoreTransaction {
    /// Whether this one transaction entitles to its product at a date: from the moment of its purchase up to, and not at, its
    /// expiry. One that was never paid, was taken back or gave way to a better plan never does.
    ///
    /// A subscription's grace period is not in it: see ``StoreSubscriptionStatus/hasAccess(at:)``. A store that tells no expiry
    /// (StoreKit 1) leaves a subscription active for ever here; ask its receipt.
    public func isActive(at date: Date) -> Bool {
        guard state == .purchased || state == .restored, revocationDate == nil, !isUpgraded else { return false }
        return purchaseDate <= date && expirationDate.map { date < $0 } ?? true
    }
}
