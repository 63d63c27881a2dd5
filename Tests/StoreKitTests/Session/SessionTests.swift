import Foundation
import StoreKitTest
import StoreManagerCore
import StoreSimulator
import Testing

@_spi(StoreKitDouble) @testable import StoreKit

extension StoreKitDoubleTests {
    @MainActor
    struct SessionTests {
        let kiosk: Kiosk

        init() throws { kiosk = try Kiosk() }

        @Test("A session is made of a file, or of one in a bundle, and becomes the store behind StoreKit")
        func making() async throws {
            let code = await sessionError {
                _ = try SKTestSession(contentsOf: URL(filePath: "/nowhere/Kiosk.storekit"))
            }
            #expect(code == .fileNotFound)
            #expect(
                await sessionError { _ = try SKTestSession(contentsOf: URL(filePath: "/nowhere/Kiosk.json")) }
                    == .invalidURL)
            #expect(await sessionError { _ = try SKTestSession(configurationFileNamed: "Nothing") } == .fileNotFound)
            let other = try SKTestSession(contentsOf: Kiosk.file)
            #expect(StoreKitDouble.currentStore !== kiosk.store)
            #expect(other.allTransactions().isEmpty)
        }

        @Test("Members may be used from any thread")
        func threads() async throws {
            let session = kiosk.session
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<20 {
                    group.addTask {
                        session.disableDialogs = number.isMultiple(of: 2)
                        _ = session.disableDialogs
                        try session.buyProduct(productIdentifier: Kiosk.stamps)
                    }
                }
                try await group.waitForAll()
            }
            #expect(session.allTransactions().count == 20)
        }

        @Test("C02 every switch of a session is a switch of its store, and goes back to what the file says")
        func switches() {
            let session = kiosk.session
            session.disableDialogs = true
            session.askToBuyEnabled = true
            session.interruptedPurchasesEnabled = true
            session.shouldEnterBillingRetryOnRenewal = true
            session.billingGracePeriodIsEnabled = true
            session.failTransactionsEnabled = true
            session.failureError = .invalidSignature
            session.storefront = "DEU"
            session.locale = Locale(identifier: "de_DE")
            session.timeRate = .oneRenewalEveryTenSeconds
            #expect(session.disableDialogs && session.askToBuyEnabled && session.interruptedPurchasesEnabled)
            #expect(session.shouldEnterBillingRetryOnRenewal && session.billingGracePeriodIsEnabled)
            #expect(session.failTransactionsEnabled && session.failureError == .invalidSignature)
            #expect(session.storefront == "DEU" && session.locale.identifier == "de_DE")
            #expect(session.timeRate == .oneRenewalEveryTenSeconds)
            #expect(kiosk.store.timeRate == .oneRenewalEveryTenSeconds && kiosk.store.askToBuyEnabled)
            session.resetToDefaultState()
            #expect(!session.disableDialogs && !session.askToBuyEnabled && !session.interruptedPurchasesEnabled)
            #expect(!session.shouldEnterBillingRetryOnRenewal && !session.billingGracePeriodIsEnabled)
            #expect(!session.failTransactionsEnabled && session.failureError == .unknown)
            #expect(session.storefront == "USA" && session.timeRate == .realTime)
        }

        @Test("C02 with dialogs disabled nobody is asked")
        func disabledDialogs() async throws {
            kiosk.store.buyer.standingAnswer = .cancel
            kiosk.session.disableDialogs = true
            try await kiosk.buy(Kiosk.stamps)
        }

        @Test("C02 a session forces renewals, ends subscriptions and switches their renewal")
        func subscriptions() async throws {
            let session = kiosk.session
            let bought = try await session.buyProduct(identifier: Kiosk.silverMonthly)
            try session.forceRenewalOfSubscription(productIdentifier: Kiosk.silverMonthly)
            #expect(
                session.allTransactions().map(\.originalTransactionIdentifier) == [UInt(bought.id), UInt(bought.id)])
            try session.disableAutoRenewForTransaction(identifier: UInt(bought.id))
            #expect(session.allTransactions().last?.autoRenewingEnabled == false)
            try session.enableAutoRenewForTransaction(identifier: UInt(bought.id))
            #expect(session.allTransactions().last?.autoRenewingEnabled == true)
            try session.expireSubscription(productIdentifier: Kiosk.silverMonthly)
            #expect(session.allTransactions().last?.expirationDate == kiosk.store.clock.now)
        }

        @Test("C02 transactions are listed with their state, deleted one by one, and all together")
        func transactions() async throws {
            let session = kiosk.session
            session.askToBuyEnabled = true
            _ = try await kiosk.product(Kiosk.removeAds).purchase()
            session.askToBuyEnabled = false
            try session.buyProduct(productIdentifier: Kiosk.stamps)
            let all = session.allTransactions()
            #expect(all.map(\.state) == [.deferred, .purchased])
            #expect(all.map(\.productIdentifier) == [Kiosk.removeAds, Kiosk.stamps])
            #expect(all.map(\.pendingAskToBuyConfirmation) == [true, false])
            #expect(all.last?.purchaseDate == kiosk.store.clock.now && all.last?.cancelDate == nil)
            try session.deleteTransaction(identifier: try #require(all.last).identifier)
            #expect(session.allTransactions().count == 1)
            session.clearTransactions()
            #expect(session.allTransactions().isEmpty)
        }

        @Test("C02 a purchase outside the app arrives, with its options")
        func buying() async throws {
            var updates = Transaction.updates.makeAsyncIterator()
            let token = UUID()
            let bought = try await kiosk.session.buyProduct(
                identifier: Kiosk.stamps, options: [.quantity(2), .appAccountToken(token)])
            #expect(bought.purchasedQuantity == 2 && bought.appAccountToken == token)
            #expect(await updates.next()?.unsafePayloadValue == bought)
            let date = kiosk.store.clock.now - 70 * 86_400
            try await kiosk.session.buyProduct(
                identifier: Kiosk.silverMonthly, options: [.purchaseDate(date, renewalBehavior: .renewUntilNow)])
            #expect(kiosk.session.allTransactions().filter { $0.productIdentifier == Kiosk.silverMonthly }.count == 3)
            kiosk.session.clearTransactions()
            try await kiosk.session.buyProduct(
                identifier: Kiosk.silverMonthly, options: [.purchaseDate(date, renewalBehavior: .cancelImmediately)])
            #expect(kiosk.session.allTransactions().map(\.autoRenewingEnabled) == [false])
            let loyal = try await kiosk.session.buyProduct(
                identifier: Kiosk.silverMonthly, options: [.promotionalOffer(id: "loyal")])
            #expect(loyal.offer?.id == "loyal")
        }

        @Test("C02 what a session cannot do is an SKTestError of its kind")
        func errors() async throws {
            let session = kiosk.session
            #expect(await sessionError { try session.deleteTransaction(identifier: 99) } == .noTransactionFound)
            #expect(
                await sessionError { try session.expireSubscription(productIdentifier: Kiosk.goldYearly) }
                    == .noSubscriptionFound)
            #expect(
                await sessionError { try session.expireSubscription(productIdentifier: Kiosk.stamps) }
                    == .invalidProductType)
            #expect(
                await sessionError { try session.buyProduct(productIdentifier: "com.example.nothing") }
                    == .invalidProductIdentifier)
            try session.buyProduct(productIdentifier: Kiosk.stamps)
            #expect(await sessionError { try session.approveAskToBuyTransaction(identifier: 1) } == .invalidAction)
            #expect(await sessionError { try session.declineAskToBuyTransaction(identifier: 1) } == .invalidAction)
            #expect(
                await sessionError {
                    _ = try await session.buyProduct(
                        identifier: Kiosk.stamps, options: [.simulatesAskToBuyInSandbox(true)])
                } == .invalidAction)
            let error = SKTestError(.serviceUnavailable)
            #expect((error as NSError).domain == SKTestErrorDomain && SKTestError.errorDomain == SKTestErrorDomain)
            #expect(SKTestError.noSubscriptionFound == SKTestError.Code.noSubscriptionFound)
        }

        @Test("Without a session the environment names the store, and says plainly when it does not")
        func environment() throws {
            guard case .store(let store) = StoreSource.named(by: ["STOREKIT_CONFIGURATION": Kiosk.file.path]) else {
                Issue.record("The environment made no store.")
                return
            }
            #expect(try store.buyProduct(identifier: Kiosk.stamps).productIdentifier == Kiosk.stamps)
            guard case .failure(let missing) = StoreSource.named(by: [:]),
                case .failure(let unreadable) = StoreSource.named(by: ["STOREKIT_CONFIGURATION": "/nowhere.storekit"])
            else {
                Issue.record("The environment made a store of nothing.")
                return
            }
            #expect(missing.localizedDescription.contains("STOREKIT_CONFIGURATION"))
            #expect(unreadable.localizedDescription.contains("/nowhere.storekit"))
            StoreKitDouble.useStore(namedBy: ["STOREKIT_CONFIGURATION": Kiosk.file.path])
            #expect(StoreKitDouble.currentStore != nil)
            StoreKitDouble.useStore(namedBy: [:])
            #expect(StoreKitDouble.currentStore == nil)
        }

        /// The code of the SKTestError that something throws.
        private func sessionError(_ body: @MainActor () async throws -> Void) async -> SKTestError.Code? {
            (await thrownError(body) as? SKTestError)?.code
        }
    }
}
