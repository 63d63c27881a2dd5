/// The closures of one fetch. All are optional; the cache is filled whether or not anybody listens.
public struct ProductFetchHandlers: Sendable {
    /// The store answered.
    public var onSuccess: (@MainActor (ProductFetchResponse) -> Void)?
    /// The store could not answer.
    public var onFailure: (@MainActor (StoreError) -> Void)?

    /// Makes a set of closures.
    public init(
        onSuccess: (@MainActor (ProductFetchResponse) -> Void)? = nil,
        onFailure: (@MainActor (StoreError) -> Void)? = nil
    ) {
        self.onSuccess = onSuccess
        self.onFailure = onFailure
    }
}

/// What a fetch brought.
public struct ProductFetchResponse: Hashable, Sendable {
    /// The products that the store has, in the order in which they were asked for.
    public var products: [StoreProduct]
    /// The identifiers that the store does not know, in the order in which they were asked for.
    public var invalidIdentifiers: [String]

    /// Makes a response.
    public init(products: [StoreProduct], invalidIdentifiers: [String]) {
        self.products = products
        self.invalidIdentifiers = invalidIdentifiers
    }
}
