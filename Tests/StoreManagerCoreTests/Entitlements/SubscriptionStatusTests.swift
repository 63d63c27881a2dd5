import Foundation
import StoreManagerCore
import StoreSimulator
import TestSupport
import Testing

/// The state of a subscription, worked out from its history.
struct SubscriptionStatusTests {
    /// Three monthly periods of one subscription.
    let history = [
        StoreTransaction.subscribed("sub", id: "1", from: 0), .subscribed("sub", id: "2", from: 30),
        .subscribed("sub", id: "3", from: 60),
    ]

    /// The status that decides in the group.
    func best(
        _ history: [StoreTransaction], _ infos: [StoreRenewalInfo] = [], products: [StoreProduct] = [], at date: Double
    ) -> StoreSubscriptionStatus? {
        Entitlements(transactions: history, renewalInfos: infos, products: products, at: day(date))
            .subscription(inGroup: "group")
    }

    func info(retrying: Bool, graceUntil: Double? = nil, signed: Double = 90) -> StoreRenewalInfo {
        StoreRenewalInfo(
            originalTransactionID: "1", currentProductIdentifier: "sub", isInBillingRetry: retrying,
            gracePeriodExpirationDate: graceUntil.map(day), signedDate: day(signed))
    }

    @Test(
        "T02 the five states, and which of them give access",
        arguments: [
            (StoreSubscriptionStatus.State.subscribed, true), (.inGracePeriod, true), (.inBillingRetry, false),
            (.expired, false), (.revoked, false),
        ])
    func states(state: StoreSubscriptionStatus.State, hasAccess: Bool) throws {
        let cases: [StoreSubscriptionStatus.State: StoreSubscriptionStatus?] = [
            .subscribed: best(history, at: 70),
            .inGracePeriod: best(history, [info(retrying: true, graceUntil: 106)], at: 100),
            .inBillingRetry: best(history, [info(retrying: true)], at: 100),
            .expired: best(history, [info(retrying: false)], at: 100),
            .revoked: best(history.map { $0.id == "3" ? $0.refunded(on: day(70)) : $0 }, at: 75),
        ]
        let date = state == .subscribed ? day(70) : state == .revoked ? day(75) : day(100)
        let status = try #require(cases[state] ?? nil)
        #expect(status.state(at: date) == state)
        #expect(status.hasAccess(at: date) == hasAccess)
        #expect(status.transaction.id == "3")
    }

    @Test(
        "T01 T02 access runs through the grace period and ends with it, exclusive",
        arguments: [(89.9, true), (90, true), (105.9, true), (106, false)])
    func graceEnds(date: Double, hasAccess: Bool) throws {
        let status = try #require(best(history, [info(retrying: true, graceUntil: 106)], at: 100))
        #expect(status.hasAccess(at: day(date)) == hasAccess)
        #expect(date < 106 || status.state(at: day(date)) == .inBillingRetry)
    }

    @Test("T02 of several infos on one subscription the one signed last counts", arguments: [true, false])
    func newestInfo(newestFirst: Bool) {
        let infos = [info(retrying: true, signed: 91), info(retrying: false, signed: 95)]
        #expect(
            best(history, newestFirst ? infos.reversed() : infos, at: 100)?.state(at: day(100)) == .expired)
    }

    @Test("T02 a refunded renewal does not end the period that was paid before it")
    func refundedRenewal() throws {
        let early = StoreTransaction.subscribed("sub", id: "2", from: 29).refunded(on: day(29.5))
        let status = try #require(best([history[0], early], at: 29.6))
        #expect(status.state(at: day(29.6)) == .subscribed)
        #expect(status.transaction.id == "1")
    }

    @Test("T02 an upgraded transaction gives way to the better plan, whichever comes first", arguments: [true, false])
    func upgrade(reversed: Bool) throws {
        let basic = StoreTransaction.subscribed("basic", id: "1", from: 0).with { $0.isUpgraded = true }
        let pro = StoreTransaction.subscribed("pro", id: "2", from: 10)
        let entitlements = Entitlements(transactions: reversed ? [pro, basic] : [basic, pro], at: day(20))
        #expect(entitlements.subscriptions.map(\.transaction.productIdentifier) == ["pro"])
        #expect(entitlements.productIdentifiers == ["pro"])
    }

    @Test(
        "T02 a better plan takes the place of a longer period though the history has no later word of that",
        arguments: [true, false], [10.0, 0])
    func upgradeUntold(reversed: Bool, day start: Double) throws {
        let year = StoreTransaction.subscribed("silver", id: "9", originalID: "9", from: 0).with {
            $0.expirationDate = day(365)
        }
        let month = StoreTransaction.subscribed("gold", id: "10", originalID: "9", from: start)
        let history = reversed ? [month, year] : [year, month]
        func entitlements(_ history: [StoreTransaction], at date: Double) -> Set<String> {
            Entitlements(transactions: history, at: day(date)).productIdentifiers
        }
        #expect(entitlements(history, at: start + 1) == ["gold"])
        if start > 0 { #expect(entitlements(history, at: start - 1) == ["silver"]) }
        // What was left of the year was given back when the plan changed.
        #expect(entitlements(history, at: start + 40) == [])
        #expect(best(history, at: start + 40)?.state(at: day(start + 40)) == .expired)
        #expect(entitlements(history.map { $0.id == "10" ? $0.refunded(on: day(start + 2)) : $0 }, at: start + 3) == [])
        let platinum = StoreTransaction.subscribed("platinum", id: "11", originalID: "9", from: start + 5)
        #expect(entitlements([platinum] + history, at: start + 6) == ["platinum"])
    }

    @Test("T02 a plan that takes over at the renewal leaves the one before its whole period")
    func changeAtRenewal() {
        let gold = StoreTransaction.subscribed("gold", id: "1", from: 0)
        let silver = StoreTransaction.subscribed("silver", id: "2", from: 30)
        #expect(best([gold, silver], at: 29)?.transaction.id == "1")
        #expect(best([gold, silver], at: 31)?.transaction.id == "2")
        #expect(best([gold, silver.refunded(on: day(30))], at: 29)?.transaction.id == "1")
    }

    @Test("T02 the status never rests on an upgraded transaction, however long its period was")
    func upgradedYear() throws {
        let year = StoreTransaction.subscribed("basic", id: "1", from: 0).with {
            $0.isUpgraded = true
            $0.expirationDate = day(365)
        }
        #expect(best([year, .subscribed("pro", id: "2", from: 10)], at: 100)?.transaction.id == "2")
        #expect(best([year], at: 5) == nil)
    }

    @Test("T02 one's own and the family's: access first, then the higher plan, then one's own, then the longer")
    func precedence() {
        let products = [StoreProduct.subscription("high", level: 1), .subscription("low", level: 2)]
        func line(_ product: String, _ id: String, family: Bool = false, from: Double = 0) -> StoreTransaction {
            .subscribed(product, id: id, originalID: id, from: from).with {
                $0.ownership = family ? .familyShared : .purchased
            }
        }
        let all = [
            line("high", "own high"), line("high", "longer family high", family: true, from: 2),
            line("high", "family high", family: true), line("low", "own low"), line("untold", "untold"),
            line("high", "over", from: -40),
        ]
        for seed in UInt64(1)...10 {
            var chance = SplitMix64(seed: seed)
            let entitlements = Entitlements(
                transactions: all.shuffled(using: &chance), products: products, at: day(10))
            #expect(
                entitlements.subscriptions.map(\.transaction.id) == [
                    "own high", "longer family high", "family high", "own low", "untold", "over",
                ], "seed \(seed)")
            #expect(entitlements.subscription(inGroup: "group")?.groupLevel == 1)
        }
    }

    @Test("T02 a family's subscription gives access; when it is no longer shared it is revoked")
    func family() throws {
        let shared = StoreTransaction.subscribed("sub", id: "1", from: 0).with { $0.ownership = .familyShared }
        #expect(try #require(best([shared], at: 10)).hasAccess(at: day(10)))
        #expect(try #require(best([shared.refunded(on: day(5))], at: 10)).state(at: day(10)) == .revoked)
    }

    @Test("T02 the state does not depend on the order of the history, nor on repetitions", arguments: UInt64(1)...30)
    func order(seed: UInt64) {
        var chance = SplitMix64(seed: seed)
        var words = history
        for _ in 1...6 {
            guard let transaction = history.randomElement(using: &chance) else { continue }
            let signed = transaction.signed(on: day(Double.random(in: 60...90, using: &chance)))
            words.append(Bool.random(using: &chance) ? signed : signed.refunded(on: signed.signedDate ?? day(0)))
        }
        let date = Double.random(in: 0...120, using: &chance)
        let expected = Entitlements(transactions: words, at: day(date))
        for _ in 1...5 {
            let shuffled = (words + words.prefix(3)).shuffled(using: &chance)
            #expect(Entitlements(transactions: shuffled, at: day(date)) == expected, "seed \(seed)")
        }
    }

    @Test("T02 a subscription that begins after the date is not there yet")
    func notYet() {
        #expect(best(history, at: -1) == nil)
        #expect(best(history, at: 35)?.transaction.id == "2")
    }

    @Test("T02 where the transaction tells no group its product's is taken")
    func groupOfTheProduct() {
        let untold = history.map { $0.with { $0.subscriptionGroupID = nil } }
        #expect(best(untold, at: 70) == nil)
        #expect(best(untold, products: [.subscription("sub")], at: 70)?.transaction.id == "3")
    }
}

extension StoreTransaction {
    /// A month of a subscription in the group "group".
    static func subscribed(
        _ product: String, id: String, originalID: String = "1", from start: Double
    ) -> StoreTransaction {
        .bought(product, .autoRenewable, id: id, originalID: originalID, on: day(start), until: day(start + 30))
            .with { $0.subscriptionGroupID = "group" }
    }
}
