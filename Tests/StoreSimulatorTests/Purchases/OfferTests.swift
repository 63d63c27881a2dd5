import Foundation
import StoreManagerCore
import StoreSimulator
import Testing

@MainActor
@Suite("Offers")
struct OfferTests {
    let store = SimulatedStore(configuration: Shop.configuration())
    let app: TestApp
    let month = StoreSubscriptionPeriod(value: 1, unit: .month)

    init() { app = TestApp(store) }

    private func signed(_ id: String, keyID: String = "KEY", signature: String = "c2lnbmF0dXJl") -> PurchaseOptions {
        PurchaseOptions(
            offer: .promotional(
                PromotionalOfferSignature(offerID: id, keyID: keyID, nonce: UUID(), signature: signature, timestamp: 1))
        )
    }

    /// A statement on the introductory offer; nobody signed it.
    private func statement(_ payload: String) -> PurchaseOptions {
        let encoded = Data(payload.utf8).base64EncodedString().replacing("=", with: "")
        return PurchaseOptions(offer: .introductoryEligibility(compactJWS: "e30.\(encoded).e30"))
    }

    /// Makes the account a former subscriber.
    private func lapse() async throws {
        try await app.purchase(Shop.silverWeekly)
        try store.expireSubscription(productIdentifier: Shop.silverWeekly)
    }

    @Test("C03 a free trial comes first, once a group, and the paid periods follow from its end")
    func introductory() async throws {
        #expect(store.isEligibleForIntroductoryOffer(inGroup: "magazine"))
        let trial = try await app.purchase(Shop.magazine)
        #expect(trial.offer == StoreRedeemedOffer(type: .introductory, paymentMode: .freeTrial))
        #expect(trial.price == 0)
        #expect(trial.expirationDate == trial.purchaseDate + 7 * 86_400)
        #expect(!store.isEligibleForIntroductoryOffer(inGroup: "magazine"))
        store.clock.advance(by: StoreSubscriptionPeriod(value: 1, unit: .week))
        let paid = try #require(store.allTransactions.last)
        #expect(paid.price == 2.99)
        #expect(paid.offer == nil)
        #expect(paid.purchaseDate == trial.expirationDate)
        try store.expireSubscription(productIdentifier: Shop.magazine)
        #expect(try await app.purchase(Shop.magazine).offer == nil)
    }

    @Test("C03 an offer that is paid as you go runs for its periods at its price, then the full price begins")
    func payAsYouGo() async throws {
        try await lapse()
        let first = try await app.purchase(Shop.silverMonthly, signed("loyal"))
        store.clock.advance(by: StoreSubscriptionPeriod(value: 4, unit: .month))
        let prices = store.allTransactions.filter { $0.productIdentifier == Shop.silverMonthly }.map(\.price)
        #expect(prices == [2.99, 2.99, 2.99, 4.99, 4.99])
        #expect(first.offer == StoreRedeemedOffer(id: "loyal", type: .promotional, paymentMode: .payAsYouGo))
        #expect(store.allTransactions.map(\.offer?.id).suffix(5) == ["loyal", "loyal", "loyal", nil, nil])
    }

    @Test("C03 an offer that is paid up front is one long period")
    func payUpFront() async throws {
        try await lapse()
        let options = PurchaseOptions(offer: .winBack(offerID: "comeback"))
        let first = try await app.purchase(Shop.silverMonthly, options)
        #expect(first.price == 5.99)
        #expect(first.offer?.type == .winBack)
        let months = Calendar(identifier: .gregorian).dateComponents(
            [.month], from: first.purchaseDate, to: try #require(first.expirationDate))
        #expect(months.month == 3)
    }

    @Test("C03 a subscriber's offer for his own plan begins with the renewal")
    func offerForSubscriber() async throws {
        try await app.purchase(Shop.silverMonthly)
        #expect(try await app.purchase(Shop.silverMonthly, signed("loyal")).state == .scheduled)
        #expect(store.renewalInfos.first?.offer?.id == "loyal")
        store.clock.advance(by: StoreSubscriptionPeriod(value: 4, unit: .month))
        #expect(store.allTransactions.map(\.price) == [4.99, 2.99, 2.99, 2.99, 4.99])
    }

    @Test(
        "C02 each thing that can be wrong with an offer fails the purchase with its own error",
        arguments: [
            ("loyal", "KEY", "c2lnbmF0dXJl", false, StoreAPIFailure.Purchase.ineligibleForOffer),
            ("nothing", "KEY", "c2lnbmF0dXJl", true, .invalidOfferIdentifier),
            ("loyal", "KEY", "not base64!", true, .invalidOfferSignature),
            ("loyal", "", "c2lnbmF0dXJl", true, .missingOfferParameters),
            ("priceless", "KEY", "c2lnbmF0dXJl", true, .invalidOfferPrice),
        ])
    func wrong(
        id: String, keyID: String, signature: String, hasSubscribed: Bool, failure: StoreAPIFailure.Purchase
    ) async throws {
        if hasSubscribed { try await lapse() }
        let answer = await app.buy(Shop.silverMonthly, signed(id, keyID: keyID, signature: signature))
        #expect(answer.error?.underlyingError as? StoreAPIFailure == .purchase(failure))
        #expect(answer.transaction?.state == .failed)
    }

    @Test("C02 the key of a promotional offer must be the configuration's, where that has one")
    func key() async throws {
        let configuration = Shop.configuration { configuration in
            let key = StoreConfiguration.PrivateKey(base64: "")
            configuration.offersKeyPair = StoreConfiguration.OffersKeyPair(id: "OURS", privateKey: key)
        }
        let app = TestApp(SimulatedStore(configuration: configuration))
        try await app.purchase(Shop.silverMonthly)
        let foreign = await app.buy(Shop.silverMonthly, signed("loyal"))
        #expect(foreign.error?.underlyingError as? StoreAPIFailure == .purchase(.invalidOfferSignature))
        #expect(try await app.purchase(Shop.silverMonthly, signed("loyal", keyID: "OURS")).state == .scheduled)
    }

    @Test("C02 offers in JWS form, of another product, and win-back offers for those who never left are refused")
    func otherForms() async throws {
        let jws = PurchaseOptions(offer: .promotionalJWS(offerID: "loyal", compactJWS: "a.b"))
        #expect(await app.buy(Shop.silverMonthly, jws).transaction?.state == .failed)
        let whole = PurchaseOptions(offer: .promotionalJWS(offerID: "loyal", compactJWS: "a.b.c"))
        #expect(await app.buy(Shop.silverMonthly, whole).transaction?.state == .failed)
        try await lapse()
        #expect(try await app.purchase(Shop.silverMonthly, whole).price == 2.99)
        let winBack = PurchaseOptions(offer: .winBack(offerID: "comeback"))
        let refused = await app.buy(Shop.silverMonthly, winBack)
        #expect(refused.error?.underlyingError as? StoreAPIFailure == .purchase(.ineligibleForOffer))
        let coins = await app.buy(Shop.coins, winBack)
        #expect(coins.error?.underlyingError as? StoreAPIFailure == .purchase(.invalidOfferIdentifier))
    }

    @Test("C02 the introductory offer alone can be made to be had again")
    func eligibilityReset() async throws {
        store.habits.remembersEligibility = true
        let trial = try await app.purchase(Shop.magazine)
        #expect(!store.isEligibleForIntroductoryOffer(inGroup: "magazine"))
        store.resetIntroductoryOfferEligibility(inGroup: "magazine")
        #expect(!store.isEligibleForIntroductoryOffer(inGroup: "magazine"))
        try store.expireSubscription(productIdentifier: Shop.magazine)
        store.resetIntroductoryOfferEligibility(inGroup: "magazine")
        #expect(store.isEligibleForIntroductoryOffer(inGroup: "magazine"))
        #expect(store.allTransactions.map(\.id) == [trial.id])
        #expect(try await app.purchase(Shop.magazine).offer?.type == .introductory)
        try store.expireSubscription(productIdentifier: Shop.magazine)
        #expect(try await app.purchase(Shop.magazine).offer == nil)
    }

    @Test("C02 who is in billing retry has not left: no win-back offer is sold, none is listed")
    func winBackInRetry() async throws {
        store.shouldEnterBillingRetryOnRenewal = true
        try await app.purchase(Shop.silverMonthly)
        store.clock.advance(by: StoreSubscriptionPeriod(value: 5, unit: .week))
        #expect(store.subscriptionState(inGroup: Shop.group) == .inBillingRetry)
        #expect(store.renewalInfos.first?.eligibleWinBackOfferIDs == [])
        let winBack = PurchaseOptions(offer: .winBack(offerID: "comeback"))
        let refused = await app.buy(Shop.silverMonthly, winBack)
        #expect(refused.error?.underlyingError as? StoreAPIFailure == .purchase(.ineligibleForOffer))
        store.clock.advance(by: StoreSubscriptionPeriod(value: 2, unit: .month))
        #expect(store.renewalInfos.first?.eligibleWinBackOfferIDs == ["comeback"])
        #expect(try await app.purchase(Shop.silverMonthly, winBack).price == 5.99)
    }

    @Test("C02 a statement of the app's server decides on the introductory offer")
    func statements() async throws {
        let refused = try await app.purchase(Shop.magazine, statement(#"{"allowIntroductoryOffer":false}"#))
        #expect(refused.offer == nil)
        try store.expireSubscription(productIdentifier: Shop.magazine)
        let allowed = try await app.purchase(Shop.magazine, statement(#"{"allowIntroductoryOffer":true}"#))
        #expect(allowed.offer?.type == .introductory)
        try store.expireSubscription(productIdentifier: Shop.magazine)
        let unreadable = await app.buy(Shop.magazine, statement("{}"))
        #expect(unreadable.error?.underlyingError as? StoreAPIFailure == .purchase(.invalidOfferSignature))
        store.habits.passesOverUntrustedEligibility = true
        #expect(try await app.purchase(Shop.magazine, statement("{}")).price == 2.99)
    }

    @Test("C02 an offer code is redeemed outside the app by whom it is for, and arrives unasked")
    func offerCode() async throws {
        let transaction = try store.redeemOfferCode(referenceName: "fair", productIdentifier: Shop.silverMonthly)
        await store.settle()
        #expect(app.unasked == [transaction])
        #expect(transaction.offer == StoreRedeemedOffer(id: "fair", type: .code, paymentMode: .freeTrial))
        #expect(throws: SimulatorError.self) {
            try store.redeemOfferCode(referenceName: "fair", productIdentifier: Shop.silverMonthly)
        }
    }

    @Test("C02 an offer that a signer does not trust fails the purchase")
    func untrusted() async throws {
        try await lapse()
        store.signer = DistrustfulSigner()
        let answer = await app.buy(Shop.silverMonthly, signed("loyal"))
        #expect(answer.error?.underlyingError as? StoreAPIFailure == .purchase(.invalidOfferSignature))
        let coins = try await app.purchase(Shop.coins)
        #expect(coins.jwsRepresentation == "signed \(coins.id)")
        #expect(store.receiptData() == Data("2".utf8))
    }
}

/// Signs with a word, trusts no offer, and writes receipts that count transactions.
private struct DistrustfulSigner: StoreSigner {
    func jws(of transaction: StoreTransaction) -> String? { "signed \(transaction.id)" }
    func receipt(of transactions: [StoreTransaction], at date: Date) -> Data? { Data("\(transactions.count)".utf8) }
    func trusts(_ offer: PurchaseOffer, in payment: StorePayment) -> Bool { false }
}
