import Foundation
import StoreManagerCore
import StoreSimulator

/// A purchase of StoreKit 2's that the store still has answers to.
@MainActor
final class OpenPurchase {
    /// How `purchase()` returns.
    enum Ending {
        case success(StoreTransaction)
        case pending
        case failure(StoreError)
    }

    /// The payment in the store.
    var paymentID: StoreTransaction.ID?
    /// Whether the purchase goes on in another storefront.
    let shouldContinue: (@Sendable (Storefront) -> Bool)?
    private var answer: ((Ending) -> Void)?

    init(shouldContinue: (@Sendable (Storefront) -> Bool)?, answer: @escaping (Ending) -> Void) {
        self.shouldContinue = shouldContinue
        self.answer = answer
    }

    /// Lets `purchase()` return; false where it has returned already.
    func end(_ ending: Ending) -> Bool {
        guard let answer else { return false }
        self.answer = nil
        answer(ending)
        return true
    }
}

extension StoreLink {
    /// Buys a product, for StoreKit 2.
    func purchase(_ product: Product, options: Set<Product.PurchaseOption>) async throws -> Product.PurchaseResult {
        // A buyer who says no is a result; a test that makes the interface fail so is an error.
        let isFailureSimulated = store?.controls.simulatedErrors[.purchase] != nil
        let ending = await awaitAnswer { answer in
            startPurchase(product, options, answer: answer)
        }
        switch ending {
        case .success(let transaction): return .success(signed(transaction))
        case .pending: return .pending
        case .failure(let error) where error.isCancellation && !isFailureSimulated: return .userCancelled
        case .failure(let error): throw error.storeKit2Error
        }
    }

    /// Tells the store that the app has dealt with a transaction, and returns when it has heard.
    func finish(_ transaction: StoreTransaction) async {
        guard let store else { return }
        await awaitAnswer { answer in
            finishWaiters[transaction.id, default: []].append { answer(()) }
            store.finish(transaction)
        }
    }

    private func startPurchase(
        _ product: Product, _ options: Set<Product.PurchaseOption>, answer: @escaping (OpenPurchase.Ending) -> Void
    ) {
        let purchase = OpenPurchase(shouldContinue: options.storefrontDecision, answer: answer)
        open(.purchase) { store, token in
            purchases[token] = purchase
            store.add(StorePayment(token: token, product: product.source, options: PurchaseOptions(options)))
        } answer: { [unowned self] event, token in
            switch event {
            case .transactionsUpdated(let updates): for update in updates { move(purchase, token, to: update) }
            case .purchaseDeferred: _ = purchase.end(.pending)
            case .purchaseEnded(let error, _):
                closePurchase(token)
                _ = purchase.end(.failure(error ?? .unknown()))
            default: break
            }
        }
    }

    /// Brings a purchase to the newest word of the store.
    private func move(_ purchase: OpenPurchase, _ token: RequestToken, to update: StoreTransactionUpdate) {
        let transaction = update.transaction
        purchase.paymentID = transaction.id
        switch transaction.state {
        case .purchasing: break
        case .deferred: _ = purchase.end(.pending)
        case .purchased, .restored, .scheduled:
            closePurchase(token)
            if !purchase.end(.success(transaction)) { tellListeners(of: transaction) }
        case .failed:
            // The store keeps failed payments for StoreKit 1; StoreKit 2 knows none.
            store?.finish(transaction)
            if store?.isInterrupted(transaction.id) == true {
                _ = purchase.end(.pending)
            } else {
                closePurchase(token)
                _ = purchase.end(.failure(update.error ?? .unknown()))
            }
        }
    }

    func closePurchase(_ token: RequestToken) {
        purchases[token] = nil
        close(token)
    }
}
