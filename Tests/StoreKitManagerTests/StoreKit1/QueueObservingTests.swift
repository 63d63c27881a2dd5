import Foundation
@_spi(StoreKitDouble) import StoreKit
import StoreKitTest
import StoreManagerCore
import StoreSimulator
import TestSupport
import Testing

@testable import StoreKitManager

extension StoreKitManagerTests {
    @MainActor
    struct QueueObservingTests {
        let app: QueueApp
        let ear: BackendEar

        init() throws {
            app = try QueueApp()
            ear = app.hear()
        }

        @Test(
            "S04 a transaction that is purchasing or deferred is not finished: StoreKit never hears of it",
            arguments: [
                (StoreBuyer.Answer.hesitate, StoreTransactionState.purchasing), (.ask, .deferred),
            ])
        func notFinishable(answer: StoreBuyer.Answer, state: StoreTransactionState) async throws {
            app.store.buyer.standingAnswer = answer
            pay()
            await settle()
            let transaction = try #require(ear.updates.last?.transaction)
            #expect(transaction.state == state)
            // The double of StoreKit ends the process over one that is purchasing, as Apple's does.
            app.backend.finish(transaction)
            await settle()
            #expect(ear.finished.isEmpty)
            #expect(app.queue.transactions.count == 1)
        }

        @Test("Finishing is answered once the queue has let go, and for what it never had at once")
        func finished() async throws {
            pay()
            await settle()
            let transaction = try #require(ear.updates.last?.transaction)
            app.backend.finish(transaction)
            #expect(ear.finished.isEmpty)
            await settle()
            #expect(ear.finished == ["1"])
            app.backend.finish(.sample("99"))
            #expect(ear.finished == ["1", "99"])
        }

        @Test("A transaction keeps its handle while its state and its identifier change")
        func handles() async throws {
            pay(number: 1)
            pay(number: 2)
            await settle()
            #expect(ear.updates.map(\.transaction.id) == ["queue-1", "1", "queue-2", "2"])
            #expect(ear.updates.map(\.transaction.state) == [.purchasing, .purchased, .purchasing, .purchased])
            #expect(ear.updates.map { $0.queued?.handle } == [1, 1, 2, 2])
            #expect(ear.updates.allSatisfy { $0.queued?.fingerprint.productIdentifier == QueueApp.stamps })
        }

        @Test("A paid transaction without an identifier is told from others by product and date, in every process")
        func withoutIdentifier() throws {
            let seen = try [1, 2, 1].map {
                try #require(SeenTransaction(NamelessTransaction(date: Date(timeIntervalSince1970: $0))))
            }
            let ids = seen.enumerated().map { $1.id(handle: UInt64($0)) }
            #expect(ids[0] == ids[2] && ids[0] != ids[1])
            #expect(ids.allSatisfy { !$0.hasPrefix("queue-") })
        }

        @Test("A second observer takes the first one's place and is shown what is in the queue")
        func secondObserver() async throws {
            pay()
            await settle()
            let known = ear.events.count
            let second = BackendEar()
            app.backend.startObserving(second)
            await settle()
            #expect(ear.events.count == known)
            #expect(second.updates.map(\.transaction.id) == ["1"])
            // The first has nothing to stop any more.
            app.backend.stopObserving(ear)
            #expect(app.queue.transactionObservers.count == 1)
            app.backend.stopObserving(second)
            #expect(app.queue.transactionObservers.isEmpty)
        }

        @Test("What StoreKit called back with before another observer came is not told to that one")
        func lateCalls() async throws {
            let callbacks = DispatchQueue(label: "callbacks")
            StoreKitDouble.callbackQueue = callbacks
            defer { StoreKitDouble.callbackQueue = .main }
            await settle()
            app.store.deliversImmediately = true
            app.session.storefront = "DEU"
            callbacks.sync {}
            // StoreKit has called back by now, and the main actor has not come to it yet.
            let second = BackendEar()
            app.backend.startObserving(second)
            await settle()
            #expect(ear.events.isEmpty && second.events.isEmpty)
        }

        @Test("M03 a backend that is released stops observing and leaks nothing")
        func released() async throws {
            var backend: StoreKit1Backend? = StoreKit1Backend()
            weak let released = backend
            backend?.startObserving(ear)
            await settle()
            await backend?.settle()
            #expect(app.queue.transactionObservers.count == 2)
            backend = nil
            #expect(released == nil)
            #expect(app.queue.transactionObservers.count == 1)
        }

        @Test("StoreManager(backend: .storeKit1) is the App Store through StoreKit 1")
        func shorthand() async throws {
            let manager = StoreManager(backend: .storeKit1)
            let products = try await manager.products(withIdentifiers: [QueueApp.stamps]).products
            #expect(products.map(\.id) == [QueueApp.stamps])
        }

        private func pay(number: UInt64 = 1) {
            app.backend.add(
                StorePayment(token: RequestToken(kind: .purchase, number: number), product: .sample(QueueApp.stamps)))
        }

        private func settle() async {
            await StoreKitDouble.settle()
            await app.backend.settle()
        }
    }
}

/// Paid, with a date, and nothing else. Unchecked because a subclass has to say so; what it adds never changes.
private final class NamelessTransaction: SKPaymentTransaction, @unchecked Sendable {
    private let date: Date

    init(date: Date) { self.date = date }

    override var transactionState: SKPaymentTransactionState { .purchased }
    override var transactionDate: Date? { date }
}
