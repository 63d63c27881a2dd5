import Foundation
import StoreManagerCore
import StoreSimulator

/// Asks the store for products.
open class SKProductsRequest: SKRequest {
    private let identifiers: Set<String>

    /// A request for no products.
    public override init() { identifiers = [] }

    /// A request for the products of these identifiers.
    public init(productIdentifiers: Set<String>) { identifiers = productIdentifiers }

    /// Who is answered: the delegate of the superclass, as one that can receive products. Held weakly.
    @_nonoverride open var delegate: (any SKProductsRequestDelegate)? {
        get { delegates.object as? any SKProductsRequestDelegate }
        set { delegates.object = newValue }
    }

    override func ask(_ reply: Reply<SKRequest>) {
        let wanted = identifiers.sorted()
        StoreLink.shared.post { link in
            link.fetchProducts(withIdentifiers: wanted) { result in
                switch result {
                case .success(let products):
                    let found = products.map { SKProduct($0, hosting: link.store?.hostedContent[$0.id] ?? []) }
                    let response = SKProductsResponse(found, askedFor: wanted)
                    reply.end { request in
                        guard let request = request as? SKProductsRequest else { return }
                        request.delegate?.productsRequest(request, didReceive: response)
                        request.delegate?.requestDidFinish(request)
                    }
                case .failure(let error):
                    reply.fail(with: error.storeKit1RequestError)
                }
            }
        }
    }
}

extension SKProductsResponse {
    fileprivate convenience init(_ products: [SKProduct], askedFor identifiers: [String]) {
        let found = Set(products.map(\.productIdentifier))
        self.init(
            products: products, invalidProductIdentifiers: identifiers.filter { !found.contains($0) })
    }
}
