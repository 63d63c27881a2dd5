public import Foundation

/// Who hears what becomes of a request. Both methods are optional: left out, they do nothing.
public protocol SKRequestDelegate: NSObjectProtocol {
    /// The request has been answered.
    func requestDidFinish(_ request: SKRequest)
    /// The request failed.
    func request(_ request: SKRequest, didFailWithError error: any Error)
}

extension SKRequestDelegate {
    /// Does nothing.
    public func requestDidFinish(_ request: SKRequest) {}
    /// Does nothing.
    public func request(_ request: SKRequest, didFailWithError error: any Error) {}
}

/// Who is told which products there are.
public protocol SKProductsRequestDelegate: SKRequestDelegate {
    /// The store looked the products up; ``SKRequestDelegate/requestDidFinish(_:)`` follows.
    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse)
}
