import Foundation
@_spi(StoreKitDouble) import StoreKit
import StoreKitTest
import StoreManagerCore
import StoreSimulator
import Testing

extension StoreKitDoubleTests {
    @MainActor
    struct StoreKitErrorTests {
        let kiosk: Kiosk

        init() throws { kiosk = try Kiosk() }

        @Test("A02 every case of StoreKitError reaches whoever buys", arguments: StoreAPIFailure.Generic.allCases)
        func purchase(failure: StoreAPIFailure.Generic) async throws {
            let product = try await kiosk.product(Kiosk.stamps)
            try await kiosk.session.setSimulatedError(.generic(failure.storeKitError), forAPI: .purchase)
            #expect(await kiosk.session.simulatedError(forAPI: .purchase) == .generic(failure.storeKitError))
            let error = await thrownError { _ = try await product.purchase() }
            #expect((error as? StoreKitError).map(StoreAPIFailure.Generic.init) == failure)
        }

        @Test("A02 every case of PurchaseError reaches whoever buys", arguments: StoreAPIFailure.Purchase.allCases)
        func purchaseError(failure: StoreAPIFailure.Purchase) async throws {
            let product = try await kiosk.product(Kiosk.stamps)
            try await kiosk.session.setSimulatedError(.purchase(failure.purchaseError), forAPI: .purchase)
            await #expect(throws: failure.purchaseError) { try await product.purchase() }
            try await kiosk.session.setSimulatedError(nil, forAPI: .purchase)
            try await kiosk.buy(Kiosk.stamps)
        }

        @Test(
            "A02 every VerificationError marks what the store says as unverified",
            arguments: StoreAPIFailure.Verification.allCases)
        func verification(failure: StoreAPIFailure.Verification) async throws {
            let error = VerificationResult<Any>.VerificationError(failure)
            try await kiosk.session.setSimulatedError(.verification(error), forAPI: .verification)
            guard
                case .success(.unverified(let transaction, let reason)) =
                    try await kiosk.product(Kiosk.goldMonthly).purchase()
            else {
                Issue.record("The transaction was not unverified.")
                return
            }
            #expect(StoreAPIFailure.Verification(reason) == failure)
            #expect(reason.errorDescription != nil)
            #expect(transaction.productID == Kiosk.goldMonthly)
            for await result in Transaction.currentEntitlements {
                #expect(throws: VerificationResult<Transaction>.VerificationError(failure)) { try result.payloadValue }
            }
            let app = try await AppTransaction.shared
            #expect(throws: VerificationResult<AppTransaction>.VerificationError(failure)) { try app.payloadValue }
            let status = try #require(try await Product.SubscriptionInfo.status(for: Kiosk.group).first)
            #expect(throws: (any Error).self) { try status.renewalInfo.payloadValue }
        }

        @Test("Looking products up, synchronising, asking for status and for the app fail as they are told")
        func otherInterfaces() async throws {
            let failure = StoreKitError.networkError(URLError(.notConnectedToInternet))
            try await kiosk.session.setSimulatedError(.generic(failure), forAPI: .loadProducts)
            try await kiosk.session.setSimulatedError(.generic(failure), forAPI: .appStoreSync)
            try await kiosk.session.setSimulatedError(.generic(failure), forAPI: .subscriptionStatus)
            try await kiosk.session.setSimulatedError(.generic(failure), forAPI: .appTransaction)
            await expectNetworkError { _ = try await Product.products(for: [Kiosk.stamps]) }
            await expectNetworkError { try await AppStore.sync() }
            await expectNetworkError { _ = try await Product.SubscriptionInfo.status(for: Kiosk.group) }
            await expectNetworkError { _ = try await AppTransaction.shared }
            await expectNetworkError { _ = try await AppTransaction.refresh() }
            #expect(await kiosk.session.simulatedError(forAPI: .loadProducts) == .generic(failure))
            #expect(await kiosk.session.simulatedError(forAPI: .manageSubscriptions) == nil)
        }

        @Test("Offline everything that asks the store fails with an error of the network")
        func offline() async throws {
            let product = try await kiosk.product(Kiosk.stamps)
            var fault = StoreFault()
            fault.isOffline = true
            kiosk.store.faults = StoreFaults(everywhere: fault)
            await expectNetworkError { _ = try await Product.products(for: [Kiosk.stamps]) }
            await expectNetworkError { _ = try await product.purchase() }
            await expectNetworkError { try await AppStore.sync() }
            await expectNetworkError { _ = try await Product.SubscriptionInfo.status(for: Kiosk.group) }
            await expectNetworkError { _ = try await AppTransaction.shared }
        }

        @Test("The sheets that take a scene keep the failure that they are told")
        func sheets() async throws {
            try await kiosk.session.setSimulatedError(.generic(.unsupported), forAPI: .manageSubscriptions)
            try await kiosk.session.setSimulatedError(.refundRequest(.duplicateRequest), forAPI: .refundRequest)
            try await kiosk.session.setSimulatedError(.generic(.notEntitled), forAPI: .offerCodeRedeem)
            #expect(await kiosk.session.simulatedError(forAPI: .manageSubscriptions) == .generic(.unsupported))
            #expect(await kiosk.session.simulatedError(forAPI: .refundRequest) == .refundRequest(.duplicateRequest))
            #expect(await kiosk.session.simulatedError(forAPI: .offerCodeRedeem) == .generic(.notEntitled))
        }

        @Test("Without a store every request says what to do, and what cannot fail is empty")
        func noStore() async throws {
            let product = try await kiosk.product(Kiosk.stamps)
            StoreKitDouble.currentStore = nil
            let error = await thrownError { _ = try await product.purchase() }
            guard case StoreKitError.systemError(let cause)? = error else {
                Issue.record("The error is \(String(describing: error)).")
                return
            }
            #expect(cause.localizedDescription.contains("STOREKIT_CONFIGURATION"))
            await #expect(throws: StoreKitError.self) { try await Product.products(for: [Kiosk.stamps]) }
            await #expect(throws: StoreKitError.self) { try await AppStore.sync() }
            await #expect(throws: StoreKitError.self) { try await AppTransaction.shared }
            await #expect(throws: StoreKitError.self) { try await Product.PromotionInfo.currentOrder }
            #expect(await Kiosk.all(Transaction.all).isEmpty)
            #expect(await Storefront.current == nil)
            #expect(AppStore.canMakePayments)
        }

        @Test("Every error has a text")
        func texts() {
            for failure in StoreAPIFailure.Generic.allCases {
                #expect(failure.storeKitError.errorDescription?.isEmpty == false)
            }
            for failure in StoreAPIFailure.Purchase.allCases {
                #expect(failure.purchaseError.errorDescription?.isEmpty == false)
            }
        }

        private func expectNetworkError(_ body: @MainActor () async throws -> Void) async {
            let error = await thrownError(body)
            #expect((error as? StoreKitError).map(StoreAPIFailure.Generic.init) == .networkError)
        }
    }
}
