import Foundation
import StoreKit
import StoreManagerCore

/// A request under way, with the delegate that hears its answer. StoreKit keeps neither alive.
@MainActor
final class RunningRequest {
    private let request: SKRequest
    private let delegate: RequestDelegate

    /// Makes a request that was not started.
    ///
    /// - Parameter end: Is called once, in any thread, with the products where some were asked for.
    init(_ request: SKRequest, end: @escaping @Sendable (Result<[SKProduct], StoreError>) -> Void) {
        self.request = request
        delegate = RequestDelegate(end: end)
        // A request for products wants a delegate that can receive them, and on some hosts says so by another property.
        if let request = request as? SKProductsRequest {
            request.delegate = delegate
        } else {
            request.delegate = delegate
        }
    }

    /// Asks the store.
    func start() { request.start() }

    /// Gives the request up.
    func cancel() { request.cancel() }
}

/// Hears the answer to one request, in whatever thread StoreKit chooses.
private final class RequestDelegate: NSObject, SKProductsRequestDelegate, Sendable {
    private let end: @Sendable (Result<[SKProduct], StoreError>) -> Void
    private let products = Locked<[SKProduct]>([])

    init(end: @escaping @Sendable (Result<[SKProduct], StoreError>) -> Void) { self.end = end }

    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
        let found = response.products
        products.withLock { $0 = found }
    }

    func requestDidFinish(_ request: SKRequest) { end(.success(products.withLock { $0 })) }

    func request(_ request: SKRequest, didFailWithError error: any Error) {
        end(.failure(StoreError(storeKit1: error)))
    }
}
