import Foundation
@_spi(StoreKitDouble) import StoreKit
import StoreKitTest
import StoreManagerCore
import StoreSimulator
import Testing

extension StoreKitDoubleTests {
    /// What apps hang onto StoreKit works over the double as it stands.
    @MainActor
    struct AppExtensionTests {
        let kiosk: Kiosk

        init() throws { kiosk = try Kiosk() }

        /// The three ways in which apps look at an error.
        private func failures(_ error: SKError) -> [PurchaseFailure] {
            [PurchaseFailure { throw error }, PurchaseFailure(bridging: error), PurchaseFailure(error.code)]
        }

        @Test("A03 an error is caught by its case, by domain and code, and by a switch")
        func errors() {
            #expect(failures(SKError(.paymentCancelled)) == [.cancelled, .cancelled, .cancelled])
            #expect(failures(SKError(.paymentNotAllowed)) == [.notAllowed, .notAllowed, .notAllowed])
            #expect(failures(SKError(.paymentInvalid)) == [.store(code: 3), .store(code: 3), .store(code: 3)])
            #expect(PurchaseFailure { throw CancellationError() } == .other)
            #expect(PurchaseFailure(bridging: URLError(.notConnectedToInternet)) == .offline)
        }

        @Test("A03 what an app adds to StoreKit 1 sees what the store says")
        func legacyExtensions() async throws {
            let guardian = QueueGuard()
            let products = try await ProductFetch.products([Kiosk.goldMonthly, Kiosk.stamps]).products
            let gold = try #require(products.first { $0.productIdentifier == Kiosk.goldMonthly })
            let item: any PricedItem = gold
            #expect(item.productIdentifier == Kiosk.goldMonthly && item.price == gold.price)
            #expect(gold.introductoryText == "free for 7 days")
            let stamps = try #require(products.first { $0.productIdentifier == Kiosk.stamps })
            kiosk.store.buyer.nextAnswers = [.buy, .cancel]
            for _ in 1...2 { SKPaymentQueue.default().add(SKPayment(product: stamps)) }
            await StoreKitDouble.settle()
            #expect(guardian.states.sorted() == ["failed", "purchased", "purchasing", "purchasing"])
            #expect(SKPaymentQueue.default().transactions.byProduct().isEmpty)
        }

        @Test("A03 a request runs by a delegate of the app's own")
        func requests() async throws {
            var runner: RequestRunner?
            try await withCheckedThrowingContinuation { continuation in
                runner = RequestRunner(SKReceiptRefreshRequest()) { continuation.resume(with: $0) }
            }
            _ = runner
            kiosk.store.simulatedErrors[.appTransaction] = .generic(.userCancelled)
            let error = await thrownError {
                try await withCheckedThrowingContinuation { continuation in
                    runner = RequestRunner(SKReceiptRefreshRequest(receiptProperties: nil)) {
                        continuation.resume(with: $0)
                    }
                }
            }
            #expect(error.map { PurchaseFailure(bridging: $0) } == .cancelled)
        }

        @Test("A03 loops over updates and statuses, eligibility and renewal keep a desk up to date")
        func subscriptions() async throws {
            let desk = MembershipDesk(groupID: Kiosk.group)
            await desk.listen()
            let plan = try #require(Plan(try await kiosk.product(Kiosk.goldMonthly)))
            #expect(Plan(try await kiosk.product(Kiosk.stamps)) == nil)
            #expect(await plan.trial() == "free for 1 × 1 w")
            #expect(await desk.membership == .none)
            let account = UUID()
            let transaction = try #require(try await subscribe(to: plan, account: account))
            #expect(transaction.appAccountToken == account)
            #expect(await plan.trial() == nil)
            #expect(await desk.restore())
            #expect(
                await desk.membership
                    == .active(productID: Kiosk.goldMonthly, renews: true, until: transaction.expirationDate))
            #expect(await desk.owned.keys.sorted() == [Kiosk.goldMonthly])
            try kiosk.store.expireSubscription(productIdentifier: Kiosk.goldMonthly)
            try await desk.refresh()
            guard case .lapsed = await desk.membership else {
                Issue.record("The membership has not lapsed.")
                return
            }
            #expect(await desk.owned.isEmpty)
            kiosk.store.simulatedErrors[.appStoreSync] = .generic(.userCancelled)
            #expect(await desk.restore() == false)
        }
    }
}
