import Foundation

/// Pairs the approval of a deferred purchase with its request, for a store that gives the purchase no identifier while it
/// waits (StoreKit 2).
///
/// An approval belongs to the oldest pending request of the same product and account token that was made before it was
/// bought, as far as the two clocks tell. Renewals, what was revoked and what a family member bought approve nothing.
struct DeferredPairing {
    /// A purchase that waits for approval.
    struct Pending {
        var token: RequestToken
        var productIdentifier: String
        var appAccountToken: UUID?
        /// By the device's clock.
        var requestDate: Date
    }

    /// What a transaction must share with the purchase that it ends.
    private struct Goods: Hashable {
        var productIdentifier: String
        var appAccountToken: UUID?
    }

    /// Who waits for the same, the oldest request first.
    private var lines: [Goods: WaitingLine<Pending>] = [:]
    private var goods: [RequestToken: Goods] = [:]

    /// A purchase waits for approval.
    mutating func add(_ purchase: Pending) {
        let wanted = Goods(
            productIdentifier: purchase.productIdentifier, appAccountToken: purchase.appAccountToken)
        guard goods.updateValue(wanted, forKey: purchase.token) == nil else { return }
        lines[wanted, default: WaitingLine()].insert(purchase, number: purchase.token.number)
    }

    /// Nobody waits for this purchase any more.
    mutating func remove(_ token: RequestToken) {
        guard !goods.isEmpty, let wanted = goods.removeValue(forKey: token) else { return }
        lines[wanted]?.remove(token.number)
        if lines[wanted]?.isEmpty == true { lines[wanted] = nil }
    }

    /// The request that the transaction approves; it is not matched again. To be asked once about each transaction.
    mutating func match(_ transaction: StoreTransaction, by time: StoreTime) -> RequestToken? {
        guard let token = request(endedBy: transaction, by: time) else { return nil }
        remove(token)
        return token
    }

    /// The request that the transaction may end. One that was seen before the request is to be ruled out beforehand.
    func request(endedBy transaction: StoreTransaction, by time: StoreTime) -> RequestToken? {
        guard !lines.isEmpty, transaction.mayAnswerPurchase else { return nil }
        let bought = Goods(
            productIdentifier: transaction.productIdentifier, appAccountToken: transaction.appAccountToken)
        return lines[bought]?.first { time.earliest(for: $0.requestDate) <= transaction.purchaseDate }?.element.token
    }
}

extension StoreTransaction {
    /// Whether it may be what some request asked for: bought by this account, not renewed and not taken back.
    fileprivate var mayAnswerPurchase: Bool {
        state == .purchased && reason == .purchase && ownership == .purchased && deliveryState.grants
    }
}
