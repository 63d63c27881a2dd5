import Foundation
@_spi(StoreKitDouble) import StoreKit
import StoreKitTest
import StoreManagerCore
import StoreSimulator
import Testing

extension StoreKitDoubleTests {
    @MainActor
    struct PurchaseTests {
        let kiosk: Kiosk

        init() throws { kiosk = try Kiosk() }

        @Test("A purchase is verified, unfinished until it is finished, and not told again as news")
        func success() async throws {
            var updates = Transaction.updates.makeAsyncIterator()
            let transaction = try await kiosk.buy(Kiosk.removeAds)
            #expect(transaction.productID == Kiosk.removeAds && transaction.originalID == transaction.id)
            #expect(try await Kiosk.only(Transaction.unfinished).id == transaction.id)
            await transaction.finish()
            #expect(await Kiosk.all(Transaction.unfinished).isEmpty)
            #expect(try await Kiosk.only(Transaction.currentEntitlements).id == transaction.id)
            try kiosk.store.buyProduct(identifier: Kiosk.stamps)
            #expect(await updates.next()?.unsafePayloadValue.productID == Kiosk.stamps)
        }

        @Test("A buyer who says no is a result, a test that makes buying fail so is an error")
        func cancelled() async throws {
            let product = try await kiosk.product(Kiosk.stamps)
            kiosk.store.buyer.nextAnswers = [.cancel]
            guard case .userCancelled = try await product.purchase() else {
                Issue.record("The purchase was not cancelled.")
                return
            }
            #expect(kiosk.store.unfinishedTransactions.isEmpty)
            kiosk.store.simulatedErrors[.purchase] = .generic(.userCancelled)
            let error = await thrownError { _ = try await product.purchase() }
            #expect((error as? StoreKitError).map(StoreAPIFailure.Generic.init) == .userCancelled)
        }

        @Test("What somebody has to approve is pending, and arrives as news when it was")
        func pending() async throws {
            let product = try await kiosk.product(Kiosk.removeAds)
            guard case .pending = try await product.purchase(options: [.simulatesAskToBuyInSandbox(true)]) else {
                Issue.record("The purchase did not wait for approval.")
                return
            }
            var updates = Transaction.updates.makeAsyncIterator()
            let waiting = try #require(kiosk.session.allTransactions().first)
            try kiosk.session.approveAskToBuyTransaction(identifier: waiting.identifier)
            let transaction = try #require(try await updates.next()?.payloadValue)
            #expect(transaction.productID == Kiosk.removeAds)
            #expect(SKPaymentQueue.default().transactions.isEmpty)
        }

        @Test("What was declined never arrives")
        func declined() async throws {
            kiosk.session.askToBuyEnabled = true
            let product = try await kiosk.product(Kiosk.removeAds)
            guard case .pending = try await product.purchase() else {
                Issue.record("The purchase did not wait for approval.")
                return
            }
            let waiting = try #require(kiosk.session.allTransactions().first)
            try kiosk.session.declineAskToBuyTransaction(identifier: waiting.identifier)
            await StoreKitDouble.settle()
            #expect(await Kiosk.all(Transaction.unfinished).isEmpty)
            #expect(kiosk.store.unfinishedTransactions.isEmpty)
        }

        @Test("An interrupted purchase is pending, and arrives when its issue was resolved")
        func interrupted() async throws {
            kiosk.session.interruptedPurchasesEnabled = true
            let product = try await kiosk.product(Kiosk.stamps)
            guard case .pending = try await product.purchase(options: [.quantity(3)]) else {
                Issue.record("The purchase was not interrupted.")
                return
            }
            var updates = Transaction.updates.makeAsyncIterator()
            let waiting = try #require(kiosk.session.allTransactions().first)
            #expect(waiting.hasPurchaseIssue)
            try kiosk.session.resolveIssueForTransaction(identifier: waiting.identifier)
            #expect(await updates.next()?.unsafePayloadValue.purchasedQuantity == 3)
        }

        @Test("What is owned already is bought again for nothing: the first transaction comes back")
        func owned() async throws {
            let first = try await kiosk.buy(Kiosk.removeAds)
            await first.finish()
            kiosk.store.clock.advance(by: 3_600)
            let second = try await kiosk.buy(Kiosk.removeAds)
            #expect(second.id == first.id && second.purchaseDate == first.purchaseDate)
        }

        @Test("A downgrade returns what is held; the renewal brings the other plan")
        func downgrade() async throws {
            let gold = try await kiosk.buy(Kiosk.goldMonthly)
            await gold.finish()
            let answer = try await kiosk.buy(Kiosk.silverMonthly)
            #expect(answer.id == gold.id && answer.productID == Kiosk.goldMonthly)
            var updates = Transaction.updates.makeAsyncIterator()
            kiosk.store.clock.advance(by: StoreSubscriptionPeriod(value: 1, unit: .month))
            #expect(await updates.next()?.unsafePayloadValue.productID == Kiosk.silverMonthly)
        }

        @Test("A store that ends a purchase with neither transaction nor error throws unknown")
        func neither() async throws {
            kiosk.store.buyer.nextAnswers = [.neither]
            let product = try await kiosk.product(Kiosk.stamps)
            let error = await thrownError { _ = try await product.purchase() }
            #expect((error as? StoreKitError).map(StoreAPIFailure.Generic.init) == .unknown)
        }

        @Test("A purchase that another component removes from the queue ends with an error")
        func removed() async throws {
            kiosk.store.buyer.standingAnswer = .hesitate
            let product = try await kiosk.product(Kiosk.stamps)
            #expect(StoreKitDouble.openCallCount == 0)
            let purchase = Task { try await product.purchase() }
            await StoreKitDouble.settle()
            #expect(StoreKitDouble.openCallCount == 1)
            try kiosk.store.removeTransactionFromQueue(identifier: "1")
            await #expect(throws: StoreKitError.self) { try await purchase.value }
        }

        @Test("Every option reaches the store")
        func options() async throws {
            let token = UUID()
            let transaction = try await kiosk.buy(
                Kiosk.stamps,
                options: [
                    .quantity(4), .appAccountToken(token), .custom(key: "colour", value: "blue"),
                    .custom(key: "n", value: 1.5),
                ])
            #expect(transaction.purchasedQuantity == 4 && transaction.appAccountToken == token)
            #expect(transaction.price == Decimal(string: "3.96"))
        }

        @Test("Promotional, win-back and code offers are redeemed, each for whom it is")
        func offers() async throws {
            let silver = try await kiosk.product(Kiosk.silverMonthly)
            let winBack = try #require(silver.subscription?.winBackOffers.first)
            await #expect(throws: Product.PurchaseError.ineligibleForOffer) {
                try await silver.purchase(options: [.winBackOffer(winBack)])
            }
            let first = try await kiosk.buy(Kiosk.silverMonthly)
            await first.finish()
            try kiosk.session.expireSubscription(productIdentifier: Kiosk.silverMonthly)
            let back = try await kiosk.buy(Kiosk.silverMonthly, options: [.winBackOffer(winBack)])
            #expect(back.offer?.type == .winBack && back.offer?.id == "comeback" && back.offerType == .winBack)
            #expect(
                back.offer?.paymentMode == .payUpFront && back.offerPaymentModeStringRepresentation == "PAY_UP_FRONT")
            #expect(back.offer?.period == .everyThreeMonths && back.offerPeriodStringRepresentation == "P3M")

            try kiosk.session.expireSubscription(productIdentifier: Kiosk.silverMonthly)
            let signature = Product.SubscriptionOffer.Signature(
                keyID: "KEY", nonce: UUID(), timestamp: 1_735_689_600_000, signature: Data("signature".utf8))
            let loyal = try await kiosk.buy(
                Kiosk.silverMonthly, options: [.promotionalOffer(offerID: "loyal", signature: signature)])
            #expect(loyal.offer?.type == .promotional && loyal.offerID == "loyal" && loyal.price == 2.99)
            try kiosk.session.expireSubscription(productIdentifier: Kiosk.silverMonthly)
            let byJWS = try await kiosk.buy(
                Kiosk.silverMonthly, options: Set(Product.PurchaseOption.promotionalOffer("loyal", compactJWS: "a.b.c"))
            )
            #expect(byJWS.offer?.id == "loyal")

            try kiosk.session.expireSubscription(productIdentifier: Kiosk.silverMonthly)
            let byCode = try await kiosk.session.buyProduct(
                identifier: Kiosk.silverMonthly, options: [.codeOffer(referenceName: "fair")])
            #expect(byCode.offer?.type == .code && byCode.price == 0)
        }

        @Test(
            "An offer that is not right is refused",
            arguments: [
                ("nothing", Data("x".utf8), Product.PurchaseError.invalidOfferIdentifier),
                ("loyal", Data(), .missingOfferParameters), ("loyal", Data("x".utf8), .ineligibleForOffer),
            ])
        func refusedOffers(offerID: String, signature: Data, refusal: Product.PurchaseError) async throws {
            let silver = try await kiosk.product(Kiosk.silverMonthly)
            let option = Product.PurchaseOption.promotionalOffer(
                offerID: offerID, keyID: "KEY", nonce: UUID(), signature: signature, timestamp: 1)
            await #expect(throws: refusal) { try await silver.purchase(options: [option]) }
        }

        @Test("Without the right to it the introductory offer is not given", arguments: [true, false])
        func introductoryOffer(isAllowed: Bool) async throws {
            let payload = Data(#"{"allowIntroductoryOffer":\#(isAllowed)}"#.utf8).base64EncodedString()
                .replacing("=", with: "")
            let transaction = try await kiosk.buy(
                Kiosk.goldMonthly, options: [.introductoryOfferEligibility(compactJWS: "e30.\(payload).c2ln")])
            #expect((transaction.offer?.type == .introductory) == isAllowed)
        }

        @Test(
            "A purchase that is under way ends where the app does not want it in the new storefront",
            arguments: [true, false])
        func storefrontChange(goesOn: Bool) async throws {
            kiosk.store.buyer.standingAnswer = .hesitate
            let product = try await kiosk.product(Kiosk.stamps)
            let purchase = Task {
                try await product.purchase(options: [.onStorefrontChange { $0.countryCode != "DEU" || goesOn }])
            }
            await StoreKitDouble.settle()
            kiosk.session.storefront = "DEU"
            await StoreKitDouble.settle()
            if goesOn { try kiosk.store.answerOpenPayment(identifier: "1", with: .buy) }
            do {
                let ending = try await purchase.value
                #expect(goesOn, "The purchase ended with \(ending).")
            } catch StoreKitError.notAvailableInStorefront {
                #expect(!goesOn)
            }
        }

        @Test("A purchase that is under way when the store goes ends with an error")
        func storeGoes() async throws {
            kiosk.store.buyer.standingAnswer = .hesitate
            let product = try await kiosk.product(Kiosk.stamps)
            let purchase = Task { try await product.purchase() }
            await StoreKitDouble.settle()
            StoreKitDouble.relaunch()
            await #expect(throws: StoreKitError.self) { try await purchase.value }
        }

        @Test("Two options that say the same are one")
        func optionEquality() {
            let offer = Product.PurchaseOption.quantity(1)
            #expect(Set([offer, .quantity(1), .quantity(2)]).count == 2)
            #expect(
                Set([Product.PurchaseOption.onStorefrontChange { _ in true }, .onStorefrontChange { _ in false }]).count
                    == 1)
            #expect(Product.PurchaseOption.custom(key: "a", value: true) != .custom(key: "a", value: "true"))
        }
    }
}
