import Foundation
@_spi(StoreKitDouble) import StoreKit
import StoreKitManager
import StoreManagerCore
import StoreSimulator
import TestSupport
import Testing

extension StoreKitManagerTests {
    @MainActor
    struct QueuePairingTests {
        @Test(
            "A01 P03 three equal payments are told apart by when they were first seen purchasing, whichever is answered first",
            arguments: [[1, 2, 3], [1, 3, 2], [2, 1, 3], [2, 3, 1], [3, 1, 2], [3, 2, 1]])
        func equalPayments(order: [Int]) async throws {
            let app = try QueueApp()
            app.store.buyer.standingAnswer = .hesitate
            for name in ["a", "b", "c"] { try await app.buy(QueueApp.stamps, as: name) }
            let answers: [StoreBuyer.Answer] = [.cancel, .buy, .decline(.generic(.notAvailableInStorefront))]
            for number in order {
                try app.store.answerOpenPayment(identifier: "\(number)", with: answers[number - 1])
                await app.settle()
            }
            let expected = ["a cancel", "b success 2", "c failure queue-3 productUnavailable"]
            #expect(app.lines == order.map { expected[$0 - 1] })
            #expect(app.queue.transactions.isEmpty)
        }

        @Test("A01 P14 a transaction that was never seen purchasing belongs to no request")
        func neverPurchasing() async throws {
            let app = try QueueApp()
            app.store.buyer.standingAnswer = .hesitate
            let token = try await app.buy(QueueApp.stamps)
            try app.store.buyProduct(identifier: QueueApp.stamps)
            await app.settle()
            #expect(app.lines == ["default success 2"])
            #expect(app.manager.isPending(token))
            try app.store.answerOpenPayment(identifier: "1", with: .buy)
            await app.settle()
            #expect(app.lines.last == "a success 1")
        }

        @Test(
            "A01 payments of one product that say different things are told apart, in whatever order they are answered")
        func differentPayments() async throws {
            let app = try QueueApp()
            app.store.buyer.standingAnswer = .hesitate
            try await app.buy(QueueApp.stamps, as: "one")
            try await app.buy(QueueApp.stamps, as: "two", options: PurchaseOptions(quantity: 2))
            try await app.buy(QueueApp.stamps, as: "user", options: PurchaseOptions(applicationUsername: "somebody"))
            for number in [3, 2, 1] { try app.store.answerOpenPayment(identifier: "\(number)", with: .buy) }
            await app.settle()
            #expect(app.lines == ["user success 3", "two success 2", "one success 1"])
        }

        @Test("A01 M02 callbacks from one thread after the other: each of 100 equal payments gets its own answer")
        func changingThreads() async throws {
            // A queue without a thread of its own, one call at a time.
            let app = try QueueApp(callbackQueue: DispatchQueue(label: "callbacks", target: .global()))
            defer { StoreKitDouble.callbackQueue = .main }
            let product = try await app.product(QueueApp.stamps)
            app.store.buyer.nextAnswers = (1...100).map { $0.isMultiple(of: 2) ? .cancel : .buy }
            for number in 1...100 {
                app.manager.purchase(product, handlers: app.recorder.purchaseHandlers("\(number)"))
            }
            await app.settle()
            let expected = (1...100).map { $0.isMultiple(of: 2) ? "\($0) cancel" : "\($0) success \($0)" }
            #expect(app.lines.sorted() == expected.sorted())
            #expect(app.store.unfinishedTransactions.isEmpty && app.queue.transactions.isEmpty)
        }

        @Test("A01 M02 callbacks from many threads at once: each transaction is handed over and finished once")
        func manyThreads() async throws {
            let app = try QueueApp(callbackQueue: DispatchQueue(label: "callbacks", attributes: .concurrent))
            defer { StoreKitDouble.callbackQueue = .main }
            let product = try await app.product(QueueApp.stamps)
            for number in 1...100 {
                app.manager.purchase(product, handlers: app.recorder.purchaseHandlers("\(number)"))
            }
            await app.settle()
            let numbers = app.lines.compactMap { $0.split(separator: " success ").last.flatMap { Int($0) } }
            #expect(numbers.sorted() == Array(1...100))
            #expect(app.store.unfinishedTransactions.isEmpty && app.queue.transactions.isEmpty)
        }
    }
}
