/// Holds purchases of a product back while a delivered transaction of it is not yet finished: the store would answer them
/// with that one again.
struct FinishGate {
    private var unfinished: [String: Set<StoreTransaction.ID>] = [:]
    private var products: [StoreTransaction.ID: String] = [:]
    private var held: [String: [StorePayment]] = [:]

    /// Whether a purchase of the product has to wait.
    func isClosed(for productIdentifier: String) -> Bool { unfinished[productIdentifier] != nil }

    /// The transaction is being handed over.
    mutating func close(for transaction: StoreTransaction) {
        guard products.updateValue(transaction.productIdentifier, forKey: transaction.id) == nil else { return }
        unfinished[transaction.productIdentifier, default: []].insert(transaction.id)
    }

    /// The transaction is finished, or nobody waits for it any more; returns the payments that may go on.
    mutating func open(for id: StoreTransaction.ID) -> [StorePayment] {
        guard let product = products.removeValue(forKey: id) else { return [] }
        unfinished[product]?.remove(id)
        guard unfinished[product]?.isEmpty == true else { return [] }
        unfinished[product] = nil
        return held.removeValue(forKey: product) ?? []
    }

    /// Keeps a payment until the gate opens.
    mutating func hold(_ payment: StorePayment) { held[payment.product.id, default: []].append(payment) }

    /// Takes one held payment back, to let it go on or to drop it; nil if it is not held.
    mutating func release(_ token: RequestToken, of productIdentifier: String) -> StorePayment? {
        guard let index = held[productIdentifier]?.firstIndex(where: { $0.token == token }) else { return nil }
        return held[productIdentifier]?.remove(at: index)
    }
}
