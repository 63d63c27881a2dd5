import Foundation

extension StoreManager {
    // MARK: Asking for products

    /// Asks the store for products. The store is always asked; the cache serves purchases by identifier and
    /// ``cachedProduct(withIdentifier:)``.
    ///
    /// Products come in the order of the identifiers as given; those of a `Set` in the order of the identifiers. Identifiers are
    /// taken as they stand, and each is asked for once.
    ///
    /// - Parameters:
    ///   - identifiers: what to ask for; an empty collection is answered with an empty success without asking the store.
    ///   - onSuccess: the products found, and the identifiers that the store does not know.
    ///   - onFailure: why the store could not answer: among others `.network` and `.timedOut`.
    ///   - cacheResult: whether the products are put into the cache.
    /// - Returns: the token of the fetch.
    @discardableResult
    public func fetchProducts(
        withIdentifiers identifiers: some Sequence<String>,
        onSuccess: (@MainActor (_ products: [StoreProduct], _ invalidIdentifiers: [String]) -> Void)? = nil,
        onFailure: (@MainActor (StoreError) -> Void)? = nil,
        cacheResult: Bool = true
    ) -> RequestToken {
        let handlers = ProductFetchHandlers(
            onSuccess: { response in onSuccess?(response.products, response.invalidIdentifiers) }, onFailure: onFailure)
        return fetchProducts(withIdentifiers: identifiers, handlers: handlers, cacheResult: cacheResult)
    }

    /// Asks the store for products, for a delegate, which is held weakly. One that is gone by then is not called; the cache is
    /// filled all the same.
    @discardableResult
    public func fetchProducts(
        withIdentifiers identifiers: some Sequence<String>, delegate: any ProductFetchDelegate, cacheResult: Bool = true
    ) -> RequestToken {
        beginFetch(identifiers, cacheResult: cacheResult) { [weak self, weak delegate] token in
            ProductFetchHandlers(
                onSuccess: { response in
                    guard let self else { return }
                    delegate?.storeManager(self, didFetch: response, for: token)
                },
                onFailure: { error in
                    guard let self else { return }
                    delegate?.storeManager(self, didFailToFetch: error, for: token)
                })
        }
    }

    /// Asks the store for products, with a set of closures.
    @discardableResult
    public func fetchProducts(
        withIdentifiers identifiers: some Sequence<String>, handlers: ProductFetchHandlers, cacheResult: Bool = true
    ) -> RequestToken {
        beginFetch(identifiers, cacheResult: cacheResult) { _ in handlers }
    }

    // MARK: The cache

    /// The products that were fetched so far, in the order in which they came. Empty after the storefront changed.
    public var cachedProducts: [StoreProduct] { cache.products }

    /// The cached product of this identifier; nil where there is none.
    public func cachedProduct(withIdentifier identifier: String) -> StoreProduct? { cache[identifier] }

    /// Removes products from the cache, by their identifiers.
    public func removeProductsFromCache(_ products: some Sequence<StoreProduct>) { cache.remove(products.map(\.id)) }

    /// Removes all products from the cache.
    public func removeAllProductsFromCache() { cache.removeAll() }

    // MARK: How it is done

    /// A fetch under way: whom to tell, and whether to keep what comes.
    struct FetchRequest {
        var handlers: ProductFetchHandlers
        var cachesResult: Bool
        var timer: TimerTable.Timer?
    }

    private func beginFetch(
        _ identifiers: some Sequence<String>, cacheResult: Bool,
        handlers: (RequestToken) -> ProductFetchHandlers
    ) -> RequestToken {
        startObserving()
        let token = makeToken(.fetch)
        fetchRequests[token] = FetchRequest(handlers: handlers(token), cachesResult: cacheResult)
        let identifiers = identifiers.inOrderWithoutDuplicates
        guard !identifiers.isEmpty else {
            let nothing = ProductFetchResponse(products: [], invalidIdentifiers: [])
            post(.perform { $0.complete(FetchTable.Completed(token: token, response: nothing)) })
            return token
        }
        let question = fetches.begin(token, identifiers: identifiers)
        let timeout = productFetchTimeout
        fetchRequests[token]?.timer = startTimer(after: timeout) { $0.fetchTimedOut(token, after: timeout) }
        if let question { backend.fetchProducts(withIdentifiers: question.identifiers, for: question.part) }
        return token
    }

    /// The store answered.
    func receiveProducts(_ products: [StoreProduct], for part: RequestToken) {
        let answer = fetches.receive(products, for: part)
        if let again = answer.again { backend.fetchProducts(withIdentifiers: again.identifiers, for: again.part) }
        for completed in answer.completed { complete(completed) }
    }

    private func complete(_ fetch: FetchTable.Completed) {
        guard let request = takeRequest(fetch.token) else { return }
        if request.cachesResult { cache.merge(fetch.response.products) }
        request.handlers.onSuccess?(fetch.response)
        publish(.productsFetched(fetch.response, token: fetch.token))
    }

    /// The store could not answer.
    func receiveFetchFailure(_ error: StoreError, for part: RequestToken) {
        for token in fetches.fail(part) { fail(token, with: error) }
    }

    private func fetchTimedOut(_ token: RequestToken, after seconds: TimeInterval) {
        if fetches.timeOut(token) { fail(token, with: .timedOut(after: seconds)) }
    }

    private func fail(_ token: RequestToken, with error: StoreError) {
        guard let request = takeRequest(token) else { return }
        request.handlers.onFailure?(error)
        publish(.productFetchFailed(error, token: token))
    }

    func detachFetch(_ token: RequestToken) {
        fetches.remove(token)
        _ = takeRequest(token)
    }

    private func takeRequest(_ token: RequestToken) -> FetchRequest? {
        let request = fetchRequests.removeValue(forKey: token)
        request?.timer?.cancel()
        return request
    }

    /// The store is another country's: prices are others now.
    func receiveStorefront(_ storefront: StoreStorefront?) {
        cache.removeAll()
        for question in fetches.storefrontChanged(makeToken: { makeToken(.fetch) }) {
            backend.fetchProducts(withIdentifiers: question.identifiers, for: question.part)
        }
        publish(.storefrontChanged(storefront))
    }
}

extension Sequence<String> {
    /// The identifiers as given, each once; those of a set in their own order.
    fileprivate var inOrderWithoutDuplicates: [String] {
        if let set = self as? Set<String> { return set.sorted() }
        var seen: Set<String> = []
        return filter { seen.insert($0).inserted }
    }
}
