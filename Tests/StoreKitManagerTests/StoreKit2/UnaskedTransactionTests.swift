import Foundation
@_spi(StoreKitDouble) import StoreKit
import StoreKitManager
import StoreKitTest
import StoreManagerCore
import StoreSimulator
import TestSupport
import Testing

extension StoreKitManagerTests {
    /// What StoreKit 2 tells of without having been asked.
    @MainActor
    struct UnaskedTransactionTests {
        @Test("U01 what an earlier run left unfinished is delivered once, also by manual finishing")
        func backlog() async throws {
            let app = try KioskApp(finishing: .manual)
            try await app.buy(KioskApp.stamps)
            try await app.buy(KioskApp.season, as: "b")
            #expect(app.store.unfinishedTransactions.count == 2)
            let later = KioskApp(relaunching: app)
            await later.settle()
            #expect(Set(later.lines) == ["default success 1", "default success 2"] && later.lines.count == 2)
            #expect(app.store.unfinishedTransactions.isEmpty)
        }

        @Test("U02 purchases outside the app, offer codes and renewals go to the default receiver, once each")
        func outside() async throws {
            let app = try KioskApp()
            await app.settle()
            try app.store.buyProduct(identifier: KioskApp.removeAds)
            await app.settle()
            try await app.session.buyProduct(
                identifier: KioskApp.silverMonthly, options: [.codeOffer(referenceName: "fair")])
            await app.settle()
            try app.session.forceRenewalOfSubscription(productIdentifier: KioskApp.silverMonthly)
            await app.settle()
            #expect(app.lines == ["default success 1", "default success 2", "default success 3"])
            #expect(app.store.unfinishedTransactions.isEmpty)
        }

        @Test("U04 a refund is told once, and takes the purchase back in the ledger")
        func refund() async throws {
            let app = try KioskApp()
            app.manager.persistence = MemoryPersistence()
            try await app.buy(KioskApp.removeAds)
            #expect(try await app.manager.persistence?.isPurchased(KioskApp.removeAds) == true)
            try app.session.refundTransaction(identifier: 1)
            await app.settle()
            #expect(app.lines == ["a success 1", "default revoke 1"])
            #expect(try await app.manager.persistence?.isPurchased(KioskApp.removeAds) == false)
        }

        @Test("P13 updates that come twice, late and in any order are delivered once each", arguments: UInt64(1)...5)
        func disorder(seed: UInt64) async throws {
            let app = try KioskApp()
            await app.settle()
            var fault = StoreFault()
            fault.duplication = 0.7
            fault.isReordered = true
            app.store.faults[.updates] = fault
            for _ in 0..<5 { try app.store.buyProduct(identifier: KioskApp.stamps) }
            await app.settle()
            #expect(Set(app.lines) == Set((1...5).map { "default success \($0)" }), "seed \(seed)")
            #expect(app.lines.count == 5, "seed \(seed)")
            #expect(app.store.unfinishedTransactions.isEmpty)
        }

        @Test(
            "U03 a purchase begun in the store is held until somebody is there, and goes on by the store's own product")
        func intent() async throws {
            let app = try KioskApp()
            app.manager.defaultHandlers = nil
            await app.settle()
            try app.store.sendPurchaseIntent(productIdentifier: KioskApp.stamps)
            await app.settle()
            #expect(app.lines.isEmpty)
            app.manager.defaultHandlers = app.recorder.purchaseHandlers("default")
            await app.settle()
            #expect(app.lines == ["default intent \(KioskApp.stamps)"])
            app.manager.defaultHandlers?.onPurchaseIntent = nil
            try app.store.sendPurchaseIntent(productIdentifier: KioskApp.stamps)
            await app.settle()
            #expect(app.lines.dropFirst() == ["default success 1"])
        }

        @Test("U03 P19 the offer of a purchase begun in the store is redeemed")
        func intentWithOffer() async throws {
            let app = try KioskApp()
            try await app.buy(KioskApp.silverMonthly)
            try app.session.expireSubscription(productIdentifier: KioskApp.silverMonthly)
            await app.settle()
            var intents: [StorePurchaseIntent] = []
            app.manager.defaultHandlers?.onPurchaseIntent = { intents.append($0) }
            try app.store.sendPurchaseIntent(productIdentifier: KioskApp.silverMonthly, offerID: "comeback")
            await app.settle()
            let intent = try #require(intents.first)
            #expect(intents.count == 1 && intent.offer?.type == .winBack && intent.offer?.id == "comeback")
            var offers: [StoreRedeemedOffer?] = []
            app.manager.resume(intent, handlers: PurchaseHandlers(onSuccess: { offers.append($0.offer) }))
            await app.settle()
            #expect(offers.map { $0?.type } == [.winBack] && offers.map { $0?.id } == ["comeback"])
        }

        @Test("U03 P19 an offer that nobody signed is refused, not dropped")
        func intentWithPromotionalOffer() async throws {
            let app = try KioskApp()
            await app.settle()
            try app.store.sendPurchaseIntent(productIdentifier: KioskApp.silverMonthly, offerID: "loyal")
            app.manager.defaultHandlers?.onPurchaseIntent = nil
            await app.settle()
            #expect(app.lines == ["default failure - unsupported"])
        }

        @Test("K04 a change of the storefront is told, and the next fetch and purchase have its prices")
        func storefront() async throws {
            let app = try KioskApp()
            await app.settle()
            #expect(app.manager.storefront?.countryCode == "USA")
            let before = try await app.product(KioskApp.stamps)
            app.session.storefront = "DEU"
            await app.settle()
            #expect(app.manager.storefront?.countryCode == "DEU")
            #expect(app.manager.cachedProducts.isEmpty)
            let after = try await app.product(KioskApp.stamps)
            #expect(before.priceLocale?.currency?.identifier == "USD")
            #expect(after.priceLocale?.currency?.identifier == "EUR")
        }

        @Test("K04 a product that was fetched before the storefront changed is sold at the new price")
        func priceOfOldProduct() async throws {
            let currencies = Locked<[String]>([])
            let app = try KioskApp { product, _ in
                currencies.withLock { $0.append(product.priceFormatStyle.currencyCode) }
                return .userCancelled
            }
            let product = try await app.product(KioskApp.stamps)
            await app.settle()
            app.session.storefront = "DEU"
            await app.settle()
            app.manager.purchase(product, handlers: app.recorder.purchaseHandlers("a"))
            await app.settle()
            #expect(currencies.withLock { $0 } == ["EUR"])
        }

        @Test("M03 a manager that is released listens no more, and its tasks end", .timeLimit(.minutes(20)))
        func released() async throws {
            var app: KioskApp? = try KioskApp()
            let store = try #require(app?.store)
            let lines = try #require(app?.recorder)
            await app?.settle()
            weak let backend = app?.backend
            weak let manager = app?.manager
            app = nil
            await StoreKitDouble.settleReaders()
            #expect(manager == nil && backend == nil)
            try store.buyProduct(identifier: KioskApp.stamps)
            await StoreKitDouble.settleReaders()
            #expect(lines.lines.isEmpty)
            // A reader is gone when its task is, which may be a moment later.
            while StoreKitDouble.readerCount > 0 { await Task.yield() }
        }

        @Test(
            "M03 a backend whose observer is gone without a word stops reading when StoreKit says something",
            .timeLimit(.minutes(20)))
        func forgotten() async throws {
            let app = try KioskApp()
            let backend = StoreKit2Backend()
            var observer: Deaf? = Deaf()
            if let observer { backend.startObserving(observer) }
            await app.settle()
            let count = StoreKitDouble.readerCount
            observer = nil
            try app.store.buyProduct(identifier: KioskApp.stamps)
            await app.settle()
            // The reader is gone when its task is, which may be a moment later.
            while StoreKitDouble.readerCount > count - 1 { await Task.yield() }
            #expect(app.lines == ["default success 1"])
        }

        @Test("One observer takes over from another, and is told of nothing that was asked for before it")
        func takeOver() async throws {
            let app = try KioskApp()
            let product = try await app.product(KioskApp.stamps)
            await app.settle()
            app.store.buyer.standingAnswer = .hesitate
            app.manager.purchase(product, handlers: app.recorder.purchaseHandlers("old"))
            await app.settle()
            let manager = StoreManager(backend: app.backend, clock: app.store.clock)
            manager.defaultHandlers = app.recorder.purchaseHandlers("new")
            manager.startObserving()
            try app.store.answerOpenPayment(identifier: "1", with: .cancel)
            await app.settle()
            await manager.settle()
            #expect(app.lines.isEmpty)
            try app.store.buyProduct(identifier: KioskApp.stamps)
            await app.settle()
            await manager.settle()
            #expect(app.lines == ["new success 2"])
        }
    }
}

/// An observer that does nothing.
private final class Deaf: StoreBackendObserver {
    func storeBackend(_ backend: any StoreBackend, didReport event: StoreBackendEvent) {}
}
