import Foundation
@_spi(StoreKitDouble) import StoreKit
import StoreKitTest
import StoreManagerCore
import StoreSimulator
import Testing

extension StoreKitDoubleTests {
    @MainActor
    struct SKErrorTests {
        let kiosk: Kiosk
        let queue = SKPaymentQueue.default()

        init() throws { kiosk = try Kiosk() }

        @Test("A02 every code of SKError reaches the app on a payment that fails", arguments: SKError.Code.all)
        func everyCode(code: SKError.Code) async throws {
            kiosk.session.failureError = code
            kiosk.session.failTransactionsEnabled = true
            #expect(kiosk.session.failureError == code)
            #expect(try await errorOfPayment(SKMutablePayment(product: product(Kiosk.stamps))).code == code)
        }

        @Test(
            "A02 every failure of the store is the SKError of its kind",
            arguments: [
                (StoreAPIFailure.generic(.unknown), SKError.unknown), (.generic(.userCancelled), .paymentCancelled),
                (.generic(.networkError), .unknown), (.generic(.systemError), .unknown),
                (.generic(.notAvailableInStorefront), .storeProductNotAvailable),
                (.generic(.notEntitled), .clientInvalid), (.generic(.unsupported), .unsupportedPlatform),
                (.purchase(.invalidQuantity), .paymentInvalid),
                (.purchase(.productUnavailable), .storeProductNotAvailable),
                (.purchase(.purchaseNotAllowed), .paymentNotAllowed),
                (.purchase(.ineligibleForOffer), .ineligibleForOffer),
                (.purchase(.invalidOfferIdentifier), .invalidOfferIdentifier),
                (.purchase(.invalidOfferPrice), .invalidOfferPrice),
                (.purchase(.invalidOfferSignature), .invalidSignature),
                (.purchase(.missingOfferParameters), .missingOfferParams),
            ])
        func failures(failure: StoreAPIFailure, code: SKError.Code) async throws {
            kiosk.store.simulatedErrors[.purchase] = failure
            #expect(try await errorOfPayment(SKMutablePayment(product: product(Kiosk.stamps))).code == code)
        }

        @Test("A buyer who says no is a cancelled payment")
        func cancelled() async throws {
            kiosk.store.buyer.nextAnswers = [.cancel]
            do {
                throw try await errorOfPayment(SKMutablePayment(product: product(Kiosk.stamps)))
            } catch SKError.paymentCancelled {
                // As it should be.
            }
        }

        @Test("Offline a payment fails with an error of the network underneath")
        func offline() async throws {
            let product = try await product(Kiosk.stamps)
            kiosk.store.faults[.purchase].isOffline = true
            let error = try await errorOfPayment(SKMutablePayment(product: product))
            let underlying = try #require(error.errorUserInfo[NSUnderlyingErrorKey] as? NSError)
            #expect(underlying.domain == NSURLErrorDomain)
        }

        @Test(
            "Of what cannot be bought so many nothing is bought", arguments: [(Kiosk.stamps, 0), (Kiosk.removeAds, 2)])
        func quantity(identifier: String, quantity: Int) async throws {
            let payment = SKMutablePayment(product: try await product(identifier))
            payment.quantity = quantity
            #expect(try await errorOfPayment(payment).code == .paymentInvalid)
        }

        @Test(
            "An offer reaches the store as it was signed",
            arguments: [
                ("loyal", "a2V5", SKError.ineligibleForOffer), ("nothing", "a2V5", .invalidOfferIdentifier),
                ("loyal", "", .missingOfferParams), ("loyal", "not base64!", .invalidSignature),
            ])
        func offers(offerID: String, signature: String, code: SKError.Code) async throws {
            let payment = SKMutablePayment(product: try await product(Kiosk.silverMonthly))
            payment.paymentDiscount = SKPaymentDiscount(
                identifier: offerID, keyIdentifier: "KEY", nonce: UUID(), signature: signature,
                timestamp: NSNumber(value: 1_735_689_600_000))
            #expect(try await errorOfPayment(payment).code == code)
        }

        @Test("Without a store payments and requests say what to do")
        func noStore() async throws {
            let payment = SKMutablePayment(product: try await product(Kiosk.stamps))
            StoreKitDouble.currentStore = nil
            #expect(SKPaymentQueue.canMakePayments())
            #expect(queue.storefront == nil)
            let error = try await errorOfPayment(payment)
            let underlying = try #require(error.errorUserInfo[NSUnderlyingErrorKey] as? NSError)
            #expect(underlying.localizedDescription.contains("STOREKIT_CONFIGURATION"))
            await #expect(throws: SKError.self) { try await ProductFetch.products([Kiosk.stamps]) }
        }

        @Test("An error has the domain, the code and the text that it was made with")
        func values() {
            let error = SKError(.invalidSignature, userInfo: [NSLocalizedDescriptionKey: "The signature is wrong."])
            #expect(SKError.errorDomain == SKErrorDomain && SKErrorDomain == "SKErrorDomain")
            #expect(error.errorCode == 12 && (error as NSError).code == 12)
            #expect((error as NSError).domain == SKErrorDomain)
            #expect(error.localizedDescription == "The signature is wrong.")
            #expect(SKError(.unknown) == SKError(.unknown) && SKError(.unknown) != SKError(.clientInvalid))
            #expect(SKError.Code.all.map(\.rawValue) == Array(0...21))
        }

        private func product(_ identifier: String) async throws -> SKProduct {
            try #require(try await ProductFetch.products([identifier]).products.first)
        }

        private func errorOfPayment(_ payment: SKMutablePayment) async throws -> SKError {
            queue.add(payment)
            await StoreKitDouble.settle()
            #expect(queue.transactions.first?.transactionState == .failed)
            return try #require(queue.transactions.first?.error as? SKError)
        }
    }
}

extension SKError.Code {
    /// All codes, in the order of their numbers.
    static let all = (0...21).compactMap { SKError.Code(rawValue: $0) }
}
