import StoreManagerCore
import TestSupport

/// A store that answers everything at once: it sells, restores and finishes, and of purchases it fails some and has some cancelled.
extension ScriptedBackend {
    /// Begins to answer by itself. How a purchase ends is told by the name of its product: `sold`, `cancelled`, `failed`.
    func answerByItself() {
        var lastID = 0
        answer = { command in
            switch command {
            case .fetch(let identifiers, let token):
                return [.productsFetched(identifiers.map { .sample($0) }, for: token)]
            case .purchase(let payment):
                lastID += 1
                switch payment.product.id {
                case "cancelled": return [.purchaseEnded(.cancelled(), for: payment.token)]
                case "failed": return [.purchaseEnded(.productUnavailable(), for: payment.token)]
                default:
                    let update = StoreTransactionUpdate(.sample("\(lastID)", for: payment), token: payment.token)
                    return [.transactionsUpdated([update]), .transactionsUpdated([update])]
                }
            case .restore(_, let token):
                let listed = (0..<3).map {
                    StoreTransactionUpdate(
                        .sample("old\($0)", of: "hat", .nonConsumable, state: .restored), token: token)
                }
                return [.transactionsUpdated(listed), .restoreFinished(for: token)]
            case .finish(let transaction):
                return [.transactionFinished(transaction.id)]
            case .entitlements(let token):
                return [.entitlementsRead(.success([]), for: token)]
            case .refreshReceipt(let token):
                return [.receiptRefreshed(nil, for: token)]
            case .downloads:
                return []
            }
        }
    }
}
