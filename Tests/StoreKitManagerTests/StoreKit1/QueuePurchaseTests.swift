import Foundation
@_spi(StoreKitDouble) import StoreKit
import StoreKitManager
import StoreKitTest
import StoreManagerCore
import StoreSimulator
import TestSupport
import Testing

extension StoreKitManagerTests {
    @MainActor
    struct QueuePurchaseTests {
        let app: QueueApp

        init() throws { app = try QueueApp() }

        @Test("P05 P06 quantity and user name reach the store and come back on the transaction")
        func options() async throws {
            let options = PurchaseOptions(quantity: 3, applicationUsername: "somebody")
            let transaction = try await bought(QueueApp.stamps, options)
            #expect(transaction.quantity == 3 && transaction.applicationUsername == "somebody")
            #expect(transaction.appAccountToken == nil)
            let paid = try #require(app.store.allTransactions.first)
            #expect(paid.quantity == 3 && paid.applicationUsername == "somebody")
        }

        @Test("P06 an account token goes as user name, and a user name that is a UUID comes back as account token")
        func accountToken() async throws {
            let id = UUID()
            let transaction = try await bought(QueueApp.stamps, PurchaseOptions(appAccountToken: id))
            #expect(transaction.appAccountToken == id)
            #expect(app.store.allTransactions.first?.applicationUsername == id.uuidString)
            let name = id.uuidString.lowercased()
            let named = try await bought(QueueApp.stamps, PurchaseOptions(applicationUsername: name))
            #expect(named.applicationUsername == name && named.appAccountToken == id)
            let both = PurchaseOptions(appAccountToken: id, applicationUsername: name)
            #expect(try await bought(QueueApp.stamps, both).appAccountToken == id)
        }

        @Test("P06 an account token beside another user name is an error, and nothing is bought")
        func twoUsers() async throws {
            let options = PurchaseOptions(appAccountToken: UUID(), applicationUsername: "somebody")
            try await app.buy(QueueApp.stamps, options: options)
            #expect(app.lines == ["a failure - unsupported"])
            #expect(app.store.allTransactions.isEmpty)
        }

        @Test("P05 an option that has no name here is an error, and nothing is bought")
        func customOption() async throws {
            try await app.buy(QueueApp.stamps, options: PurchaseOptions(customOptions: ["colour": .string("red")]))
            #expect(app.lines == ["a failure - unsupported"])
            #expect(app.store.allTransactions.isEmpty)
        }

        @Test("P19 a promotional offer reaches the store exactly as given")
        func offer() async throws {
            let signer = WitnessSigner()
            app.store.signer = signer
            try app.store.buyProduct(identifier: QueueApp.silverMonthly)
            try app.store.expireSubscription(productIdentifier: QueueApp.silverMonthly)
            await app.settle()
            let offer = PurchaseOffer.promotional(
                PromotionalOfferSignature(
                    offerID: "loyal", keyID: "KEY", nonce: UUID(), signature: "c2lnbmF0dXJl",
                    timestamp: 1_700_000_000_123))
            let transaction = try await bought(QueueApp.silverMonthly, PurchaseOptions(offer: offer))
            #expect(signer.offers.withLock { $0 } == [offer])
            #expect(transaction.offer == StoreRedeemedOffer(id: "loyal", type: .promotional))
            #expect(transaction.productType == .autoRenewable && transaction.subscriptionGroupID == "21000001")
        }

        @Test(
            "P19 an offer that StoreKit 1 does not know is an error, and nothing is bought",
            arguments: [
                PurchaseOffer.winBack(offerID: "comeback"), .promotionalJWS(offerID: "loyal", compactJWS: "a.b.c"),
                .introductoryEligibility(compactJWS: "a.b.c"),
            ])
        func unknownOffer(offer: PurchaseOffer) async throws {
            try await app.buy(QueueApp.silverMonthly, options: PurchaseOptions(offer: offer))
            #expect(app.lines == ["a failure - unsupported"])
            #expect(app.store.allTransactions.isEmpty)
            // The backend itself does not drop it either.
            let ear = app.hear()
            app.backend.add(
                StorePayment(
                    token: RequestToken(kind: .purchase, number: 1), product: .sample(QueueApp.silverMonthly),
                    options: PurchaseOptions(offer: offer)))
            guard case .purchaseEnded(.unsupported?, _) = ear.events.first else {
                Issue.record("The backend said \(ear.events).")
                return
            }
        }

        @Test("P11 what is owned already ends its own purchase as restored")
        func owned() async throws {
            try await app.buy(QueueApp.removeAds)
            try await app.buy(QueueApp.removeAds, as: "b")
            #expect(app.lines == ["a success 1", "b restore 1"])
            #expect(app.queue.transactions.isEmpty)
        }

        @Test(
            "D01 D02 what somebody has to approve is deferred once, then bought or turned down",
            arguments: [true, false])
        func deferred(isApproved: Bool) async throws {
            app.session.askToBuyEnabled = true
            let token = try await app.buy(QueueApp.removeAds)
            #expect(app.lines == ["a defer"])
            #expect(app.manager.isPending(token) && app.queue.transactions.count == 1)
            if isApproved {
                try app.store.approveAskToBuyTransaction(identifier: "1")
            } else {
                try app.store.declineAskToBuyTransaction(identifier: "1")
            }
            await app.settle()
            #expect(app.lines == ["a defer", isApproved ? "a success 1" : "a cancel"])
            #expect(app.queue.transactions.isEmpty)
        }

        @Test("D01 in a sandbox a purchase can ask for approval by itself")
        func simulatedAskToBuy() async throws {
            try await app.buy(QueueApp.stamps, options: PurchaseOptions(simulatesAskToBuyInSandbox: true))
            try await app.buy(QueueApp.stamps, as: "b")
            #expect(app.lines == ["a defer", "b success 2"])
        }

        @Test("D03 approved after a relaunch: the context comes back where the account token identifies the purchase")
        func approvedLater() async throws {
            let app = try QueueApp(persistence: MemoryPersistence())
            app.session.askToBuyEnabled = true
            let context = PurchaseContext(data: Data("shelf 3".utf8))
            let options = PurchaseOptions(appAccountToken: UUID(), context: context)
            try await app.buy(QueueApp.removeAds, options: options)
            let next = QueueApp(relaunching: app)
            var received: [StoreTransaction] = []
            next.manager.defaultHandlers = PurchaseHandlers(onSuccess: { received.append($0) })
            try app.store.approveAskToBuyTransaction(identifier: "1")
            await next.settle()
            #expect(received.map(\.context) == [context])
        }

        @Test("P16 an interrupted payment fails; what it becomes goes to the default receiver")
        func interrupted() async throws {
            app.session.interruptedPurchasesEnabled = true
            try await app.buy(QueueApp.stamps)
            #expect(app.lines.count == 1 && app.lines.first?.hasPrefix("a failure queue-1") == true)
            try app.session.resolveIssueForTransaction(identifier: 1)
            await app.settle()
            #expect(app.lines.dropFirst().map { $0 } == ["default success 2"])
            #expect(app.queue.transactions.isEmpty)
        }

        @Test("P22 a plan change that waits for the renewal is scheduled, and leaves nothing in the queue")
        func downgrade() async throws {
            try await app.buy(QueueApp.goldMonthly)
            try await app.buy(QueueApp.silverMonthly, as: "b")
            #expect(app.lines == ["a success 1", "b restore 1"])
            #expect(app.queue.transactions.isEmpty)
        }

        @Test("P15 what another component takes from the queue ends its request")
        func removed() async throws {
            app.store.buyer.standingAnswer = .hesitate
            let token = try await app.buy(QueueApp.stamps)
            try app.store.removeTransactionFromQueue(identifier: "1")
            await app.settle()
            #expect(app.lines == ["a failure - transactionRemoved"])
            #expect(!app.manager.isPending(token))
        }

        @Test("P17 a device that may not pay")
        func notAllowed() async throws {
            app.store.controls.canMakePayments = false
            #expect(!app.manager.canMakePayments)
            try await app.buy(QueueApp.stamps)
            #expect(app.lines == ["a failure - paymentNotAllowed"])
        }

        @Test("P23 a store that gives neither transaction nor error ends the purchase with an unknown error")
        func neither() async throws {
            app.store.buyer.nextAnswers = [.neither]
            try await app.buy(QueueApp.stamps)
            #expect(app.lines == ["a failure queue-1 unknown"])
        }

        @Test(
            "A product that was not fetched in this run is bought by its identifier, and turned down where the store has none"
        )
        func notFetched() async throws {
            for product in [QueueApp.stamps, "com.example.kiosk.nothing"] {
                app.manager.purchase(.sample(product), handlers: app.recorder.purchaseHandlers("a"))
                await app.settle()
            }
            #expect(app.lines == ["a success 1", "a failure queue-2 productUnavailable"])
        }

        private func bought(_ product: String, _ options: PurchaseOptions) async throws -> StoreTransaction {
            let outcome = try await app.manager.purchase(try await app.product(product), options: options)
            guard case .purchased(let transaction) = outcome else {
                Issue.record("The purchase ended as \(outcome.line).")
                throw CancellationError()
            }
            await app.settle()
            return transaction
        }
    }
}

/// Notes which offers the store was asked for, and trusts them all.
private struct WitnessSigner: StoreSigner {
    let offers = Locked<[PurchaseOffer]>([])

    func jws(of transaction: StoreTransaction) -> String? { nil }
    func receipt(of transactions: [StoreTransaction], at date: Date) -> Data? { nil }
    func trusts(_ offer: PurchaseOffer, in payment: StorePayment) -> Bool {
        offers.withLock { $0.append(offer) }
        return true
    }
}
