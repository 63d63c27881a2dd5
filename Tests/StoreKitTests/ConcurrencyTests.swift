import Foundation
@_spi(StoreKitDouble) import StoreKit
import StoreKitTest
import StoreManagerCore
import StoreSimulator
import Testing

extension StoreKitDoubleTests {
    @MainActor
    struct ConcurrencyTests {
        let kiosk: Kiosk

        init() throws { kiosk = try Kiosk() }

        @Test("Payments from many threads, told in a concurrent queue, are each finished once")
        func payments() async throws {
            StoreKitDouble.callbackQueue = DispatchQueue(label: "callbacks", attributes: .concurrent)
            defer { StoreKitDouble.callbackQueue = .main }
            let finisher = Finisher()
            let queue = SKPaymentQueue.default()
            queue.add(finisher)
            let product = try #require(try await ProductFetch.products([Kiosk.stamps]).products.first)
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<100 { group.addTask { queue.add(SKPayment(product: product)) } }
            }
            await StoreKitDouble.settle()
            #expect(kiosk.store.allTransactions.count == 100)
            #expect(kiosk.store.unfinishedTransactions.isEmpty)
            #expect(queue.transactions.isEmpty)
            #expect(finisher.finished.withLock { $0.count } == 100)
        }

        @Test("Purchases from many tasks each get their own transaction")
        func purchases() async throws {
            let product = try await kiosk.product(Kiosk.stamps)
            let ids = try await withThrowingTaskGroup(of: UInt64.self) { group in
                for _ in 0..<100 {
                    group.addTask {
                        guard case .success(let result) = try await product.purchase() else { return 0 }
                        let transaction = try result.payloadValue
                        await transaction.finish()
                        return transaction.id
                    }
                }
                var ids: Set<UInt64> = []
                for try await id in group { ids.insert(id) }
                return ids
            }
            #expect(ids.count == 100 && !ids.contains(0))
            #expect(kiosk.store.unfinishedTransactions.isEmpty)
        }
    }
}

/// Finishes whatever is paid, each transaction once however often it is shown.
private final class Finisher: NSObject, SKPaymentTransactionObserver, Sendable {
    let finished = Locked<Set<String>>([])

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        for transaction in transactions where transaction.transactionState == .purchased {
            guard let id = transaction.transactionIdentifier else { continue }
            if finished.withLock({ $0.insert(id).inserted }) { queue.finishTransaction(transaction) }
        }
    }
}
