/// How an awaited purchase ended.
public enum PurchaseOutcome: Sendable {
    /// It was bought, and the ledger has it. The manager finishes it now, or the app does where finishing is manual.
    case purchased(StoreTransaction)
    /// It was owned already.
    case restored(StoreTransaction)
    /// A plan change will take effect at the next renewal; nothing is to be granted now.
    case scheduled(StoreTransaction)
    /// Somebody has to approve it first (Ask to Buy). The approval goes to the default receiver, under this token.
    case deferred(RequestToken)
    /// The buyer said no.
    case cancelled
}

extension StoreManager {
    /// Asks the store for products, and waits for them.
    ///
    /// - Throws: `StoreError`, or `CancellationError` when the task is cancelled.
    public func products(
        withIdentifiers identifiers: some Sequence<String>, cacheResult: Bool = true
    ) async throws -> ProductFetchResponse {
        try await awaitReply { reply in
            fetchProducts(
                withIdentifiers: identifiers,
                handlers: ProductFetchHandlers(
                    onSuccess: { reply.resume(with: .success($0)) }, onFailure: { reply.resume(with: .failure($0)) }),
                cacheResult: cacheResult)
        }
    }

    /// Buys a product, and waits for the end.
    ///
    /// - Throws: `StoreError`, or `CancellationError` as soon as the task is cancelled; the payment goes on then, and its
    ///   transaction goes to the default receiver.
    public func purchase(
        _ product: StoreProduct, options: PurchaseOptions = PurchaseOptions()
    ) async throws -> PurchaseOutcome {
        try await awaitReply { reply in
            begin(product, options, receiver: .awaited(reply))
        }
    }

    /// Buys a product by its identifier, and waits for the end. A product that the cache does not have is fetched first.
    ///
    /// - Throws: as ``purchase(_:options:)``, and `StoreError.unknownProduct` where the store has no such product.
    public func purchase(
        productIdentifier: String, options: PurchaseOptions = PurchaseOptions()
    ) async throws -> PurchaseOutcome {
        if let product = cachedProduct(withIdentifier: productIdentifier) {
            return try await purchase(product, options: options)
        }
        let response = try await products(withIdentifiers: [productIdentifier])
        guard let product = response.products.first else {
            throw StoreError.unknownProduct(identifier: productIdentifier)
        }
        return try await purchase(product, options: options)
    }

    /// Restores what the user owns, and waits for the end.
    ///
    /// - Throws: `StoreError`, `.cancelled` where the person did not sign in, or `CancellationError` when the task is cancelled.
    public func restorePurchases(ofApplicationUsername username: String? = nil) async throws -> RestoreResult {
        try await awaitReply { reply in
            begin(username, receiver: .awaited(reply))
        }
    }

    /// Begins a request and waits for its reply, or for the task's cancellation, whichever comes first.
    private func awaitReply<Value: Sendable>(
        _ begin: (Reply<Value>) -> RequestToken
    ) async throws -> Value {
        try Task.checkCancellation()
        let reply = Reply<Value>()
        let token = begin(reply)
        return try await withTaskCancellationHandler {
            try await reply.value
        } onCancel: {
            guard reply.resume(with: .failure(CancellationError())) else { return }
            post(.perform { $0.cancel(token) })
        }
    }
}
