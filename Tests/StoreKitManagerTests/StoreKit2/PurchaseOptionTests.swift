import Foundation
@_spi(StoreKitDouble) import StoreKit
import StoreKitManager
import StoreKitTest
import StoreManagerCore
import TestSupport
import Testing

extension StoreKitManagerTests {
    /// What a purchase says beyond the product, on its way to StoreKit.
    @MainActor
    struct PurchaseOptionTests {
        nonisolated static let token = UUID()
        nonisolated static let signature = Data("signature".utf8)

        nonisolated static let signed = PromotionalOfferSignature(
            offerID: "loyal", keyID: "KEY", nonce: token, signature: signature.base64EncodedString(), timestamp: 7)

        nonisolated static let table: [(String, PurchaseOptions, Set<Product.PurchaseOption>)] = [
            (KioskApp.stamps, PurchaseOptions(), []),
            (KioskApp.stamps, PurchaseOptions(quantity: 3), [.quantity(3)]),
            (KioskApp.stamps, PurchaseOptions(appAccountToken: token), [.appAccountToken(token)]),
            (KioskApp.stamps, PurchaseOptions(applicationUsername: token.uuidString), [.appAccountToken(token)]),
            (
                KioskApp.stamps, PurchaseOptions(simulatesAskToBuyInSandbox: true), [.simulatesAskToBuyInSandbox(true)]
            ),
            (
                KioskApp.stamps,
                PurchaseOptions(customOptions: [
                    "text": .string("blue"), "number": .number(1.5), "flag": .flag(true), "data": .data(signature),
                ]),
                [
                    .custom(key: "text", value: "blue"), .custom(key: "number", value: 1.5),
                    .custom(key: "flag", value: true), .custom(key: "data", value: signature),
                ]
            ),
            (
                KioskApp.silverMonthly, PurchaseOptions(offer: .promotional(signed)),
                [.promotionalOffer(offerID: "loyal", keyID: "KEY", nonce: token, signature: signature, timestamp: 7)]
            ),
            (
                KioskApp.silverMonthly, PurchaseOptions(offer: .promotionalJWS(offerID: "loyal", compactJWS: "a.b.c")),
                Set(Product.PurchaseOption.promotionalOffer("loyal", compactJWS: "a.b.c"))
            ),
            (
                KioskApp.silverMonthly, PurchaseOptions(offer: .introductoryEligibility(compactJWS: "a.b.c")),
                [.introductoryOfferEligibility(compactJWS: "a.b.c")]
            ),
            (
                KioskApp.stamps,
                PurchaseOptions(quantity: 2, appAccountToken: token, simulatesAskToBuyInSandbox: true),
                [.quantity(2), .appAccountToken(token), .simulatesAskToBuyInSandbox(true)]
            ),
        ]

        @Test("P05 P06 P19 each option reaches StoreKit exactly as given, and no other", arguments: table)
        func options(product: String, options: PurchaseOptions, expected: Set<Product.PurchaseOption>) async throws {
            let asked = Locked<Set<Product.PurchaseOption>?>(nil)
            let app = try KioskApp { _, options in
                asked.withLock { $0 = options }
                return .userCancelled
            }
            try await app.buy(product, options: options)
            #expect(asked.withLock { $0 } == expected)
            #expect(app.lines == ["a cancel"])
        }

        @Test("P19 a win-back offer reaches StoreKit as the product has it")
        func winBack() async throws {
            let asked = Locked<Set<Product.PurchaseOption>?>(nil)
            let app = try KioskApp { _, options in
                asked.withLock { $0 = options }
                return .userCancelled
            }
            let product = try #require(try await Product.products(for: [KioskApp.silverMonthly]).first)
            let offer = try #require(product.subscription?.winBackOffers.first)
            let id = try #require(offer.id)
            try await app.buy(KioskApp.silverMonthly, options: PurchaseOptions(offer: .winBack(offerID: id)))
            #expect(asked.withLock { $0 } == [.winBackOffer(offer)])
        }

        @Test("P19 a win-back offer that the product does not have fails before StoreKit is asked")
        func unknownWinBack() async throws {
            let app = try KioskApp { _, _ in
                Issue.record("StoreKit was asked.")
                return .userCancelled
            }
            try await app.buy(KioskApp.silverMonthly, options: PurchaseOptions(offer: .winBack(offerID: "nothing")))
            #expect(app.lines == ["a failure - invalidOffer"])
        }

        @Test("P05 P06 quantity and account token come back on the transaction")
        func backOnTransaction() async throws {
            let app = try KioskApp()
            let product = try await app.product(KioskApp.stamps)
            let outcome = try await app.manager.purchase(
                product, options: PurchaseOptions(quantity: 2, applicationUsername: Self.token.uuidString))
            guard case .purchased(let transaction) = outcome else {
                Issue.record("The purchase ended with \(outcome).")
                return
            }
            #expect(transaction.quantity == 2 && transaction.appAccountToken == Self.token)
        }

        @Test("P06 a user name that is no UUID is an error, and StoreKit is not asked")
        func username() async throws {
            let app = try KioskApp { _, _ in
                Issue.record("StoreKit was asked.")
                return .userCancelled
            }
            try await app.buy(KioskApp.stamps, options: PurchaseOptions(applicationUsername: "somebody"))
            #expect(app.lines == ["a failure - invalidUsername"])
        }

        @Test("P19 promotional offers of both kinds are redeemed; one without its right is refused by StoreKit")
        func redeemed() async throws {
            let app = try KioskApp()
            let offers: [PurchaseOffer] = [
                .promotional(Self.signed), .promotionalJWS(offerID: "loyal", compactJWS: "a.b.c"),
            ]
            try await app.buy(KioskApp.silverMonthly, as: "new", options: PurchaseOptions(offer: offers[0]))
            #expect(app.lines == ["new failure - invalidOffer"])
            try await app.buy(KioskApp.silverMonthly, as: "first")
            for offer in offers {
                try app.session.expireSubscription(productIdentifier: KioskApp.silverMonthly)
                let product = try await app.product(KioskApp.silverMonthly)
                let outcome = try await app.manager.purchase(product, options: PurchaseOptions(offer: offer))
                guard case .purchased(let transaction) = outcome else {
                    Issue.record("The purchase ended with \(outcome).")
                    return
                }
                #expect(transaction.offer?.type == .promotional && transaction.offer?.id == "loyal")
                await app.settle()
            }
        }
    }
}
