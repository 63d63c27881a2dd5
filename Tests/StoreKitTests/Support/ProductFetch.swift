import Foundation
import StoreKit

/// A request for products as an asynchronous function.
final class ProductFetch: NSObject, SKProductsRequestDelegate {
    private let request: SKProductsRequest
    private var response = SKProductsResponse()
    private let continuation: CheckedContinuation<SKProductsResponse, any Error>
    /// The request keeps its delegate weakly, so the delegate keeps itself until the end.
    private var itself: ProductFetch?

    static func products(_ identifiers: Set<String>) async throws -> SKProductsResponse {
        try await withCheckedThrowingContinuation { ProductFetch(identifiers, $0).start() }
    }

    private init(
        _ identifiers: Set<String>, _ continuation: CheckedContinuation<SKProductsResponse, any Error>
    ) {
        request = SKProductsRequest(productIdentifiers: identifiers)
        self.continuation = continuation
    }

    private func start() {
        itself = self
        request.delegate = self
        request.start()
    }

    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
        self.response = response
    }

    func requestDidFinish(_ request: SKRequest) {
        continuation.resume(returning: response)
        itself = nil
    }

    func request(_ request: SKRequest, didFailWithError error: any Error) {
        continuation.resume(throwing: error)
        itself = nil
    }
}
