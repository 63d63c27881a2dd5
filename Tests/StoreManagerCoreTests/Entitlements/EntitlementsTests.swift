import Foundation
import StoreManagerCore
import Testing

/// What a history entitles to.
struct EntitlementsTests {
    @Test("T04 before the store was heard nothing is known, which is not the same as not entitled")
    func unknown() {
        let unknown = Entitlements.unknown(at: day(0))
        let empty = Entitlements(transactions: [], at: day(0))
        #expect(unknown.state(of: "unlock") == .unknown)
        #expect(empty.state(of: "unlock") == .notEntitled)
        #expect(!unknown.isKnown && empty.isKnown)
        let product = StoreProduct.subscription("sub", introductoryOffer: .freeWeek)
        #expect(unknown.introductoryOfferEligibility(for: product) == .unknown)
        #expect(unknown != empty)
    }

    @Test("T01 T02 what is owned or runs entitles, a consumable and what is over does not")
    func products() {
        let history: [StoreTransaction] = [
            .bought("unlock", .nonConsumable, id: "1"), .bought("pass", .nonRenewable, id: "2", until: day(50)),
            .bought("over", .nonRenewable, id: "3", until: day(5)), .bought("coins", .consumable, id: "4"),
            .bought("untold", .unknown, id: "5"), .bought("refunded", .nonConsumable, id: "6").refunded(on: day(1)),
            .subscribed("sub", id: "7", originalID: "7", from: 0),
            .bought("later", .nonConsumable, id: "8", on: day(11)),
        ]
        let entitlements = Entitlements(transactions: history, at: day(10))
        #expect(entitlements.productIdentifiers == ["unlock", "pass", "untold", "sub"])
        #expect(entitlements.transactions.map(\.id) == ["1", "2", "5", "7"])
        #expect(entitlements.state(of: "sub") == .entitled)
        #expect(entitlements.state(of: "coins") == .notEntitled)
    }

    @Test("T01 a subscription in its grace period entitles, one in billing retry does not", arguments: [true, false])
    func grace(isInGrace: Bool) {
        let info = StoreRenewalInfo(
            originalTransactionID: "1", currentProductIdentifier: "sub", isInBillingRetry: true,
            gracePeriodExpirationDate: isInGrace ? day(46) : nil)
        let entitlements = Entitlements(
            transactions: [.subscribed("sub", id: "1", from: 0)], renewalInfos: [info], at: day(40))
        #expect(entitlements.state(of: "sub") == (isInGrace ? .entitled : .notEntitled))
    }

    @Test("U04 T02 of several words about a transaction the one signed last counts", arguments: [true, false])
    func newestWord(reversed: Bool) {
        let bought = StoreTransaction.bought("unlock", .nonConsumable)
        let words = [bought, bought.refunded(on: day(2)), bought.signed(on: day(3))]
        func entitles(_ words: [StoreTransaction]) -> Bool {
            Entitlements(transactions: reversed ? words.reversed() : words, at: day(9)).state(of: "unlock") == .entitled
        }
        #expect(entitles(words))
        #expect(!entitles(Array(words.prefix(2))))
        #expect(!entitles(words.prefix(2).map { $0.signed(on: nil) }), "unsigned, the refund is the later word")
    }

    // MARK: Introductory offers

    let product = StoreProduct.subscription("sub", introductoryOffer: .freeWeek)

    func eligibility(_ history: [StoreTransaction], at date: Double = 100) -> IntroductoryOfferEligibility {
        Entitlements(
            transactions: history, products: [product, .subscription("pro")], at: day(date)
        ).introductoryOfferEligibility(for: product)
    }

    /// A month of a subscription that redeemed the introductory offer.
    func trial(_ product: String = "sub") -> StoreTransaction {
        .subscribed(product, id: "1", from: 0).with { $0.offer = StoreRedeemedOffer(type: .introductory) }
    }

    @Test("T03 who never subscribed, or never with an introductory offer, is eligible")
    func eligible() {
        #expect(eligibility([]) == .eligible)
        #expect(eligibility([.subscribed("sub", id: "1", from: 0)]) == .eligible)
        #expect(eligibility([.bought("unlock", .nonConsumable)]) == .eligible)
    }

    @Test("T03 who used an introductory offer in the group is not", arguments: ["sub", "pro"])
    func alreadyUsed(used: String) {
        #expect(eligibility([trial(used)]) == .alreadyUsed)
        #expect(eligibility([trial(used).with { $0.isUpgraded = true }]) == .alreadyUsed)
        #expect(eligibility([trial(used).refunded(on: day(3))]) == .alreadyUsed)
        #expect(eligibility([trial(used).with { $0.subscriptionGroupID = nil }]) == .alreadyUsed)
    }

    @Test("T03 an offer of another kind, another group's or the family's leaves one eligible")
    func otherOffers() {
        #expect(eligibility([trial().with { $0.offer?.type = .promotional }]) == .eligible)
        #expect(eligibility([trial("other").with { $0.subscriptionGroupID = "other" }]) == .eligible)
        #expect(eligibility([trial().with { $0.ownership = .familyShared }]) == .eligible)
    }

    @Test("T03 who subscribes to a plan of the group is not eligible", arguments: ["sub", "pro"])
    func subscribed(plan: String) {
        #expect(eligibility([.subscribed(plan, id: "1", from: 0)], at: 10) == .subscribed)
    }

    @Test("T03 no offer is a state of its own, known before the store is heard")
    func noOffer() {
        #expect(Entitlements.unknown(at: day(0)).introductoryOfferEligibility(for: .subscription("sub")) == .noOffer)
        let coins = StoreProduct(id: "coins", type: .consumable, price: 1)
        #expect(Entitlements(transactions: [], at: day(0)).introductoryOfferEligibility(for: coins) == .noOffer)
    }

    @Test("T03 products without a group do not share their offers")
    func noGroup() {
        let one = StoreProduct.subscription("one", group: "", introductoryOffer: .freeWeek)
        let other = StoreProduct.subscription("other", group: "", introductoryOffer: .freeWeek)
        let history = [trial("one").with { $0.subscriptionGroupID = "" }]
        let entitlements = Entitlements(transactions: history, products: [one, other], at: day(100))
        #expect(entitlements.introductoryOfferEligibility(for: one) == .alreadyUsed)
        #expect(entitlements.introductoryOfferEligibility(for: other) == .eligible)
    }
}
