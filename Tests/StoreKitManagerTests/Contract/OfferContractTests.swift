import Foundation
import StoreManagerCore
import StoreSimulator
import TestSupport
import Testing

extension StoreKitManagerTests {
    /// The contract on reduced prices: they reach the store as they are, or the purchase fails.
    @MainActor
    struct OfferContractTests {
        nonisolated private static let signature = PromotionalOfferSignature(
            offerID: "loyal", keyID: "KEY", nonce: UUID(), signature: "c2lnbmVk", timestamp: 1_735_689_600_000)
        /// A statement whose payload says that the introductory offer is not to be had.
        nonisolated private static let statement =
            "e30.\(Data("{\"allowIntroductoryOffer\":false}".utf8).base64EncodedString()).c2ln"

        /// A shop whose buyer had the plan once.
        private func open(in world: StoreWorld, needing gaps: StoreGap?) async throws -> ContractShop {
            if let gaps { try gaps.skip(in: world) }
            let shop = try await ContractShop.open(in: world)
            await shop.own("gold")
            try shop.store.expireSubscription(productIdentifier: "gold")
            await shop.settle()
            shop.recorder.clear()
            return shop
        }

        /// The offers, what a purchase with one redeems, and what a world must have for it.
        nonisolated static let offers: [(offer: PurchaseOffer, redeemed: String?, gap: StoreGap?)] = [
            (.promotional(signature), "loyal", nil),
            (.promotionalJWS(offerID: "loyal", compactJWS: "a.b.c"), "loyal", .everyOffer),
            (.winBack(offerID: "comeback"), "comeback", .everyOffer),
            (.introductoryEligibility(compactJWS: statement), nil, .everyOffer),
        ]

        @Test("A01 P19 an offer reaches the store as it is", arguments: StoreWorld.all, offers.indices)
        func redeemed(world: StoreWorld, number: Int) async throws {
            let (offer, redeemed, gap) = Self.offers[number]
            let shop = try await open(in: world, needing: gap)
            shop.buy("gold", as: "a", PurchaseOptions(offer: offer))
            await shop.settle()
            let bought = try #require(shop.store.allTransactions.last)
            #expect(shop.lines == ["a success \(bought.id)"])
            #expect(bought.offer?.id == redeemed)
            #expect(shop.requests(.payment).last?["offer"] == redeemed ?? "introductory")
        }

        @Test(
            "A01 P19 an offer that StoreKit 1 does not know is refused, and never dropped",
            arguments: offers.indices.dropFirst())
        func unsupported(number: Int) async throws {
            let shop = try await open(in: .storeKit1, needing: nil)
            shop.buy("gold", as: "a", PurchaseOptions(offer: Self.offers[number].offer))
            await shop.settle()
            #expect(shop.lines == ["a failure unsupported"])
            #expect(shop.requests(.payment).count == 1)
        }

        @Test(
            "A01 P19 a signature that is not base64 is an error before the store hears of it", arguments: StoreWorld.all
        )
        func malformed(world: StoreWorld) async throws {
            let shop = try await open(in: world, needing: nil)
            var signature = Self.signature
            signature.signature = "not base64!"
            shop.buy("gold", as: "a", PurchaseOptions(offer: .promotional(signature)))
            await shop.settle()
            #expect(shop.lines == ["a failure invalidOffer"])
            #expect(shop.requests(.payment).count == 1)
        }

        @Test("A01 P19 an offer that the store refuses fails the purchase", arguments: StoreWorld.all)
        func refused(world: StoreWorld) async throws {
            let shop = try await open(in: world, needing: nil)
            var signature = Self.signature
            signature.offerID = "gone"
            shop.buy("gold", as: "a", PurchaseOptions(offer: .promotional(signature)))
            await shop.settle()
            #expect(shop.lines == ["a failure invalidOffer"])
            #expect(shop.sold("gold").count == 1)
        }
    }
}
