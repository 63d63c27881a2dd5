import ExampleSupport
import Foundation
import StoreManagerCore

/// Somebody who fetches, buys and restores, and reports how each of them ended.
@MainActor
final class Clerk {
    let name: String
    let productIdentifier: String
    var believes = true
    private(set) var ending: String?
    private let manager: StoreManager
    private let story: Story
    private var report: @MainActor (String) -> Void = { _ in }

    init(name: String, productIdentifier: String, manager: StoreManager, story: Story) {
        self.name = name
        self.productIdentifier = productIdentifier
        self.manager = manager
        self.story = story
    }

    func fetch(_ report: @escaping @MainActor (String) -> Void) {
        self.report = report
        ending = nil
        manager.fetchProducts(withIdentifiers: [productIdentifier], delegate: self)
    }

    func buy(_ report: @escaping @MainActor (String) -> Void) {
        self.report = report
        ending = nil
        manager.purchaseProduct(withIdentifier: productIdentifier, delegate: self)
    }

    func restore(_ report: @escaping @MainActor (String) -> Void) {
        self.report = report
        manager.restorePurchases(delegate: self)
    }

    private func end(_ ending: String, _ token: RequestToken) {
        story.note("\(name) hears of \(token): \(ending)")
        self.ending = ending
        report(ending)
    }
}

extension Clerk: ProductFetchDelegate {
    func storeManager(_ manager: StoreManager, didFetch response: ProductFetchResponse, for token: RequestToken) {
        end(response.products.map(\.id) == [productIdentifier] ? "found" : "not found", token)
    }

    func storeManager(_ manager: StoreManager, didFailToFetch error: StoreError, for token: RequestToken) {
        end(error.localizedDescription, token)
    }
}

extension Clerk: PurchaseDelegate {
    func storeManager(_ manager: StoreManager, didSucceed transaction: StoreTransaction, for token: RequestToken) {
        end(transaction.productIdentifier == productIdentifier ? "bought" : "bought something else", token)
    }

    func storeManager(
        _ manager: StoreManager, didFail transaction: StoreTransaction?, with error: StoreError, for token: RequestToken
    ) {
        if case .verificationFailed = error { end("forged", token) } else { end(error.localizedDescription, token) }
    }

    func storeManager(_ manager: StoreManager, didCancel transaction: StoreTransaction?, for token: RequestToken) {
        end("cancelled", token)
    }

    func storeManager(_ manager: StoreManager, needsVerification transaction: StoreTransaction, for token: RequestToken)
    {
        manager.transaction(transaction, didVerify: believes)
    }
}

extension Clerk: RestorationDelegate {
    func storeManager(_ manager: StoreManager, didFinishRestoring result: RestoreResult, for token: RequestToken) {
        for transaction in result.restored { story.note("restored: \(transaction.productIdentifier)") }
        end("restored", token)
    }

    func storeManager(_ manager: StoreManager, didFailToRestore error: StoreError, for token: RequestToken) {
        end(error.localizedDescription, token)
    }
}
