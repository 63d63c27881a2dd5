import Foundation
@_spi(StoreKitDouble) import StoreKit
import StoreKitTest
import StoreManagerCore
import StoreSimulator
import Testing

extension StoreKitDoubleTests {
    @MainActor
    struct PaymentQueueTests {
        let kiosk: Kiosk
        let queue = SKPaymentQueue.default()
        let recorder = QueueRecorder()

        init() throws {
            kiosk = try Kiosk()
            queue.add(recorder)
        }

        @Test("A payment is purchasing, then purchased, and stays in the queue until it is finished")
        func purchase() async throws {
            queue.add(SKPayment(product: try await product(Kiosk.stamps)))
            await StoreKitDouble.settle()
            #expect(recorder.lines == ["purchasing stamps", "purchased stamps"])
            let transaction = try #require(queue.transactions.first)
            #expect(queue.transactions.count == 1)
            #expect(recorder.transactions.first === transaction)
            #expect(transaction.transactionIdentifier != nil)
            #expect(transaction.transactionDate == kiosk.store.clock.now)
            #expect(transaction.original == nil)

            queue.finishTransaction(transaction)
            await StoreKitDouble.settle()
            #expect(recorder.lines.last == "removed stamps")
            #expect(queue.transactions.isEmpty)
            #expect(kiosk.store.unfinishedTransactions.isEmpty)
        }

        @Test("While it is purchasing a transaction has neither identifier nor date")
        func purchasing() async throws {
            kiosk.store.buyer.standingAnswer = .hesitate
            queue.add(try await payment(Kiosk.stamps))
            await StoreKitDouble.settle()
            let transaction = try #require(queue.transactions.first)
            #expect(transaction.transactionState == .purchasing)
            #expect(transaction.transactionIdentifier == nil)
            #expect(transaction.transactionDate == nil)
        }

        @Test("A payment is copied when it is added, and one that is added twice is paid twice")
        func copies() async throws {
            let payment = try await payment(Kiosk.stamps)
            payment.quantity = 2
            payment.applicationUsername = "somebody"
            queue.add(payment)
            payment.quantity = 5
            queue.add(payment)
            await StoreKitDouble.settle()
            #expect(queue.transactions.map(\.payment.quantity) == [2, 5])
            #expect(queue.transactions.first?.payment.applicationUsername == "somebody")
            #expect(kiosk.store.allTransactions.map(\.quantity) == [2, 5])
        }

        @Test("A new observer is shown what is unfinished, also in the next process")
        func replay() async throws {
            queue.add(try await payment(Kiosk.stamps))
            await StoreKitDouble.settle()
            let late = QueueRecorder()
            queue.add(late)
            await StoreKitDouble.settle()
            #expect(late.lines == ["purchased stamps"])

            StoreKitDouble.relaunch()
            #expect(queue.transactions.isEmpty)
            let next = QueueRecorder()
            queue.add(next)
            await StoreKitDouble.settle()
            #expect(next.lines == ["purchased stamps"])
            #expect(late.lines.count == 1)
        }

        @Test("An observer is held weakly, added once and called no more when it is removed")
        func observers() async throws {
            queue.add(recorder)
            #expect(queue.transactionObservers.count == 1)
            var released: QueueRecorder? = QueueRecorder()
            queue.add(try #require(released))
            #expect(queue.transactionObservers.count == 2)
            await StoreKitDouble.settle()
            released = nil
            #expect(queue.transactionObservers.count == 1)
            queue.remove(recorder)
            queue.add(try await payment(Kiosk.stamps))
            await StoreKitDouble.settle()
            #expect(recorder.lines.isEmpty)
            #expect(queue.transactions.count == 1)
        }

        @Test("Finishing a transaction that is purchasing ends the process")
        func trap() async {
            await #expect(processExitsWith: .failure) {
                SKPaymentQueue.default().finishTransaction(SKPaymentTransaction())
            }
        }

        @Test("What somebody has to approve is deferred, and arrives when it was approved")
        func deferred() async throws {
            kiosk.session.askToBuyEnabled = true
            queue.add(try await payment(Kiosk.removeAds))
            await StoreKitDouble.settle()
            #expect(recorder.lines == ["purchasing removeads", "deferred removeads"])
            let waiting = try #require(kiosk.session.allTransactions().first)
            try kiosk.session.approveAskToBuyTransaction(identifier: waiting.identifier)
            await StoreKitDouble.settle()
            #expect(recorder.lines.last == "purchased removeads")
            #expect(recorder.transactions.count == 1)
        }

        @Test("A deferred transaction that was finished comes back when it was approved")
        func deferredFinished() async throws {
            kiosk.session.askToBuyEnabled = true
            queue.add(try await payment(Kiosk.removeAds))
            await StoreKitDouble.settle()
            queue.finishTransaction(try #require(queue.transactions.first))
            await StoreKitDouble.settle()
            #expect(recorder.lines.last == "removed removeads")
            let waiting = try #require(kiosk.session.allTransactions().first)
            try kiosk.session.approveAskToBuyTransaction(identifier: waiting.identifier)
            await StoreKitDouble.settle()
            #expect(recorder.lines.last == "purchased removeads")
            #expect(kiosk.store.unfinishedTransactions.count == 1)
        }

        @Test("Finishing what was seen as deferred does not finish what was approved meanwhile")
        func finishedTooLate() async throws {
            kiosk.session.askToBuyEnabled = true
            queue.add(try await payment(Kiosk.removeAds))
            await StoreKitDouble.settle()
            let transaction = try #require(queue.transactions.first)
            let slow = DispatchQueue(label: "slow", attributes: .initiallyInactive)
            StoreKitDouble.callbackQueue = slow
            try kiosk.store.approveAskToBuyTransaction(identifier: "1")
            await kiosk.store.settle()
            #expect(transaction.transactionState == .deferred)
            queue.finishTransaction(transaction)
            slow.activate()
            await StoreKitDouble.settle()
            StoreKitDouble.callbackQueue = .main
            #expect(recorder.lines.last == "purchased removeads")
            #expect(kiosk.store.unfinishedTransactions.count == 1)
        }

        @Test("An interrupted payment fails; once it is resolved a new transaction arrives")
        func interrupted() async throws {
            kiosk.session.interruptedPurchasesEnabled = true
            queue.add(try await payment(Kiosk.stamps))
            await StoreKitDouble.settle()
            let failed = try #require(queue.transactions.first)
            #expect(recorder.lines == ["purchasing stamps", "failed stamps"])
            queue.finishTransaction(failed)
            try kiosk.session.resolveIssueForTransaction(identifier: 1)
            await StoreKitDouble.settle()
            #expect(recorder.lines.suffix(2) == ["removed stamps", "purchased stamps"])
            #expect(recorder.transactions.count == 2)
        }

        @Test("What is owned already is restored, with the purchase as the original")
        func owned() async throws {
            for _ in 1...2 {
                queue.add(try await payment(Kiosk.removeAds))
                await StoreKitDouble.settle()
                queue.transactions.forEach(queue.finishTransaction)
                await StoreKitDouble.settle()
            }
            #expect(recorder.lines.suffix(3) == ["purchasing removeads", "restored removeads", "removed removeads"])
            let restored = try #require(recorder.transactions.last)
            #expect(restored.original?.transactionIdentifier == recorder.transactions.first?.transactionIdentifier)
            #expect(restored.original?.transactionState == .purchased)
        }

        @Test("A restore shows all that is owned, then ends; without anything to restore it just ends")
        func restore() async throws {
            queue.restoreCompletedTransactions()
            await StoreKitDouble.settle()
            #expect(recorder.lines == ["restore finished"])
            for product in [Kiosk.removeAds, Kiosk.stamps, Kiosk.goldMonthly] {
                try kiosk.store.buyProduct(identifier: product)
            }
            await StoreKitDouble.settle()
            queue.transactions.forEach(queue.finishTransaction)
            await StoreKitDouble.settle()
            let known = recorder.lines.count
            queue.restoreCompletedTransactions(withApplicationUsername: "somebody")
            await StoreKitDouble.settle()
            #expect(
                recorder.lines.dropFirst(known) == ["restored removeads", "restored gold.monthly", "restore finished"])
            #expect(queue.transactions.map(\.transactionState) == [.restored, .restored])
            #expect(queue.transactions.allSatisfy { $0.original != nil })
        }

        @Test("A restore that fails says so")
        func restoreFails() async throws {
            kiosk.store.simulatedErrors[.appStoreSync] = .generic(.userCancelled)
            queue.restoreCompletedTransactions()
            await StoreKitDouble.settle()
            #expect(recorder.lines == ["restore failed \(SKError.paymentCancelled.rawValue)"])
        }

        @Test("A purchase that is taken back is told as revoked, and shown to nobody as purchased")
        func revoked() async throws {
            queue.add(try await payment(Kiosk.removeAds))
            await StoreKitDouble.settle()
            let transaction = try #require(kiosk.session.allTransactions().first)
            queue.transactions.forEach(queue.finishTransaction)
            try kiosk.session.refundTransaction(identifier: transaction.identifier)
            await StoreKitDouble.settle()
            #expect(recorder.lines.last == "revoked removeads")
            #expect(queue.transactions.isEmpty)
        }

        @Test("A renewal is shown as a purchase of its own")
        func renewal() async throws {
            queue.add(try await payment(Kiosk.goldMonthly))
            await StoreKitDouble.settle()
            kiosk.store.clock.advance(by: StoreSubscriptionPeriod(value: 2, unit: .month))
            await StoreKitDouble.settle()
            #expect(recorder.lines.suffix(2) == ["purchased gold.monthly", "purchased gold.monthly"])
            #expect(queue.transactions.count > 2)
        }

        @Test("A downgrade is answered with what is held until the renewal")
        func downgrade() async throws {
            queue.add(try await payment(Kiosk.goldMonthly))
            await StoreKitDouble.settle()
            let held = try #require(queue.transactions.first)
            queue.add(try await payment(Kiosk.silverMonthly))
            await StoreKitDouble.settle()
            #expect(recorder.lines.last == "purchased gold.monthly")
            #expect(queue.transactions.last?.transactionIdentifier == held.transactionIdentifier)
        }

        @Test("A store that ends a payment with neither transaction nor error leaves it failed without an error")
        func neither() async throws {
            kiosk.store.buyer.nextAnswers = [.neither]
            queue.add(try await payment(Kiosk.stamps))
            await StoreKitDouble.settle()
            #expect(recorder.lines == ["purchasing stamps", "failed stamps"])
            #expect(queue.transactions.first?.error == nil)
        }

        @Test("A payment is purchasing first, also where the store turns it down at once")
        func unknownProduct() async throws {
            let payment = SKMutablePayment()
            payment.productIdentifier = "com.example.nothing"
            queue.add(payment)
            await StoreKitDouble.settle()
            #expect(recorder.lines == ["purchasing com.example.nothing", "failed com.example.nothing"])
            #expect((queue.transactions.first?.error as? SKError)?.code == .storeProductNotAvailable)
            queue.transactions.forEach(queue.finishTransaction)
            await StoreKitDouble.settle()
            #expect(queue.transactions.isEmpty)
        }

        @Test("What another component takes from the queue is told as removed")
        func removedElsewhere() async throws {
            queue.add(try await payment(Kiosk.stamps))
            await StoreKitDouble.settle()
            let id = try #require(queue.transactions.first?.transactionIdentifier)
            try kiosk.store.removeTransactionFromQueue(identifier: id)
            await StoreKitDouble.settle()
            #expect(recorder.lines.last == "removed stamps")
            #expect(queue.transactions.isEmpty)
        }

        @Test("A payment that failed is shown until it is finished, also in the next process")
        func failedInNextProcess() async throws {
            kiosk.store.buyer.nextAnswers = [.cancel]
            queue.add(try await payment(Kiosk.stamps))
            await StoreKitDouble.settle()
            StoreKitDouble.relaunch()
            let next = QueueRecorder()
            queue.add(next)
            await StoreKitDouble.settle()
            #expect(next.lines == ["failed stamps"])
            #expect((queue.transactions.first?.error as? SKError)?.code == .paymentCancelled)
            queue.transactions.forEach(queue.finishTransaction)
            await StoreKitDouble.settle()
            StoreKitDouble.relaunch()
            await StoreKitDouble.settle()
            #expect(queue.transactions.isEmpty)
        }

        @Test("What was bought outside the app is in both StoreKits, and finished for both by either")
        func bothStoreKits() async throws {
            try kiosk.store.buyProduct(identifier: Kiosk.stamps)
            await StoreKitDouble.settle()
            #expect(recorder.lines == ["purchased stamps"])
            for await result in Transaction.unfinished { await result.unsafePayloadValue.finish() }
            await StoreKitDouble.settle()
            #expect(recorder.lines.last == "removed stamps")
            try kiosk.store.buyProduct(identifier: Kiosk.season)
            await StoreKitDouble.settle()
            queue.transactions.forEach(queue.finishTransaction)
            await StoreKitDouble.settle()
            #expect(await Kiosk.all(Transaction.unfinished).isEmpty)
        }

        @Test("A delivery that comes twice shows the same transaction twice")
        func duplicates() async throws {
            kiosk.store.faults[.purchase].duplication = 1
            queue.add(try await payment(Kiosk.stamps))
            await StoreKitDouble.settle()
            #expect(recorder.lines.filter { $0 == "purchased stamps" }.count == 2)
            #expect(recorder.transactions.count == 1)
        }

        @Test("Callbacks come in the queue that is set for them")
        func callbackQueue() async throws {
            let mark = DispatchSpecificKey<String>()
            let other = DispatchQueue(label: "callbacks")
            other.setSpecific(key: mark, value: "here")
            StoreKitDouble.callbackQueue = other
            let witness = Witness(mark)
            queue.add(witness)
            queue.add(try await payment(Kiosk.stamps))
            await StoreKitDouble.settle()
            #expect(witness.places.withLock { $0 } == ["here", "here"])
            StoreKitDouble.callbackQueue = .main
        }

        @Test("Whether payments are allowed is what the store says")
        func canMakePayments() {
            #expect(SKPaymentQueue.canMakePayments())
            kiosk.store.controls.canMakePayments = false
            #expect(!SKPaymentQueue.canMakePayments())
        }

        private func product(_ identifier: String) async throws -> SKProduct {
            try #require(try await ProductFetch.products([identifier]).products.first)
        }

        private func payment(_ identifier: String) async throws -> SKMutablePayment {
            SKMutablePayment(product: try await product(identifier))
        }
    }
}

/// Notes in which queue it is called.
private final class Witness: NSObject, SKPaymentTransactionObserver, Sendable {
    let places = Locked<[String]>([])
    private let mark: DispatchSpecificKey<String>

    init(_ mark: DispatchSpecificKey<String>) { self.mark = mark }

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        let place = DispatchQueue.getSpecific(key: mark) ?? "elsewhere"
        places.withLock { $0.append(place) }
    }
}
