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
    struct QueueNewsTests {
        let app: QueueApp

        init() throws { app = try QueueApp(persistence: MemoryPersistence()) }

        @Test("U04 products that are taken back are told once, and the ledger has them no more; others stay")
        func revoked() async throws {
            try await app.buy(QueueApp.removeAds)
            try await app.buy(QueueApp.stamps, as: "b")
            app.store.faults[.updates].duplication = 1
            try app.store.refundTransaction(identifier: "1")
            await app.settle()
            #expect(app.lines == ["a success 1", "b success 2", "default revoke 1"])
            #expect(try await purchased == [QueueApp.stamps])
            // Bought again, it can be taken back again.
            app.store.faults[.updates].duplication = 0
            app.recorder.clear()
            try await app.buy(QueueApp.removeAds, as: "c")
            #expect(try await purchased == [QueueApp.stamps, QueueApp.removeAds])
            try app.store.refundTransaction(identifier: "3")
            await app.settle()
            #expect(app.lines == ["c success 3", "default revoke 3"])
            #expect(try await purchased == [QueueApp.stamps])
        }

        @Test("U04 a product of an earlier run that is taken back is told, and the ledger has it no more")
        func revokedLater() async throws {
            try await app.buy(QueueApp.removeAds)
            let next = QueueApp(relaunching: app)
            await next.settle()
            try app.store.refundTransaction(identifier: "1")
            await next.settle()
            #expect(next.lines == ["default revoke revoked-\(QueueApp.removeAds)"])
            #expect(try await purchased == [])
        }

        @Test("U01 what an earlier run left unfinished is delivered once")
        func backlog() async throws {
            app.manager.defaultHandlers = nil
            try app.store.buyProduct(identifier: QueueApp.stamps)
            await app.settle()
            let next = QueueApp(relaunching: app)
            await next.settle()
            #expect(next.lines == ["default success 1"])
            #expect(app.store.unfinishedTransactions.isEmpty && app.queue.transactions.isEmpty)
        }

        @Test("K04 when the storefront changes the new one is told, and products are fetched anew")
        func storefront() async throws {
            _ = try await app.product(QueueApp.stamps)
            #expect(app.manager.storefront?.countryCode == "USA")
            app.session.storefront = "DEU"
            await app.settle()
            #expect(app.manager.storefront == StoreStorefront(id: "DEU", countryCode: "DEU"))
            #expect(app.manager.cachedProducts.isEmpty)
        }

        @Test("U03 a purchase begun in the store is held, and goes on by the store's own payment, offer included")
        func promoted() async throws {
            let intents = try await letSubscriptionLapse()
            try app.store.sendPurchaseIntent(productIdentifier: QueueApp.silverMonthly, offerID: "comeback")
            await app.settle()
            let intent = try #require(intents.withLock { $0 }.first)
            #expect(intent.product.id == QueueApp.silverMonthly && app.store.allTransactions.count == 1)
            try await expectOffer("comeback", afterResuming: intent)
        }

        @Test("U03 a payment of the store's that has a signed offer of its own is its purchase's too")
        func promotedWithSignedOffer() async throws {
            let intents = try await letSubscriptionLapse()
            _ = try await app.product(QueueApp.silverMonthly)
            let product = try #require(app.backend.products[QueueApp.silverMonthly])
            let payment = SKMutablePayment(product: product)
            payment.paymentDiscount = SKPaymentDiscount(
                identifier: "loyal", keyIdentifier: "KEY", nonce: UUID(), signature: "c2lnbmF0dXJl", timestamp: 1)
            app.backend.receive(HeldPayment(payment: payment, product: product))
            await app.settle()
            let intent = try #require(intents.withLock { $0 }.first)
            #expect(intent.offer?.id == "loyal")
            try await expectOffer("loyal", afterResuming: intent)
        }

        @Test(
            "U03 a purchase begun in the store before the app observed waits for it; one of an earlier run is refused")
        func promotedEarly() async throws {
            try app.store.sendPurchaseIntent(productIdentifier: QueueApp.stamps)
            await app.settle()
            #expect(app.lines == ["default intent \(QueueApp.stamps)"])
            let next = QueueApp(relaunching: app)
            let intent = StorePurchaseIntent(id: "store-payment-1", product: try await next.product(QueueApp.stamps))
            next.manager.resume(intent, handlers: next.recorder.purchaseHandlers("a"))
            await next.settle()
            #expect(next.lines == ["a failure - unsupported"])
        }

        @Test("U03 a purchase begun in the store goes on once: resumed again, it is an error and costs nothing")
        func resumedTwice() async throws {
            let intents = Locked<[StorePurchaseIntent]>([])
            app.manager.defaultHandlers = PurchaseHandlers(
                onSuccess: { _ in }, onPurchaseIntent: { intent in intents.withLock { $0.append(intent) } })
            for number in 1...2 {
                try app.store.sendPurchaseIntent(productIdentifier: QueueApp.stamps)
                await app.settle()
                let intent = try #require(intents.withLock { $0 }.last)
                #expect(intent.id == "store-payment-\(number)")
                for name in ["a", "b"] {
                    app.manager.resume(intent, handlers: app.recorder.purchaseHandlers(name))
                    await app.settle()
                }
                #expect(app.store.allTransactions.count == number)
            }
            #expect(app.lines == ["a success 1", "b failure - unsupported", "a success 2", "b failure - unsupported"])
        }

        @Test("The sheet for a higher price is shown at once, or when the app says", arguments: [true, false])
        func priceConsent(waits: Bool) async throws {
            let asked = Recorder()
            #expect(app.backend.priceConsentHandler == nil)
            if waits { app.backend.priceConsentHandler = { asked.record("asked") } }
            try app.store.buyProduct(identifier: QueueApp.goldMonthly)
            try app.session.requestPriceIncreaseConsentForTransaction(identifier: 1)
            await app.settle()
            #expect(asked.lines == (waits ? ["asked"] : []))
            #expect(StoreKitDouble.presentedSheets == (waits ? [] : [.priceConsent]))
            app.backend.showPriceConsentIfNeeded()
            await app.settle()
            #expect(StoreKitDouble.presentedSheets == [.priceConsent])
            app.backend.priceConsentHandler = nil
            #expect(app.queue.delegate == nil)
        }

        @Test("The sheet for offer codes is shown")
        func codeRedemption() async {
            app.backend.presentCodeRedemptionSheet()
            await app.settle()
            #expect(StoreKitDouble.presentedSheets == [.offerCodeRedemption])
        }

        /// Leaves somebody who once subscribed, and collects what is begun in the store from then on.
        private func letSubscriptionLapse() async throws -> Locked<[StorePurchaseIntent]> {
            try app.store.buyProduct(identifier: QueueApp.silverMonthly)
            try app.store.expireSubscription(productIdentifier: QueueApp.silverMonthly)
            await app.settle()
            app.recorder.clear()
            let intents = Locked<[StorePurchaseIntent]>([])
            app.manager.defaultHandlers = PurchaseHandlers(
                onSuccess: { _ in }, onPurchaseIntent: { intent in intents.withLock { $0.append(intent) } })
            return intents
        }

        private func expectOffer(_ offer: String, afterResuming intent: StorePurchaseIntent) async throws {
            let token = app.manager.resume(intent, handlers: app.recorder.purchaseHandlers("a"))
            await app.settle()
            let paid = try #require(app.store.allTransactions.last)
            #expect(paid.offer?.id == offer)
            #expect(app.lines == ["a success \(paid.id)"])
            #expect(!app.manager.isPending(token))
        }

        private var purchased: Set<String> {
            get async throws {
                try await #require(app.manager.persistence).withLedger { $0.purchasedProductIdentifiers }
            }
        }
    }
}
