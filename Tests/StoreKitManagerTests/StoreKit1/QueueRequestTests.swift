import Foundation
@_spi(StoreKitDouble) import StoreKit
import StoreKitManager
import StoreManagerCore
import StoreSimulator
import TestSupport
import Testing

extension StoreKitManagerTests {
    @MainActor
    struct QueueRequestTests {
        let app: QueueApp

        init() throws { app = try QueueApp() }

        @Test("F01 A01 a fetch gives the products as StoreKit 1 knows them, and the invalid identifiers")
        func products() async throws {
            let identifiers = [QueueApp.silverMonthly, "com.example.nothing", QueueApp.removeAds, QueueApp.goldMonthly]
            let response = try await app.manager.products(withIdentifiers: identifiers)
            #expect(response.invalidIdentifiers == ["com.example.nothing"])
            #expect(response.products.map(\.id) == [QueueApp.silverMonthly, QueueApp.removeAds, QueueApp.goldMonthly])
            let removeAds = response.products[1]
            #expect(removeAds.displayName == "No advertisements" && removeAds.description == "For ever.")
            #expect(removeAds.price == Decimal(string: "4.99"))
            #expect(removeAds.priceLocale?.currency?.identifier == "USD")
            // Of a product that does not renew StoreKit 1 does not say what it is.
            #expect(removeAds.type == .unknown && removeAds.subscription == nil && removeAds.isFamilyShareable)

            let gold = response.products[2]
            #expect(gold.type == .autoRenewable)
            let trial = StoreOffer(
                type: .introductory, paymentMode: .freeTrial, price: 0,
                period: StoreSubscriptionPeriod(value: 1, unit: .week))
            #expect(
                gold.subscription
                    == StoreSubscriptionTerms(
                        groupID: "21000001", period: StoreSubscriptionPeriod(value: 1, unit: .month),
                        introductoryOffer: trial))
            let loyal = StoreOffer(
                id: "loyal", type: .promotional, paymentMode: .payAsYouGo, price: try #require(Decimal(string: "2.99")),
                period: StoreSubscriptionPeriod(value: 1, unit: .month), periodCount: 3)
            #expect(response.products[0].subscription?.promotionalOffers == [loyal])
        }

        @Test("F06 offline a fetch fails with an error of the network, and the next one asks again")
        func offline() async throws {
            app.store.faults[.products].isOffline = true
            app.manager.fetchProducts(
                withIdentifiers: [QueueApp.stamps], handlers: app.recorder.fetchHandlers("a"))
            await app.settle()
            app.store.faults[.products].isOffline = false
            app.manager.fetchProducts(
                withIdentifiers: [QueueApp.stamps], handlers: app.recorder.fetchHandlers("b"))
            await app.settle()
            #expect(app.lines == ["a failure network", "b products [\(QueueApp.stamps)] invalid []"])
        }

        @Test("A request lives until it is answered, and is given up with its observer", arguments: [true, false])
        func retained(staysObserving: Bool) async throws {
            let ear = app.hear()
            app.store.hold(.products)
            let token = RequestToken(kind: .fetch, number: 1)
            app.backend.fetchProducts(withIdentifiers: [QueueApp.stamps], for: token)
            await StoreKitDouble.settle()
            if !staysObserving { app.backend.stopObserving(ear) }
            app.store.release(.products)
            await StoreKitDouble.settle()
            await app.backend.settle()
            #expect(ear.events.count == (staysObserving ? 1 : 0))
        }

        @Test("X05 the receipt is read from where the system keeps it, and renewed on demand")
        func receipt() async throws {
            let folder = try TemporaryFolder()
            StoreKitDouble.receiptURL = folder.url.appending(path: "receipt")
            #expect(app.manager.receiptData == nil)
            app.store.signer = CountingSigner()
            try await app.manager.refreshReceipt()
            #expect(app.manager.receiptData == Data("0 transactions".utf8))
            try await app.buy(QueueApp.removeAds)
            #expect(app.manager.receiptData == Data("1 transactions".utf8))

            let elsewhere = folder.url.appending(path: "elsewhere")
            try Data("mine".utf8).write(to: elsewhere)
            #expect(StoreKit1Backend(receiptURL: elsewhere).receiptData() == Data("mine".utf8))
        }

        @Test(
            "A receipt that cannot be renewed is an error",
            arguments: [
                (StoreAPIFailure.generic(.userCancelled), "cancelled"), (.generic(.networkError), "network"),
            ])
        func receiptFails(failure: StoreAPIFailure, name: String) async throws {
            app.store.simulatedErrors[.appTransaction] = failure
            let error = await #expect(throws: StoreError.self) { try await app.manager.refreshReceipt() }
            #expect(error?.name == name)
        }

        @Test("T04 T05 what is owned is not told without a restore: that is an error, not nothing")
        func entitlements() async throws {
            let error = await #expect(throws: StoreError.self) { try await app.manager.refreshEntitlements() }
            #expect(error?.name == "unsupported")
        }

        @Test("A01 R01 a restore lists copies with identifiers of their own, each with the purchase that it restores")
        func restore() async throws {
            app.store.habits.restoresAsCopies = true
            for product in [QueueApp.removeAds, QueueApp.stamps, QueueApp.goldMonthly] {
                try app.store.buyProduct(identifier: product)
            }
            await app.settle()
            let date = app.store.clock.now
            app.store.clock.advance(by: 3_600)
            let result = try await app.manager.restorePurchases()
            await app.settle()
            #expect(result.restored.map(\.originalID) == ["1", "3"])
            #expect(Set(result.restored.map(\.id)).isDisjoint(with: app.store.allTransactions.prefix(3).map(\.id)))
            #expect(result.restored.allSatisfy { $0.originalPurchaseDate == date && $0.state == .restored })
            #expect(app.queue.transactions.isEmpty)
        }

        @Test("R02 R07 a restore of nothing, and one that fails")
        func restoreFails() async throws {
            app.manager.restorePurchases(handlers: app.recorder.restoreHandlers("a"))
            await app.settle()
            app.store.simulatedErrors[.appStoreSync] = .generic(.userCancelled)
            app.manager.restorePurchases(handlers: app.recorder.restoreHandlers("b"))
            await app.settle()
            #expect(app.lines == ["a restored [] invalid [] undecided []", "b failure cancelled"])
        }

        @Test("R08 R10 restores of different users are asked for one after the other, each with its name")
        func users() async throws {
            try app.store.buyProduct(identifier: QueueApp.removeAds)
            await app.settle()
            app.recorder.clear()
            for user in [nil, "somebody", "somebody else"] {
                app.manager.restorePurchases(
                    ofApplicationUsername: user, handlers: app.recorder.restoreHandlers(user ?? "nobody"))
            }
            await app.settle()
            let line = "restored [1] invalid [] undecided []"
            #expect(app.lines == ["nobody \(line)", "somebody \(line)", "somebody else \(line)"])
            let asked = app.store.log.filter { $0.event == .restore }.map { $0["user"] }
            #expect(asked == [nil, "somebody", "somebody else"])
        }

        @Test(
            "R09 a purchase that is answered during a restore is its request's, and what is restored is the restore's")
        func purchaseDuringRestore() async throws {
            try app.store.buyProduct(identifier: QueueApp.removeAds)
            try app.store.buyProduct(identifier: QueueApp.goldMonthly)
            await app.settle()
            app.recorder.clear()
            let product = try await app.product(QueueApp.removeAds)
            app.store.hold(.restore)
            app.manager.restorePurchases(handlers: app.recorder.restoreHandlers("r"))
            app.manager.purchase(product, handlers: app.recorder.purchaseHandlers("a"))
            await app.settle()
            #expect(app.lines == ["a restore 1"])
            app.store.release(.restore)
            await app.settle()
            #expect(app.lines.last == "r restored [1, 2] invalid [] undecided []")
        }
    }
}
