import Foundation
import StoreManagerCore
import TestSupport
import Testing

/// What the store's errors come to where they pass through the manager.
@MainActor
struct ErrorPassageTests {
    let shop = ManagerFixture()

    /// An error of another system, below as many others as wanted.
    nonisolated private static func error(_ domain: String, _ code: Int, depth: Int = 0) -> NSError {
        (0..<depth).reduce(NSError(domain: domain, code: code)) { below, level in
            NSError(domain: "level\(level)", code: 0, userInfo: [NSUnderlyingErrorKey: below])
        }
    }

    nonisolated static let cancellations = [
        error("SKErrorDomain", 2), error("SKErrorDomain", 2, depth: 3), error(NSURLErrorDomain, -999, depth: 1),
    ]

    nonisolated static let failures: [(NSError, String)] = [
        (error("SKErrorDomain", 0), "unknown"), (error("other", 2, depth: 2), "unknown"),
        (error("SKErrorDomain", 3), "unknown"), (error(NSURLErrorDomain, -1009, depth: 2), "network"),
    ]

    @Test(
        "E01 a cancellation, however deep in the chain, is the purchase's cancellation, with or without a transaction",
        arguments: cancellations, [true, false])
    func cancelledPurchase(error: NSError, hasTransaction: Bool) async {
        let token = shop.manager.purchase(.sample(), handlers: shop.recorder.purchaseHandlers("a"))
        await shop.report(event(StoreError(error), for: token, hasTransaction: hasTransaction))
        #expect(shop.handlerLines == ["a cancel"])
    }

    @Test(
        "E01 E02 a failure that is none is not a cancellation: kind, cause and text arrive", arguments: failures,
        [true, false])
    func failedPurchase(failure: (NSError, String), hasTransaction: Bool) async throws {
        let (error, name) = failure
        var received: StoreError?
        let token = shop.manager.purchase(
            .sample(), onSuccess: nil, onFailure: { received = $1 }, onCancel: { shop.recorder.record("cancel") })
        await shop.report(event(StoreError(error), for: token, hasTransaction: hasTransaction))
        let arrived = try #require(received)
        #expect(arrived.name == name)
        #expect((arrived.underlyingError as NSError?) === error)
        #expect(arrived.localizedDescription.contains("store"))
        #expect(shop.handlerLines == [])
    }

    private func event(_ error: StoreError, for token: RequestToken, hasTransaction: Bool) -> StoreBackendEvent {
        guard hasTransaction else { return .purchaseEnded(error, for: token) }
        return .transactionsUpdated([StoreTransactionUpdate(.sample(state: .failed), token: token, error: error)])
    }

    @Test("E01 E02 R07 fetches and restores get the same error, as it is", arguments: cancellations + failures.map(\.0))
    func otherRequests(error: NSError) async throws {
        let storeError = StoreError(error)
        shop.manager.fetchProducts(withIdentifiers: ["coins"], handlers: shop.recorder.fetchHandlers("f"))
        await shop.failFetch(0, with: storeError)
        let restore = shop.manager.restorePurchases(handlers: shop.recorder.restoreHandlers("r"))
        await shop.report(.restoreFailed(storeError, for: restore))
        #expect(shop.handlerLines == ["f failure \(storeError.name)", "r failure \(storeError.name)"])
    }

    @Test("E02 the manager's own failures keep their cause, too")
    func ownFailures() async throws {
        let persistence = TestPersistence()
        persistence.isBroken = true
        shop.manager.persistence = persistence
        var errors: [StoreError] = []
        let handlers = PurchaseHandlers(
            onFailure: { errors.append($1) },
            onVerify: { [manager = shop.manager] transaction in
                let isKnown = transaction.id == "1"
                manager.transaction(transaction, didVerify: isKnown ? .valid : .unableToComplete(SampleError()))
            })
        shop.manager.defaultHandlers = PurchaseHandlers(onSuccess: { _ in })
        for id in ["1", "2"] {
            let token = shop.manager.purchase(.sample("product\(id)"), handlers: handlers)
            await shop.answer(token, with: .sample(id, of: "product\(id)"))
        }
        #expect(errors.map(\.name) == ["persistenceFailed", "unableToCompleteVerification"])
        #expect(errors.allSatisfy { $0.underlyingError is SampleError })
        #expect(shop.backend.finished == [])
    }
}
