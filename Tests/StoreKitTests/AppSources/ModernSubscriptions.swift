// What an app for iOS does about subscriptions over StoreKit 2: loops, status, renewal, eligibility, entitlements. This file
// uses nothing but Foundation and StoreKit.
import Foundation
import StoreKit

extension VerificationResult {
    var trusted: SignedType? {
        guard case .verified(let value) = self else { return nil }
        return value
    }
}

extension Product.SubscriptionPeriod {
    var text: String {
        switch unit {
        case .day: return value == 7 ? "week" : "\(value) d"
        case .week: return "\(value) w"
        case .month: return "\(value) m"
        case .year: return "\(value) y"
        @unknown default: return "?"
        }
    }
}

extension Product.SubscriptionInfo.RenewalState {
    var grantsAccess: Bool { self == .subscribed || self == .inGracePeriod }
}

/// A plan of a group, best first.
struct Plan: Identifiable, Hashable {
    let product: Product
    let info: Product.SubscriptionInfo

    init?(_ product: Product) {
        guard product.type == .autoRenewable, let info = product.subscription else { return nil }
        (self.product, self.info) = (product, info)
    }

    var id: String { product.id }
    var price: String { "\(product.displayPrice) / \(info.subscriptionPeriod.text)" }

    func trial() async -> String? {
        guard await info.isEligibleForIntroOffer, let offer = info.introductoryOffer else { return nil }
        switch offer.paymentMode {
        case .freeTrial: return "free for \(offer.periodCount) × \(offer.period.text)"
        case .payAsYouGo, .payUpFront: return offer.displayPrice
        default: return nil
        }
    }
}

/// Where the user stands with a group of subscriptions.
enum Membership: Equatable, Sendable {
    case none
    case active(productID: String, renews: Bool, until: Date?)
    case lapsed(Product.SubscriptionInfo.RenewalInfo.ExpirationReason?)

    init(_ statuses: [Product.SubscriptionInfo.Status]) {
        self = .none
        for status in statuses {
            guard case .verified(let renewalInfo) = status.renewalInfo,
                case .verified(let transaction) = status.transaction
            else { continue }
            switch status.state {
            case _ where status.state.grantsAccess:
                self = .active(
                    productID: transaction.productID, renews: renewalInfo.willAutoRenew,
                    until: transaction.expirationDate)
                return
            case .expired, .revoked:
                self = .lapsed(renewalInfo.expirationReason)
            default:
                break
            }
        }
    }
}

/// Listens for as long as it lives, and answers from what it heard.
actor MembershipDesk {
    private(set) var membership = Membership.none
    private(set) var owned: [Product.ID: Transaction] = [:]
    private var listeners: [Task<Void, Never>] = []
    private let groupID: String

    init(groupID: String) { self.groupID = groupID }

    deinit { listeners.forEach { $0.cancel() } }

    func listen() {
        listeners = [
            Task(priority: .background) { [weak self] in
                for await update in Transaction.updates {
                    guard let transaction = update.trusted else { continue }
                    await self?.take(transaction)
                    await transaction.finish()
                }
            },
            Task { [weak self] in
                for await status in Product.SubscriptionInfo.Status.updates where status.state != .revoked {
                    try? await self?.refresh()
                }
            },
        ]
    }

    func refresh() async throws {
        membership = Membership(try await Product.SubscriptionInfo.status(for: groupID))
        owned = [:]
        for await result in Transaction.currentEntitlements {
            if let transaction = result.trusted { take(transaction) }
        }
    }

    func restore() async -> Bool {
        do {
            try await AppStore.sync()
            try await refresh()
            return true
        } catch StoreKitError.userCancelled {
            return false
        } catch {
            return false
        }
    }

    private func take(_ transaction: Transaction) {
        switch (transaction.revocationDate, transaction.ownershipType) {
        case (.some, _): owned[transaction.productID] = nil
        case (nil, .purchased), (nil, .familyShared): owned[transaction.productID] = transaction
        default: break
        }
    }
}

/// Buys a plan with whatever the app's server allows.
@MainActor
func subscribe(to plan: Plan, account: UUID, quantity: Int = 1) async throws -> Transaction? {
    var options: Set<Product.PurchaseOption> = [.appAccountToken(account)]
    if quantity > 1 { options.insert(.quantity(quantity)) }
    options.insert(.onStorefrontChange { storefront in storefront.countryCode != "ATA" })
    switch try await plan.product.purchase(options: options) {
    case .success(.verified(let transaction)):
        await transaction.finish()
        return transaction
    case .success(.unverified(_, let error)): throw error
    case .userCancelled, .pending: return nil
    @unknown default: return nil
    }
}
