import Foundation
import TestSupport
import Testing

@testable import StoreManagerCore

/// How transactions of a store that knows no tokens (StoreKit 1) find their payments.
struct QueuePairingTests {
    private var pairing = QueuePairing()

    private func token(_ number: UInt64) -> RequestToken { RequestToken(kind: .purchase, number: number) }

    private func payment(
        _ number: UInt64, of product: String = "coins", options: PurchaseOptions = PurchaseOptions()
    ) -> StorePayment {
        StorePayment(token: token(number), product: .sample(product), options: options)
    }

    private func update(
        _ handle: UInt64, _ state: StoreTransactionState, for payment: StorePayment, id: String? = nil
    ) -> StoreTransactionUpdate {
        let transaction = StoreTransaction.sample(id ?? "q\(handle)", for: payment, state: state)
        return StoreTransactionUpdate(
            transaction, queued: StoreQueuedPayment(handle: handle, fingerprint: payment.fingerprint))
    }

    @Test("A01 P03 equal payments are paired first in first out, when their transactions are first seen purchasing")
    mutating func firstInFirstOut() {
        for number in 1...3 as ClosedRange<UInt64> { pairing.add(payment(number)) }
        let payment = payment(1)
        #expect(pairing.match(update(20, .purchasing, for: payment)) == token(1))
        #expect(pairing.match(update(10, .purchasing, for: payment)) == token(2))
        // From then on the transaction keeps its token, whatever the order in which they end.
        #expect(pairing.match(update(10, .purchased, for: payment)) == token(2))
        #expect(pairing.match(update(20, .purchasing, for: payment)) == token(1))
        #expect(pairing.match(update(30, .purchasing, for: payment)) == token(3))
        #expect(pairing.match(update(20, .failed, for: payment)) == token(1))
        #expect(pairing.match(update(40, .purchasing, for: payment)) == nil)
    }

    @Test(
        "A01 a transaction never seen purchasing belongs to no request",
        arguments: [StoreTransactionState.purchased, .failed, .restored, .deferred])
    mutating func leftBehind(state: StoreTransactionState) {
        pairing.add(payment(1))
        #expect(pairing.match(update(5, state, for: payment(1))) == nil)
        #expect(pairing.match(update(6, .purchasing, for: payment(1))) == token(1))
        #expect(pairing.match(update(5, .purchased, for: payment(1))) == nil)
    }

    @Test("A01 payments that differ in product, quantity, user name or offer are not equal")
    mutating func differences() {
        let signature = PromotionalOfferSignature(
            offerID: "half", keyID: "k", nonce: .init(), signature: "c2ln", timestamp: 0)
        let payments = [
            payment(1, of: "coins"), payment(2, of: "gems"),
            payment(3, options: PurchaseOptions(quantity: 2)),
            payment(4, options: PurchaseOptions(applicationUsername: "user")),
            payment(5, options: PurchaseOptions(offer: .promotional(signature))),
        ]
        for payment in payments { pairing.add(payment) }
        for (handle, payment) in payments.enumerated().reversed() {
            #expect(pairing.match(update(UInt64(handle), .purchasing, for: payment)) == payment.token)
        }
    }

    @Test("A01 a transaction changes its identifier when it is paid, and keeps its token")
    mutating func changingIdentifier() {
        pairing.add(payment(1))
        #expect(pairing.match(update(5, .purchasing, for: payment(1), id: "queued-5")) == token(1))
        #expect(pairing.match(update(5, .deferred, for: payment(1), id: "queued-5")) == token(1))
        #expect(pairing.match(update(5, .purchased, for: payment(1), id: "100")) == token(1))
    }

    @Test("A01 an update without a place in the queue is paired with nothing")
    mutating func unqueued() {
        pairing.add(payment(1))
        #expect(pairing.match(StoreTransactionUpdate(.sample("1", for: payment(1), state: .purchasing))) == nil)
    }

    @Test("A01 a payment that ended without a transaction leaves the next one's to it")
    mutating func endedPayment() {
        pairing.add(payment(1))
        pairing.add(payment(2))
        pairing.remove(payment(1))
        #expect(pairing.match(update(5, .purchasing, for: payment(1))) == token(2))
        #expect(pairing.match(update(6, .purchasing, for: payment(1))) == nil)
    }

    @Test("A01 a transaction that is seen purchasing again, after its end, takes no other payment's token")
    mutating func lateCopy() {
        pairing.add(payment(1))
        #expect(pairing.match(update(5, .purchasing, for: payment(1))) == token(1))
        pairing.remove(payment(1))
        pairing.add(payment(2))
        #expect(pairing.match(update(5, .purchasing, for: payment(1))) == token(1))
        #expect(pairing.match(update(6, .purchasing, for: payment(1))) == token(2))
    }

    @Test("A01 over a manager, equal purchases in a queue without tokens each get their own outcome")
    @MainActor
    func overAManager() async {
        let shop = ManagerFixture(capabilities: StoreBackendCapabilities(tokenCarriage: .never))
        for name in ["a", "b", "c"] {
            shop.manager.purchase(.sample(), handlers: shop.recorder.purchaseHandlers(name))
        }
        // The first is refused by the store before the queue has a transaction for it.
        await shop.report(.purchaseEnded(.network(), for: shop.backend.payments[0].token))
        let payment = shop.backend.payments[1]
        await shop.report(.transactionsUpdated([update(9, .purchased, for: payment, id: "old")]))
        await shop.report(
            .transactionsUpdated([update(1, .purchasing, for: payment), update(2, .purchasing, for: payment)]))
        await shop.report(.transactionsUpdated([update(2, .purchased, for: payment, id: "2")]))
        await shop.report(.transactionsUpdated([update(1, .purchasing, for: payment)]))
        await shop.report(.transactionsUpdated([update(1, .failed, for: payment)]))
        #expect(
            shop.lines.filter { !$0.hasPrefix("store") } == [
                "a failure - network", "c success 2", "b failure q1 unknown",
            ])
        // What an earlier run left behind waits for somebody to receive it.
        shop.manager.defaultHandlers = shop.recorder.purchaseHandlers("default")
        await shop.manager.settle()
        #expect(shop.lines.contains("default success old"))
    }
}
