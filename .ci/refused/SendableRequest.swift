// A request is not Sendable, so it cannot be moved from its callback to an actor.
import Foundation
import StoreKit

actor Keeper {
    func keep(_ request: SKProductsRequest) {}
}

final class Delegate: NSObject, SKProductsRequestDelegate {
    let keeper = Keeper()

    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
        let keeper = keeper
        Task { await keeper.keep(request) }
    }
}
