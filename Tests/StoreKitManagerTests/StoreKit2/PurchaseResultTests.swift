import Foundation
@_spi(StoreKitDouble) import StoreKit
import StoreKitManager
import StoreKitTest
import StoreManagerCore
import StoreSimulator
import TestSupport
import Testing

extension StoreKitManagerTests {
    /// How purchases end by StoreKit 2.
    @MainActor
    struct PurchaseResultTests {
        @Test("P07 A01 a purchase succeeds once, is finished, and nobody else hears of it")
        func success() async throws {
            let app = try KioskApp()
            try await app.buy(KioskApp.stamps)
            #expect(app.lines == ["a success 1"])
            #expect(app.store.unfinishedTransactions.isEmpty)
        }

        @Test("P07 E01 a buyer who says no cancels, whether StoreKit returns or throws it", arguments: [true, false])
        func cancelled(isThrown: Bool) async throws {
            let app = try KioskApp()
            if isThrown {
                try await app.session.setSimulatedError(.generic(.userCancelled), forAPI: .purchase)
            } else {
                app.store.buyer.nextAnswers = [.cancel]
            }
            try await app.buy(KioskApp.stamps)
            #expect(app.lines == ["a cancel"])
        }

        @Test(
            "P03 two purchases of one product have their own answers, whichever comes first", arguments: [true, false])
        func twoPurchases(isInOrder: Bool) async throws {
            let app = try KioskApp()
            app.store.buyer.standingAnswer = .hesitate
            try await app.buy(KioskApp.stamps, as: "a")
            try await app.buy(KioskApp.stamps, as: "b")
            let answers: [(String, StoreBuyer.Answer)] = [("1", .cancel), ("2", .buy)]
            for (id, answer) in isInOrder ? answers : answers.reversed() {
                try app.store.answerOpenPayment(identifier: id, with: answer)
                await app.settle()
            }
            #expect(Set(app.lines) == ["a cancel", "b success 2"] && app.lines.count == 2)
        }

        @Test("P11 what is owned for ever is restored, not sold again")
        func owned() async throws {
            let app = try KioskApp()
            try await app.buy(KioskApp.removeAds)
            let later = KioskApp(relaunching: app)
            try await later.buy(KioskApp.removeAds, as: "b")
            #expect(app.lines == ["a success 1"])
            #expect(later.lines == ["b restore 1"])
        }

        @Test("P22 a plan change at renewal is scheduled; the renewal goes to the default receiver")
        func planChange() async throws {
            let app = try KioskApp()
            try await app.buy(KioskApp.goldMonthly)
            try await app.buy(KioskApp.silverMonthly, as: "b")
            #expect(app.lines == ["a success 1", "b restore 1"])
            app.store.clock.advance(by: StoreSubscriptionPeriod(value: 1, unit: .month))
            await app.settle()
            #expect(app.lines.dropFirst(2) == ["default success 2"])
        }

        @Test("P23 a store that answers with neither transaction nor error ends the purchase as unknown")
        func neither() async throws {
            let app = try KioskApp()
            app.store.buyer.nextAnswers = [.neither]
            try await app.buy(KioskApp.stamps)
            #expect(app.lines == ["a failure - unknown"])
        }

        @Test("P13 a transaction that comes as the result and through updates is delivered once")
        func repeated() async throws {
            let app = try KioskApp()
            app.store.habits.repeatsSubscriptionPurchases = true
            try await app.buy(KioskApp.goldMonthly)
            #expect(app.lines == ["a success 1"])
            #expect(app.store.unfinishedTransactions.isEmpty)
        }

        @Test("P02 a product that was not fetched by this manager is looked up before it is bought")
        func foreignProduct() async throws {
            let app = try KioskApp()
            let product = try await app.product(KioskApp.stamps)
            let later = KioskApp(relaunching: app)
            later.manager.purchase(product, handlers: later.recorder.purchaseHandlers("a"))
            await later.settle()
            let unknown = StoreProduct(id: "com.example.kiosk.nothing", type: .consumable, price: 1)
            later.manager.purchase(unknown, handlers: later.recorder.purchaseHandlers("b"))
            await later.settle()
            #expect(later.lines == ["a success 1", "b failure - unknownProduct"])
        }

        @Test("P17 where payments are not allowed fetching works, and a purchase says why it does not")
        func notAllowed() async throws {
            let app = try KioskApp()
            app.store.controls.canMakePayments = false
            try await app.buy(KioskApp.stamps)
            #expect(!app.manager.canMakePayments)
            #expect(app.lines == ["a failure - paymentNotAllowed"])
        }

        @Test("A01 the call that buys is a parameter, and may be another from one purchase to the next")
        func purchaseCall() async throws {
            let app = try KioskApp()
            let recorder = app.recorder
            let isSet = app.manager.confirmPurchases { product, options in
                recorder.record("call \(product.id)")
                return try await product.purchase(options: options)
            }
            #expect(isSet)
            try await app.buy(KioskApp.stamps)
            #expect(app.lines == ["call \(KioskApp.stamps)", "a success 1"])
            app.manager.confirmPurchases { product, options in
                let stays = Product.PurchaseOption.onStorefrontChange { $0.countryCode == "USA" }
                return try await product.purchase(options: options.union([stays]))
            }
            app.store.buyer.standingAnswer = .hesitate
            try await app.buy(KioskApp.stamps, as: "b")
            app.session.storefront = "DEU"
            await app.settle()
            #expect(app.lines.last == "b failure - productUnavailable")
            #expect(!StoreManager(backend: app.store.device(named: "other")).confirmPurchases { _, _ in .pending })
        }
    }
}
