import Foundation
import StoreManagerCore
import TestSupport
import Testing

/// Reduced prices: they reach the store as they are, or the purchase fails.
@MainActor
struct PurchaseOfferTests {
    private nonisolated static let offers: [(PurchaseOffer, StoreBackendCapabilities.OfferKind)] = [
        (promotional(signature: "c2lnbmF0dXJl"), .promotional),
        (.promotionalJWS(offerID: "half", compactJWS: "e30.e30.c2ln"), .promotionalJWS),
        (.winBack(offerID: "back"), .winBack),
        (.introductoryEligibility(compactJWS: "e30.e30.c2ln"), .introductoryEligibility),
    ]

    private nonisolated static func promotional(signature: String) -> PurchaseOffer {
        .promotional(
            PromotionalOfferSignature(
                offerID: "half", keyID: "key", nonce: UUID(), signature: signature, timestamp: 1_700_000_000_000))
    }

    @Test("P19 an offer reaches the store exactly as given", arguments: offers)
    func offerReachesTheStore(offer: PurchaseOffer, kind: StoreBackendCapabilities.OfferKind) async {
        let fixture = ManagerFixture(capabilities: StoreBackendCapabilities(offers: [kind]))
        fixture.manager.purchase(.sample(), options: PurchaseOptions(offer: offer), onSuccess: nil)
        await fixture.manager.settle()
        #expect(fixture.backend.payments.map(\.options.offer) == [offer])
    }

    @Test(
        "P19 a store that has no such offer never hears of the purchase, which fails as unsupported", arguments: offers)
    func unsupportedOffer(offer: PurchaseOffer, kind: StoreBackendCapabilities.OfferKind) async {
        let others = Set(StoreBackendCapabilities.OfferKind.allCases).subtracting([kind])
        let fixture = ManagerFixture(capabilities: StoreBackendCapabilities(offers: others))

        fixture.manager.purchase(
            .sample(), options: PurchaseOptions(offer: offer), handlers: fixture.recorder.purchaseHandlers("a"))
        await fixture.manager.settle()
        #expect(fixture.lines == ["a failure - unsupported"])
    }

    @Test(
        "P19 a signature that is not base64 fails before the store hears of it",
        arguments: ["", "*", "YQ", "Y Q==", "YQ==\n"])
    func signatureThatIsNoBase64(signature: String) async {
        let fixture = ManagerFixture()
        fixture.manager.purchase(
            .sample(), options: PurchaseOptions(offer: Self.promotional(signature: signature)),
            handlers: fixture.recorder.purchaseHandlers("a"))
        await fixture.manager.settle()
        #expect(fixture.lines == ["a failure - invalidOffer"])
    }
}
