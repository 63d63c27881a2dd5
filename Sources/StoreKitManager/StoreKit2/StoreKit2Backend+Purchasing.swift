import StoreKit
import StoreManagerCore

// One purchase.
extension StoreKit2Backend {
    /// Buys, and says how it ended.
    func purchase(_ payment: StorePayment) async -> StoreBackendEvent {
        let token = payment.token
        do {
            let product = try await product(payment.product.id)
            let options = try Set(payment, of: product)
            let owned = await ownedBefore(product)
            switch try await purchaseCall(product, options) {
            case .success(let result):
                let isOwned = owned == result.unsafePayloadValue.id
                let transaction = remember(result, as: isOwned ? .restored : .purchased)
                return .transactionsUpdated([StoreTransactionUpdate(transaction, token: token)])
            case .userCancelled: return .purchaseEnded(.cancelled(), for: token)
            case .pending: return .purchaseDeferred(for: token)
            @unknown default: return .purchaseEnded(nil, for: token)
            }
        } catch Product.PurchaseError.invalidQuantity {
            return .purchaseEnded(.invalidQuantity(payment.options.quantity), for: token)
        } catch {
            return .purchaseEnded(StoreError(storeKit2: error), for: token)
        }
    }

    /// What is owned for ever is not sold twice: StoreKit answers with the first transaction, and does not say so.
    private func ownedBefore(_ product: Product) async -> Transaction.ID? {
        guard product.type == .nonConsumable else { return nil }
        return await Transaction.latest(for: product.id)?.unsafePayloadValue.id
    }
}
