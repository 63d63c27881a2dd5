import Foundation
@_spi(StoreKitDouble) import StoreKit
import StoreKitManager
import StoreKitTest
import StoreManagerCore
import StoreSimulator
import TestSupport
import Testing

extension StoreKitManagerTests {
    /// What is owned, by StoreKit 2.
    @MainActor
    struct RestoreAndEntitlementTests {
        let app: KioskApp

        init() throws { app = try KioskApp() }

        @Test("R01 R02 a restore lists what the account owns, once, and nothing where there is nothing")
        func restore() async throws {
            await app.restore(as: "none")
            #expect(app.lines == ["none restored [] invalid [] undecided []"])
            app.recorder.clear()
            try await app.buy(KioskApp.removeAds)
            try await app.buy(KioskApp.stamps)
            try await app.buy(KioskApp.goldMonthly)
            let later = KioskApp(relaunching: app)
            await later.restore(as: "b")
            #expect(later.lines == ["b restored [1, 3] invalid [] undecided []"])
            await later.restore(as: "c")
            #expect(later.lines.last == "c restored [1, 3] invalid [] undecided []")
        }

        @Test("R07 who does not sign in cancels the restore")
        func cancelled() async throws {
            try await app.session.setSimulatedError(.generic(.userCancelled), forAPI: .appStoreSync)
            await app.restore(as: "a")
            #expect(app.lines == ["a failure cancelled"])
        }

        @Test("T05 the current entitlements are read without a prompt, and written down")
        func entitlements() async throws {
            try await app.buy(KioskApp.removeAds)
            try await app.buy(KioskApp.stamps)
            try await app.buy(KioskApp.goldMonthly)
            let later = KioskApp(relaunching: app)
            later.manager.persistence = MemoryPersistence()
            // A prompt would fail.
            try await app.session.setSimulatedError(.generic(.userCancelled), forAPI: .appStoreSync)
            let read = try await later.manager.refreshEntitlements()
            #expect(read.map(\.productIdentifier) == [KioskApp.removeAds, KioskApp.goldMonthly])
            #expect(try await later.manager.persistence?.isPurchased(KioskApp.goldMonthly) == true)
            #expect(try await later.manager.persistence?.isPurchased(KioskApp.stamps) == false)
        }

        @Test("T05 V08 what StoreKit does not find genuine is no entitlement")
        func unverifiedEntitlements() async throws {
            try await app.buy(KioskApp.removeAds)
            app.store.simulatedErrors[.verification] = .verification(.invalidSignature)
            #expect(try await app.manager.refreshEntitlements().isEmpty)
            #expect(try await Entitlements.readFromStoreKit(at: app.store.clock.now).transactions.isEmpty)
        }

        @Test("T02 how subscriptions stand is read with what StoreKit says of their renewal")
        func status() async throws {
            let products = try await app.manager.products(withIdentifiers: KioskApp.all).products
            try await app.buy(KioskApp.removeAds)
            try await app.buy(KioskApp.silverMonthly)
            let subscribed = try await Entitlements.readFromStoreKit(products: products, at: app.store.clock.now)
            #expect(subscribed.productIdentifiers == [KioskApp.removeAds, KioskApp.silverMonthly])
            let status = try #require(subscribed.subscriptions.first)
            #expect(status.renewalInfo?.willAutoRenew == true && status.groupLevel == 2)

            app.session.shouldEnterBillingRetryOnRenewal = true
            app.session.billingGracePeriodIsEnabled = true
            app.store.clock.advance(by: StoreSubscriptionPeriod(value: 1, unit: .month))
            await app.settle()
            let inTrouble = try await Entitlements.readFromStoreKit(products: products, at: app.store.clock.now)
            #expect(inTrouble.subscriptions.first?.state(at: inTrouble.date) == .inGracePeriod)
        }

        @Test("A02 where StoreKit cannot say how subscriptions stand, reading entitlements fails")
        func statusFails() async throws {
            try await app.buy(KioskApp.goldMonthly)
            try await app.session.setSimulatedError(.generic(.notAvailableInStorefront), forAPI: .subscriptionStatus)
            let error = await #expect(throws: StoreError.self) {
                try await Entitlements.readFromStoreKit(at: app.store.clock.now)
            }
            #expect(error?.name == "productUnavailable")
        }

        @Test(
            "S04 finishing by hand reaches StoreKit, also in the next process, and what is not known any more is no error"
        )
        func finishing() async throws {
            let app = try KioskApp(finishing: .manual)
            let product = try await app.product(KioskApp.stamps)
            let outcome = try await app.manager.purchase(product)
            guard case .purchased(let transaction) = outcome else {
                Issue.record("The purchase ended with \(outcome).")
                return
            }
            let later = KioskApp(relaunching: app, finishing: .manual)
            later.backend.finish(transaction)
            await later.settle()
            #expect(app.store.unfinishedTransactions.isEmpty)
            later.recorder.clear()
            later.backend.finish(transaction)
            await later.settle()
            #expect(later.lines.isEmpty && later.backend.workCount == 0)
        }

        @Test("A01 there is no app receipt, and asking for a new one says so")
        func receipt() async throws {
            #expect(app.manager.receiptData == nil)
            let error = await #expect(throws: StoreError.self) { try await app.manager.refreshReceipt() }
            #expect(error?.name == "unsupported")
        }

    }
}

extension KioskApp {
    fileprivate func restore(as name: String) async {
        manager.restorePurchases(handlers: recorder.restoreHandlers(name))
        await settle()
    }
}
