import StoreKit
import StoreManagerCore

// One purchase.
extension StoreKit2Backend {
    /// What has to be known before StoreKit is asked to sell.
    struct PreparedPurchase: Sendable {
        var product: Product
        var options: Set<Product.PurchaseOption>
        /// The purchase of a product that is owned for ever, where it is owned.
        var owned: Transaction.ID?
    }

    /// Finds out what has to be known, when that is known for the purchases before: they reach StoreKit in their order.
    func prepare(_ payment: StorePayment) -> Task<PreparedPurchase, any Error> {
        let preparation = Task { [earlier = lastPreparation] in
            _ = await earlier?.result
            let product = try await product(payment.product.id)
            let options = try Set(payment, of: product)
            return PreparedPurchase(product: product, options: options, owned: await ownedBefore(product))
        }
        lastPreparation = preparation
        return preparation
    }

    /// Buys, and says how it ended.
    func purchase(
        _ payment: StorePayment, preparedBy preparation: Task<PreparedPurchase, any Error>
    ) async -> StoreBackendEvent {
        let token = payment.token
        do {
            let prepared = try await preparation.value
            switch try await purchaseCall(prepared.product, prepared.options) {
            case .success(let result):
                let isOwned = prepared.owned == result.unsafePayloadValue.id
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
