import Foundation
import StoreManagerCore
import StoreSimulator

/// The bare minimum of an app: it asks the store, keeps what the store says, and finishes nothing unless told to.
@MainActor
final class TestApp: StoreBackendObserver {
    let backend: any SimulatedBackend
    /// All that the store said, in order.
    private(set) var events: [StoreBackendEvent] = []
    private var lastNumber: UInt64 = 0

    init(_ backend: any SimulatedBackend) {
        self.backend = backend
        backend.startObserving(self)
    }

    var store: SimulatedStore { backend.store }

    func storeBackend(_ backend: any StoreBackend, didReport event: StoreBackendEvent) { events.append(event) }

    /// Stops listening.
    func stop() { backend.stopObserving(self) }

    /// Forgets what the store said so far.
    func clear() { events = [] }

    func makeToken(_ kind: RequestToken.Kind) -> RequestToken {
        lastNumber += 1
        return RequestToken(kind: kind, number: lastNumber)
    }

    /// Asks to buy, without waiting for the answer.
    @discardableResult
    func startBuying(_ identifier: String, _ options: PurchaseOptions = PurchaseOptions()) -> RequestToken {
        let token = makeToken(.purchase)
        let product = StoreProduct(id: identifier, type: .unknown, price: 0)
        backend.add(StorePayment(token: token, product: product, options: options))
        return token
    }

    /// Buys, and returns all that the store said about it.
    @discardableResult
    func buy(_ identifier: String, _ options: PurchaseOptions = PurchaseOptions()) async -> Answer {
        let token = startBuying(identifier, options)
        await store.settle()
        return answer(to: token)
    }

    /// Buys what must go through, and returns the transaction.
    @discardableResult
    func purchase(_ identifier: String, _ options: PurchaseOptions = PurchaseOptions()) async throws -> StoreTransaction
    {
        guard let transaction = await buy(identifier, options).transaction else {
            throw NotBought(identifier: identifier)
        }
        return transaction
    }

    /// What the store said about a request so far.
    func answer(to token: RequestToken) -> Answer {
        var answer = Answer(token: token)
        for event in events { answer.take(event) }
        return answer
    }

    /// All transactions that came without a token.
    var unasked: [StoreTransaction] { updates.filter { $0.token == nil }.map(\.transaction) }

    /// All transactions that came, with what the store said of whose they are.
    var updates: [StoreTransactionUpdate] {
        events.flatMap { event -> [StoreTransactionUpdate] in
            if case .transactionsUpdated(let updates) = event { updates } else { [] }
        }
    }

    struct NotBought: Error { var identifier: String }
}

/// What the store said about one request.
struct Answer {
    let token: RequestToken
    /// The transactions that carried the token, in order.
    var transactions: [StoreTransaction] = []
    /// The error of a transaction that failed, or of a purchase that ended without one.
    var error: StoreError?
    var wasDeferred = false
    /// Whether the store said that the request ended without a transaction, or that a restore is complete.
    var hasEnded = false

    init(token: RequestToken) { self.token = token }

    /// The last word about the transaction.
    var transaction: StoreTransaction? { transactions.last }

    mutating func take(_ event: StoreBackendEvent) {
        switch event {
        case .transactionsUpdated(let updates):
            for update in updates where update.token == token {
                transactions.append(update.transaction)
                if update.error != nil { error = update.error }
            }
        case .purchaseDeferred(token): wasDeferred = true
        case .purchaseEnded(let error, token):
            self.error = error
            hasEnded = true
        case .restoreFinished(token): hasEnded = true
        case .restoreFailed(let error, token):
            self.error = error
            hasEnded = true
        default: break
        }
    }
}
