import Foundation
@_spi(StoreKitDouble) import StoreKit
import StoreKitTest
import StoreManagerCore
import StoreSimulator
import Testing

extension StoreKitDoubleTests {
    @MainActor
    struct AppSourceTests {
        let kiosk: Kiosk

        init() throws { kiosk = try Kiosk() }

        @Test("A03 a shop over StoreKit 1 fetches, buys and restores")
        func legacyShop() async throws {
            let shop = LegacyShop()
            let products = try await withCheckedThrowingContinuation { continuation in
                shop.fetch([Kiosk.removeAds, Kiosk.stamps]) { continuation.resume(with: $0) }
            }
            #expect(products.map(\.productIdentifier) == [Kiosk.stamps, Kiosk.removeAds])
            #expect(products.map(\.localizedPrice) == ["$0.99", "$4.99"])
            let transaction = try await withCheckedThrowingContinuation { continuation in
                shop.buy(Kiosk.removeAds) { continuation.resume(with: $0) }
            }
            #expect(transaction.payment.applicationUsername == "reader")
            let restored = try await withCheckedThrowingContinuation { continuation in
                shop.restore { continuation.resume(with: $0) }
            }
            #expect(restored == [Kiosk.removeAds] && shop.owned == [Kiosk.removeAds])
            kiosk.store.buyer.nextAnswers = [.cancel]
            let error = await thrownError {
                _ = try await withCheckedThrowingContinuation { continuation in
                    shop.buy(Kiosk.stamps) { continuation.resume(with: $0) }
                }
            }
            #expect(error?.isPaymentCancellation == true)
            await StoreKitDouble.settle()
            #expect(SKPaymentQueue.default().transactions.isEmpty)
        }

        @Test("A03 a shop over StoreKit 2 fetches, buys and listens")
        func modernShop() async throws {
            let shop = ModernShop()
            try await shop.requestProducts([Kiosk.removeAds: "car", Kiosk.goldMonthly: "plan", Kiosk.stamps: "fuel"])
            #expect(shop.cars.count == 1 && shop.subscriptions.count == 1 && shop.others.count == 1)
            let removeAds = try #require(shop.cars.first)
            #expect(try await shop.isPurchased(removeAds) == false)
            let transaction = try await shop.purchase(removeAds, for: UUID())
            #expect(transaction?.appAccountToken != nil && shop.purchased == [Kiosk.removeAds])
            #expect(try await shop.isPurchased(removeAds))
            _ = try await shop.purchase(try #require(shop.subscriptions.first))
            #expect(shop.groupStatus == .subscribed)
            let purchasable: any PurchasableProduct = removeAds
            #expect(purchasable.displayPrice == "$4.99")
            guard case .success = try await purchasable.purchase(options: []) else {
                Issue.record("The purchase did not succeed.")
                return
            }
        }

        @Test("A03 an actor buys, and catches the errors by their cases")
        func purchaseLog() async throws {
            let log = PurchaseLog()
            let product = try await kiosk.product(Kiosk.stamps)
            await log.buy(product)
            kiosk.store.simulatedErrors[.purchase] = .generic(.userCancelled)
            await log.buy(product)
            kiosk.store.simulatedErrors[.purchase] = .purchase(.productUnavailable)
            await log.buy(product)
            kiosk.store.simulatedErrors[.purchase] = .generic(.unknown)
            await log.buy(product)
            let lines = await log.lines
            #expect(lines.first?.hasSuffix(".") == true)
            #expect(lines[1...2] == ["cancelled", "unavailable"])
            #expect(lines.last?.hasPrefix("store: ") == true)
        }

        @Test("A03 what an app's tests override is what its shop sees")
        func subclasses() {
            let queue = FakeQueue()
            let shop = LegacyShop(queue: queue)
            let product = FakeProduct("fake", price: "2.50")
            #expect(product.localizedPrice?.contains("2,50") == true)
            #expect(product.subscriptionPeriod?.text == "2 w" && product.introductoryPrice?.numberOfPeriods == 3)
            let bought = FakeTransaction(product, .purchased)
            let failed = FakeTransaction(product, .failed, error: SKError(.paymentCancelled))
            queue.send(bought, FakeTransaction(product, .purchasing), failed)
            #expect(queue.finished == [bought, failed] && shop.owned == ["fake"])
            var isRestored = false
            shop.restore { isRestored = (try? $0.get()) == [] }
            #expect(isRestored)
            let request = FakeProductsRequest(productIdentifiers: ["fake"])
            request.delegate = shop
            request.start()
            #expect(request.isStarted && shop.products.isEmpty)
        }

        @Test("A03 what the store answers with can be a test's own, too")
        func answers() {
            let response: SKProductsResponse = FakeProductsResponse(FakeProduct("fake", price: "1"))
            #expect(response.products.map(\.productIdentifier) == ["fake"] && response.invalidProductIdentifiers == [])
            let storefront: SKStorefront = FakeStorefront()
            #expect(storefront.countryCode == "FRA" && storefront.identifier == "")
            #expect(SKProductsResponse().products.isEmpty && SKStorefront().countryCode == "")
            #expect(SKPaymentDiscount().identifier == "" && SKPaymentDiscount().timestamp == 0)
            #expect(FakeQueue(named: "till").name == "till")
            #expect(SKPaymentQueue.default() === SKPaymentQueue.default())
        }

        @Test("A03 a payment is copied with all that it says")
        func payments() throws {
            let payment = SKMutablePayment()
            payment.productIdentifier = "fake"
            payment.requestData = Data([1])
            payment.simulatesAskToBuyInSandbox = true
            payment.paymentDiscount = SKPaymentDiscount(
                identifier: "loyal", keyIdentifier: "KEY", nonce: UUID(), signature: "c2ln", timestamp: 12)
            let copy = try #require(payment.copy() as? SKPayment)
            #expect(!(copy is SKMutablePayment))
            let mutable = try #require(copy.mutableCopy() as? SKMutablePayment)
            payment.productIdentifier = "changed"
            #expect(mutable.productIdentifier == "fake" && mutable.quantity == 1 && mutable.requestData == Data([1]))
            #expect(mutable.simulatesAskToBuyInSandbox && mutable.paymentDiscount?.timestamp == 12)
            #expect(SKPayment(product: FakeProduct("other", price: "1")).productIdentifier == "other")
        }
    }
}
