import Foundation
@_spi(StoreKitDouble) import StoreKit
import StoreKitManager
import StoreKitTest
import StoreManagerCore
import StoreSimulator
import TestSupport
import Testing

extension StoreKitManagerTests {
    /// Purchases for which StoreKit 2 has no transaction yet.
    @MainActor
    struct DeferredPurchaseTests {
        let app: KioskApp

        init() throws { app = try KioskApp() }

        @Test("D01 D02 D04 Ask to Buy defers; the approval is delivered once, on the same token")
        func approved() async throws {
            app.session.askToBuyEnabled = true
            let token = try await app.buy(KioskApp.removeAds)
            #expect(app.lines == ["a defer"])
            #expect(app.manager.isPending(token))
            try approveAll()
            await app.settle()
            #expect(app.lines == ["a defer", "a success 1"])
            #expect(!app.manager.isPending(token))
            #expect(app.store.unfinishedTransactions.isEmpty)
        }

        @Test("D04 approvals belong to the oldest purchase of their account token")
        func twoAccounts() async throws {
            let (first, second) = (UUID(), UUID())
            app.session.askToBuyEnabled = true
            try await app.buy(KioskApp.stamps, as: "a", options: PurchaseOptions(appAccountToken: first))
            try await app.buy(KioskApp.stamps, as: "b", options: PurchaseOptions(appAccountToken: second))
            let waiting = app.session.allTransactions()
            for transaction in waiting.reversed() {
                try app.session.approveAskToBuyTransaction(identifier: transaction.identifier)
                await app.settle()
            }
            #expect(app.lines == ["a defer", "b defer", "b success 2", "a success 1"])
        }

        @Test("D02 what is declined leaves the token pending, until it is cancelled")
        func declined() async throws {
            app.session.askToBuyEnabled = true
            let token = try await app.buy(KioskApp.removeAds)
            let waiting = try #require(app.session.allTransactions().first)
            try app.session.declineAskToBuyTransaction(identifier: waiting.identifier)
            await app.settle()
            #expect(app.lines == ["a defer"] && app.manager.isPending(token))
            app.manager.cancel(token)
            #expect(!app.manager.isPending(token))
        }

        @Test("D03 what is approved after a relaunch goes to the default receiver")
        func approvedLater() async throws {
            app.session.askToBuyEnabled = true
            try await app.buy(KioskApp.removeAds)
            let later = KioskApp(relaunching: app)
            await later.settle()
            try approveAll()
            await later.settle()
            #expect(app.lines == ["a defer"] && later.lines == ["default success 1"])
        }

        @Test("D04 the async form returns at once; the approval goes to the default receiver")
        func asynchronous() async throws {
            app.session.askToBuyEnabled = true
            let outcome = try await app.manager.purchase(productIdentifier: KioskApp.removeAds)
            #expect(outcome.line == "deferred purchase-2")
            try approveAll()
            await app.settle()
            #expect(app.lines == ["default success 1"])
        }

        @Test("P16 an interrupted purchase is deferred, and delivered when its issue was resolved")
        func interrupted() async throws {
            app.session.interruptedPurchasesEnabled = true
            try await app.buy(KioskApp.stamps)
            let waiting = try #require(app.session.allTransactions().first)
            try app.session.resolveIssueForTransaction(identifier: waiting.identifier)
            await app.settle()
            #expect(app.lines == ["a defer", "a success 2"])
        }

        private func approveAll() throws {
            for transaction in app.session.allTransactions() where transaction.pendingAskToBuyConfirmation {
                try app.session.approveAskToBuyTransaction(identifier: transaction.identifier)
            }
        }
    }
}
