import Foundation
import ReceiptVerification
import StoreManagerCore
import StoreSimulator
import Testing

@MainActor
@Suite("A simulated store that signs")
struct TestStoreSignerTests {
    let store = SimulatedStore(configuration: Self.configuration)
    let manager: StoreManager
    var signer: TestStoreSigner

    nonisolated static let coins = "com.example.coins"
    nonisolated static let removeAds = "com.example.removeads"
    nonisolated static let club = "com.example.club"
    nonisolated static let goldClub = "com.example.club.gold"
    nonisolated static let magazine = "com.example.magazine"
    nonisolated static let all = [coins, removeAds, club, goldClub, magazine]

    init() throws {
        signer = try TestStoreSigner(bundleIdentifier: Fixtures.bundleIdentifier, signer: Fixtures.signer)
        store.signer = signer
        manager = StoreManager(backend: store, clock: store.clock)
    }

    private func dataVerifier(_ roots: TrustedRoots? = nil) -> SignedDataVerifier {
        let clock = store.clock
        return SignedDataVerifier(
            bundleIdentifier: Fixtures.bundleIdentifier, environments: [.sandbox], roots: roots ?? signer.roots,
            now: { clock.now })
    }

    private func receiptVerifier(_ roots: TrustedRoots? = nil) -> AppReceiptVerifier {
        let clock = store.clock
        return AppReceiptVerifier(
            bundleIdentifier: Fixtures.bundleIdentifier, applicationVersion: "1", environments: [.sandbox],
            roots: roots ?? signer.roots, now: { clock.now })
    }

    private func byReceipt(_ roots: TrustedRoots? = nil) -> AppReceiptTransactionVerifier {
        AppReceiptTransactionVerifier(
            receiptVerifier(roots), receipt: { [store] in await store.receiptData() },
            refresh: { [manager] in try await manager.refreshReceipt() })
    }

    @Test(
        "J01 X01 a manager verifies each purchase of a simulated store by its signature, and by the receipt",
        arguments: all)
    func purchases(_ identifier: String) async throws {
        manager.verifier = SignedTransactionVerifier(dataVerifier())
        #expect(try await manager.purchase(productIdentifier: identifier).isPurchased)
        manager.verifier = byReceipt()
        #expect(try await manager.purchase(productIdentifier: Self.coins).isPurchased)
    }

    @Test("J02 X02 what a stranger signed fails the purchase, and so does everything under Apple's roots")
    func forged() async throws {
        for roots in [Fixtures.stranger.roots, .apple] {
            for verifier in [SignedTransactionVerifier(dataVerifier(roots)), byReceipt(roots)]
                as [any TransactionVerifier]
            {
                manager.verifier = verifier
                let error = await #expect(throws: StoreError.self) {
                    try await manager.purchase(productIdentifier: Self.coins)
                }
                guard case .verificationFailed = error else {
                    Issue.record("\(String(describing: error))")
                    continue
                }
            }
        }
    }

    @Test("J01 a signed transaction says what the transaction says")
    func transactionClaims() async throws {
        let token = try #require(UUID(uuidString: "7E3FB20B-4CDB-47CC-936D-99D65F608138"))
        _ = try await manager.purchase(
            productIdentifier: Self.coins, options: PurchaseOptions(quantity: 3, appAccountToken: token))
        _ = try await manager.purchase(productIdentifier: Self.magazine)
        store.clock.advance(by: 10 * 86_400)
        await store.settle()
        let transactions = store.allTransactions.map(\.transaction)
        #expect(transactions.count == 3)
        for transaction in transactions {
            let jws = try #require(signer.jws(of: transaction))
            let claims = try dataVerifier().verify(SignedTransaction(jws)).claims
            #expect(claims.transactionIdentifier == transaction.id)
            #expect(claims.originalTransactionIdentifier == transaction.originalID)
            #expect(claims.productIdentifier == transaction.productIdentifier)
            #expect(claims.subscriptionGroupIdentifier == transaction.subscriptionGroupID)
            #expect(claims.quantity == transaction.quantity)
            #expect(claims.purchaseDate == transaction.purchaseDate)
            #expect(claims.originalPurchaseDate == transaction.originalPurchaseDate)
            #expect(claims.expirationDate == transaction.expirationDate)
            #expect(claims.signedDate == transaction.signedDate)
            #expect(claims.appAccountToken == transaction.appAccountToken)
            #expect(claims.price == transaction.price.map { NSDecimalNumber(decimal: $0 * 1000).int64Value })
            #expect(
                claims.currency == transaction.currencyCode && claims.storefront == transaction.storefrontCountryCode)
            #expect(claims.environment == .sandbox && claims.bundleIdentifier == Fixtures.bundleIdentifier)
        }
        let claims = try transactions.map { try SignedTransaction(#require(signer.jws(of: $0))).unverifiedClaims }
        #expect(claims.map(\.productType) == [.consumable, .autoRenewable, .autoRenewable])
        #expect(claims.map(\.reason) == [.purchase, .purchase, .renewal])
        #expect(claims.map(\.offerType) == [nil, .introductory, nil])
        #expect(claims.map(\.offerDiscountType) == [nil, .freeTrial, nil])
        #expect(claims[0].appAccountToken == token && claims[0].quantity == 3)
    }

    @Test("X01 the receipt lists what was bought, as the transactions say it")
    func receipt() async throws {
        _ = try await manager.purchase(productIdentifier: Self.removeAds)
        _ = try await manager.purchase(productIdentifier: Self.magazine)
        store.clock.advance(by: 10 * 86_400)
        await store.settle()
        let receipt = try receiptVerifier().verify(data: #require(store.receiptData()))
        let transactions = store.allTransactions.map(\.transaction)
        #expect(receipt.creationDate == store.clock.now)
        #expect(receipt.purchases.count == 3)
        for transaction in transactions {
            let purchase = try #require(receipt.contents.purchase(withTransactionIdentifier: transaction.id))
            #expect(purchase.productIdentifier == transaction.productIdentifier)
            #expect(purchase.originalTransactionIdentifier == transaction.originalID)
            #expect(purchase.purchaseDate == transaction.purchaseDate)
            #expect(purchase.originalPurchaseDate == transaction.originalPurchaseDate)
            #expect(purchase.expirationDate == transaction.expirationDate)
            #expect(purchase.quantity == transaction.quantity)
        }
        let trial = try #require(receipt.purchases.first { $0.isTrialPeriod == true })
        #expect(trial.productIdentifier == Self.magazine && trial.productType == .autoRenewable)
        #expect(receipt.contents.containsPurchase(of: Self.removeAds))
    }

    @Test("J02 X02 a refund is in the signed transaction and in the receipt, and refuses both")
    func refund() async throws {
        _ = try await manager.purchase(productIdentifier: Self.removeAds)
        let id = try #require(store.allTransactions.first).transaction.id
        try store.refundTransaction(identifier: id)
        await store.settle()
        let transaction = try #require(store.latestTransaction(for: Self.removeAds))
        let date = try #require(transaction.revocationDate)
        let refused = Refusal.purchaseRevoked(date).description
        #expect(transaction.jwsRepresentation != nil)
        for verifier in [SignedTransactionVerifier(dataVerifier()), byReceipt()] as [any TransactionVerifier] {
            guard case .invalid(let reason) = await verifier.verify(transaction) else {
                Issue.record("a refund is accepted")
                continue
            }
            #expect(reason == refused)
        }
    }

    @Test("X02 a receipt for a device is for no other")
    func device() async throws {
        var bound = signer
        bound.deviceIdentifier = Fixtures.device
        store.signer = bound
        let data = try #require(store.receiptData())
        var verifier = receiptVerifier()
        verifier.deviceIdentifier = Fixtures.device
        #expect(try verifier.verify(data: data).deviceHash != nil)
        verifier.deviceIdentifier = Data(repeating: 7, count: 16)
        #expect(await Self.refusal(of: data, verifier) == .deviceMismatch)
    }

    @Test("J03 a signer for local testing claims to be from there, and is accepted only where that is asked for")
    func localTesting() async throws {
        var local = signer
        local.environment = .xcode
        store.signer = local
        _ = try await manager.purchase(productIdentifier: Self.coins)
        let transaction = try #require(store.latestTransaction(for: Self.coins))
        let signed = try SignedTransaction(#require(transaction.jwsRepresentation))
        let receipt = try #require(store.receiptData())
        let (strictByJWS, strictByReceipt) = (dataVerifier(), receiptVerifier())
        #expect(await Self.refusal(of: signed, strictByJWS) == .environmentNotAccepted(.xcode))
        #expect(await Self.refusal(of: receipt, strictByReceipt) == .environmentNotAccepted(.xcode))
        var bySignature = dataVerifier()
        bySignature.environments = [.xcode]
        #expect(try bySignature.verify(signed).isFromLocalTesting)
        var byReceipt = receiptVerifier()
        byReceipt.environments = [.xcode]
        #expect(try byReceipt.verify(data: receipt).isFromLocalTesting)
    }

    @Test("C02 an offer that the app's server signed is redeemed, one signed for another product or by another is not")
    func offers() async throws {
        let (server, stranger) = (try Self.offers(), try Self.offers())
        var strict = signer
        strict.offers = server
        store.signer = strict
        // Promotional offers are for those who subscribe, or once did.
        _ = try await manager.purchase(productIdentifier: Self.goldClub)
        try store.expireSubscription(productIdentifier: Self.goldClub)
        await store.settle()

        func offer(_ signer: PromotionalOfferSigner, _ product: String, account: String = "") throws -> PurchaseOffer {
            .promotional(
                try signer.signature(
                    offerID: "loyal", productIdentifier: product, account: account, nonce: UUID(), date: store.clock.now
                ))
        }
        func jws(_ signer: PromotionalOfferSigner, _ product: String) throws -> PurchaseOffer {
            .promotionalJWS(
                offerID: "loyal",
                compactJWS: try signer.jws(
                    offerID: "loyal", productIdentifier: product, nonce: UUID(), date: store.clock.now, issuer: "issuer"
                ))
        }
        let bad = [
            try offer(stranger, Self.club), try offer(server, Self.goldClub),
            try offer(server, Self.club, account: "sam"),
            try jws(stranger, Self.club), try jws(server, Self.goldClub),
        ]
        for offer in bad {
            await #expect(throws: StoreError.self) {
                try await manager.purchase(productIdentifier: Self.club, options: PurchaseOptions(offer: offer))
            }
        }
        let good = PurchaseOptions(applicationUsername: "sam", offer: try offer(server, Self.club, account: "sam"))
        #expect(try await manager.purchase(productIdentifier: Self.club, options: good).isPurchased)
        let transaction = try #require(store.latestTransaction(for: Self.club))
        let claims = try SignedTransaction(#require(transaction.jwsRepresentation)).unverifiedClaims
        #expect(claims.offerIdentifier == "loyal" && claims.offerType == .promotional)
        try store.expireSubscription(productIdentifier: Self.club)
        await store.settle()
        let signed = PurchaseOptions(offer: try jws(server, Self.club))
        #expect(try await manager.purchase(productIdentifier: Self.club, options: signed).isPurchased)
    }

    @Test("J01 what StoreKit makes besides is signed once it says that it is from here")
    func payloads() throws {
        let date = 1_706_356_800_000
        let renewal = Data(#"{"autoRenewStatus":1,"environment":"Xcode","signedDate":\#(date),"productId":"a/b"}"#.utf8)
        let info = try dataVerifier().verify(SignedRenewalInfo(#require(signer.jws(ofPayload: renewal))))
        #expect(info.productIdentifier == "a/b" && info.autoRenewStatus == .on && info.environment == .sandbox)
        let app = Data(#"{"bundleId":"com.example.else","receiptType":"Xcode","receiptCreationDate":\#(date)}"#.utf8)
        let transaction = try dataVerifier().verify(SignedAppTransaction(#require(signer.jws(ofPayload: app))))
        #expect(transaction.environment == .sandbox && transaction.bundleIdentifier == Fixtures.bundleIdentifier)
        #expect(signer.jws(ofPayload: Data("[]".utf8)) == nil)
        #expect(signer.jws(ofPayload: Data("{".utf8)) == nil)
    }

    private nonisolated static func refusal(of receipt: Data, _ verifier: AppReceiptVerifier) async -> Refusal? {
        await ReceiptVerificationTests.refusal { try verifier.verify(data: receipt) }
    }

    private nonisolated static func refusal(
        of transaction: SignedTransaction, _ verifier: SignedDataVerifier
    ) async -> Refusal? {
        await ReceiptVerificationTests.refusal { try verifier.verify(transaction) }
    }

    private static func offers() throws -> PromotionalOfferSigner {
        try PromotionalOfferSigner(bundleIdentifier: Fixtures.bundleIdentifier, keyIdentifier: "KEY")
    }

    private static var configuration: StoreConfiguration {
        let (week, month) = (
            StoreSubscriptionPeriod(value: 1, unit: .week), StoreSubscriptionPeriod(value: 1, unit: .month)
        )
        let trial = StoreConfiguration.Offer(type: .introductory, paymentMode: .freeTrial, price: 0, period: week)
        let loyal = StoreConfiguration.Offer(
            type: .promotional, id: "loyal", paymentMode: .payUpFront, price: 2.99, period: month)
        return StoreConfiguration(
            products: [
                .init(id: coins, type: .consumable, price: 0.99),
                .init(id: removeAds, type: .nonConsumable, price: 4.99),
                .init(
                    id: club, type: .autoRenewable, price: 4.99,
                    subscription: .init(groupID: "club", groupLevel: 2, period: month, promotionalOffers: [loyal])),
                .init(
                    id: goldClub, type: .autoRenewable, price: 9.99,
                    subscription: .init(groupID: "club", period: month)),
                .init(
                    id: magazine, type: .autoRenewable, price: 1.99,
                    subscription: .init(groupID: "magazine", period: month, introductoryOffers: [trial])),
            ],
            subscriptionGroups: [.init(id: "club", name: "Club"), .init(id: "magazine", name: "Magazine")])
    }
}

extension PurchaseOutcome {
    fileprivate var isPurchased: Bool { if case .purchased = self { true } else { false } }
}
