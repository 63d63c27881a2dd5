import Foundation
import StoreManagerCore
import Testing

/// The ledger as a value.
final class LedgerTests {
    var ledger = Ledger()

    func consume(_ product: String, quantity: Int = 1) -> Bool { ledger.consume(product, quantity: quantity) }

    @Test("S06 an empty ledger knows nothing")
    func empty() {
        #expect(!ledger.isPurchased("coins"))
        #expect(ledger.count(of: "coins") == 0)
        #expect(ledger.purchasedProductIdentifiers.isEmpty)
        #expect(ledger.transactions(for: "coins").isEmpty)
    }

    @Test(
        "S06 a consumable and a product of unknown type count their quantity, everything else counts 1",
        arguments: [
            (StoreProductType.consumable, 6), (.unknown, 6), (.nonConsumable, 1), (.nonRenewable, 1),
            (.autoRenewable, 1),
        ])
    func quantities(type: StoreProductType, count: Int) {
        ledger.record(.bought("p", type, id: "1", quantity: 2))
        ledger.record(.bought("p", type, id: "2", quantity: 4))
        #expect(ledger.count(of: "p") == count)
        #expect(ledger.isPurchased("p"))
        #expect(ledger.purchasedProductIdentifiers == ["p"])
        #expect(ledger.transactions(for: "p").map(\.id) == ["1", "2"])
    }

    @Test("S06 recording a purchase again changes nothing", arguments: StoreProductType.allCases)
    func duplicates(type: StoreProductType) {
        let transaction = StoreTransaction.bought("p", type, quantity: 3)
        ledger.record(transaction)
        let once = ledger
        ledger.record(transaction)
        #expect(ledger == once)
    }

    @Test(
        "S06 what is neither purchased nor restored changes nothing",
        arguments: StoreTransactionState.allCases.filter { $0 != .purchased && $0 != .restored })
    func otherStates(state: StoreTransactionState) {
        ledger.record(.bought("p").with { $0.state = state })
        #expect(ledger == Ledger())
    }

    @Test("S06 a quantity below 1 counts as 1, and sums end at the greatest number")
    func absurdQuantities() {
        ledger.record(.bought("p", id: "1", quantity: -5))
        #expect(ledger.count(of: "p") == 1)
        ledger.record(.bought("p", id: "2", quantity: .max))
        #expect(ledger.count(of: "p") == .max)
    }

    @Test("S06 consuming takes from the oldest purchase, and nothing where fewer are left")
    func consuming() {
        ledger.record(.bought("coins", id: "b", quantity: 5, on: day(2)))
        ledger.record(.bought("coins", id: "a", quantity: 3, on: day(1)))
        #expect(consume("coins", quantity: 4))
        #expect(ledger.transactions(for: "coins").map(\.consumed) == [3, 1])
        #expect(ledger.count(of: "coins") == 4)
        let before = ledger
        #expect(!consume("coins", quantity: 5))
        #expect(!consume("coins", quantity: 0))
        #expect(!consume("coins", quantity: -1))
        #expect(!consume("gems"))
        #expect(ledger == before)
    }

    @Test("S06 what was all consumed is still purchased")
    func consumedIsPurchased() {
        ledger.record(.bought("coins"))
        #expect(consume("coins"))
        #expect(ledger.count(of: "coins") == 0)
        #expect(ledger.isPurchased("coins"))
        #expect(ledger.purchasedProductIdentifiers == ["coins"])
    }

    @Test(
        "S06 what is owned rather than counted cannot be consumed",
        arguments: [StoreProductType.nonConsumable, .nonRenewable, .autoRenewable])
    func notConsumable(type: StoreProductType) {
        ledger.record(.bought("p", type))
        #expect(!consume("p"))
        #expect(ledger.count(of: "p") == 1)
    }

    @Test("S06 restoring on this device leaves a consumable's count as it is")
    func restoringHere() {
        let transaction = StoreTransaction.bought("coins", quantity: 5)
        ledger.record(transaction)
        #expect(consume("coins", quantity: 2))
        ledger.record(transaction.restored(on: day(9)))
        #expect(ledger.count(of: "coins") == 3)
    }

    @Test("S06 restoring on another device grants no consumable, but what is owned")
    func restoringElsewhere() {
        ledger.record(.bought("coins", id: "1", quantity: 5).restored(on: day(9)))
        ledger.record(.bought("unlock", .nonConsumable, id: "2").restored(on: day(9)))
        ledger.record(.bought("untold", .unknown, id: "3", quantity: 5).restored(on: day(9)))
        #expect(ledger.count(of: "coins") == 0)
        #expect(ledger.isPurchased("coins"))
        #expect(ledger.count(of: "unlock") == 1)
        #expect(ledger.count(of: "untold") == 1)
    }

    @Test("S06 a restored consumable that turns out to be unfinished is counted when the store delivers it")
    func restoredThenPurchased() {
        let transaction = StoreTransaction.bought("coins", quantity: 5)
        ledger.record(transaction.restored(on: day(9)))
        ledger.record(transaction)
        #expect(ledger.count(of: "coins") == 5)
    }

    @Test("S06 a restored copy with an identifier of its own updates the row of its original")
    func restoredUnderANewIdentifier() {
        ledger.record(.bought("unlock", .unknown, id: "1"))
        ledger.record(.bought("unlock", .unknown, id: "77", originalID: "1", on: day(3)).restored(on: day(3)))
        #expect(ledger.count(of: "unlock") == 1)
        #expect(ledger.transactions(for: "unlock").map(\.latestTransactionID) == ["77"])
    }

    @Test("S06 a renewal updates its row, in whatever order the store tells of it")
    func renewals() {
        let first = StoreTransaction.bought("sub", .autoRenewable, id: "1", until: day(30))
        let second = StoreTransaction.bought(
            "sub", .autoRenewable, id: "2", originalID: "1", on: day(30), until: day(60))
        let third = StoreTransaction.bought(
            "sub", .autoRenewable, id: "3", originalID: "1", on: day(60), until: day(90))
        for transaction in [first, third, second.restored(on: day(95)), first.restored(on: day(96))] {
            ledger.record(transaction)
        }
        let rows = ledger.transactions(for: "sub")
        #expect(rows.count == 1)
        #expect(rows.first?.latestTransactionID == "3")
        #expect(rows.first?.expirationDate == day(90))
        #expect(ledger.count(of: "sub") == 1)
    }

    @Test("S06 once a store tells the type of a product, what was counted before it counts once")
    func typeIsLearned() {
        ledger.record(.bought("unlock", .unknown, id: "1"))
        ledger.record(.bought("unlock", .unknown, id: "2"))
        #expect(ledger.count(of: "unlock") == 2)
        ledger.record(.bought("unlock", .nonConsumable, id: "3"))
        #expect(ledger.count(of: "unlock") == 1)
        ledger.record(.bought("unlock", .unknown, id: "4"))
        #expect(ledger.productType(of: "unlock") == .nonConsumable)
    }

    @Test("U04 S06 a refund takes back the whole quantity, never below 0, and leaves other purchases alone")
    func refunds() {
        let refunded = StoreTransaction.bought("coins", id: "1", quantity: 5, on: day(1))
        ledger.record(refunded)
        ledger.record(.bought("coins", id: "2", quantity: 4, on: day(2)))
        #expect(consume("coins", quantity: 3))
        ledger.record(refunded.refunded(on: day(3)))
        #expect(ledger.count(of: "coins") == 4)
        #expect(ledger.isPurchased("coins"))
        #expect(ledger.transactions(for: "coins").map(\.revocationDate) == [day(3), nil])
        #expect(consume("coins", quantity: 4))
        #expect(ledger.count(of: "coins") == 0)
    }

    @Test("U04 a refunded product is not purchased, its row is kept and marked", arguments: StoreProductType.allCases)
    func refundedIsNotPurchased(type: StoreProductType) {
        let transaction = StoreTransaction.bought("p", type)
        ledger.record(transaction)
        ledger.record(transaction.refunded(on: day(3)))
        #expect(!ledger.isPurchased("p"))
        #expect(ledger.count(of: "p") == 0)
        #expect(ledger.purchasedProductIdentifiers.isEmpty)
        #expect(ledger.transactions(for: "p").map(\.revocationDate) == [day(3)])
    }

    @Test(
        "U04 a product that is taken back without a word of which purchase is taken back altogether, until it is bought again",
        arguments: StoreProductType.allCases)
    func takenBackAltogether(type: StoreProductType) {
        ledger.record(.bought("p", type, id: "1"))
        ledger.record(.bought("p", type, id: "2"))
        ledger.record(.bought("q", type, id: "3"))
        var revoked = StoreTransaction.bought("p", id: "revoked")
        revoked.originalID = ""
        revoked.revocationDate = day(3)
        ledger.record(revoked)
        #expect(ledger.purchasedProductIdentifiers == ["q"])
        #expect(ledger.count(of: "p") == 0)
        #expect(ledger.transactions(for: "p").map(\.revocationDate) == [day(3), day(3)])
        #expect(ledger.isSuperseded(.bought("p", type, id: "2")))
        ledger.record(.bought("p", type, id: "4"))
        #expect(ledger.count(of: "p") == 1)
        revoked.productIdentifier = "unheard of"
        ledger.record(revoked)
        #expect(ledger.transactions(for: "unheard of").isEmpty)
    }

    @Test("U04 a reversed refund counts again what was not consumed")
    func reversedRefund() {
        let transaction = StoreTransaction.bought("coins", quantity: 5)
        ledger.record(transaction)
        #expect(consume("coins", quantity: 2))
        ledger.record(transaction.refunded(on: day(3)))
        ledger.record(transaction.signed(on: day(5)))
        #expect(ledger.count(of: "coins") == 3)
    }

    @Test("U04 an older copy that comes after the refund grants nothing", arguments: [day(1), day(0), nil])
    func lateCopy(signed: Date?) {
        let transaction = StoreTransaction.bought("coins", quantity: 5)
        ledger.record(transaction.refunded(on: day(3)))
        let copy = transaction.signed(on: signed)
        #expect(ledger.isSuperseded(copy))
        ledger.record(copy)
        ledger.record(copy.restored(on: day(2)))
        #expect(ledger.count(of: "coins") == 0)
        #expect(!ledger.isPurchased("coins"))
    }

    @Test("U04 without signatures a refund is later than the purchase, whatever comes first", arguments: [true, false])
    func unsigned(refundFirst: Bool) {
        let bought = StoreTransaction.bought("p", .nonConsumable).with { $0.signedDate = nil }
        let refunded = bought.with { $0.revocationDate = day(3) }
        for transaction in refundFirst ? [refunded, bought] : [bought, refunded] { ledger.record(transaction) }
        #expect(!ledger.isPurchased("p"))
    }

    @Test(
        "U04 a refund of an earlier period leaves the renewal; a refund of the last one is not undone by an earlier period"
    )
    func refundedPeriods() {
        let first = StoreTransaction.bought("sub", .autoRenewable, id: "1", until: day(30))
        let second = StoreTransaction.bought(
            "sub", .autoRenewable, id: "2", originalID: "1", on: day(30), until: day(60))
        ledger.record(first)
        ledger.record(second)
        ledger.record(first.refunded(on: day(40)))
        #expect(ledger.isPurchased("sub"))
        ledger.record(second.refunded(on: day(41)))
        ledger.record(first.restored(on: day(50)))
        #expect(!ledger.isPurchased("sub"))
    }

    @Test("S06 a plan that gave way to a better one no longer counts, until it is subscribed to again")
    func upgrades() {
        let basic = StoreTransaction.bought("basic", .autoRenewable, id: "1", until: day(30))
        ledger.record(basic)
        ledger.record(
            basic.with {
                $0.isUpgraded = true
                $0.signedDate = day(10)
            })
        ledger.record(.bought("pro", .autoRenewable, id: "2", originalID: "1", on: day(10), until: day(40)))
        #expect(ledger.purchasedProductIdentifiers == ["pro"])
        #expect(ledger.isSuperseded(basic))
        ledger.record(.bought("basic", .autoRenewable, id: "3", originalID: "1", on: day(40), until: day(70)))
        #expect(ledger.purchasedProductIdentifiers == ["basic", "pro"])
    }

    @Test(
        "S06 a plan gives way to a better one though the store says so only of that one, whatever comes first",
        arguments: [true, false], [true, false])
    func upgradesUntold(reversed: Bool, isSigned: Bool) {
        let silver = StoreTransaction.bought("silver", .autoRenewable, id: "9", until: day(365))
        let gold = StoreTransaction.bought(
            "gold", .autoRenewable, id: "10", originalID: "9", on: day(10), until: day(40))
        let words = [silver, gold].map { isSigned ? $0 : $0.signed(on: nil) }
        for word in reversed ? words.reversed() : words { ledger.record(word) }
        #expect(ledger.purchasedProductIdentifiers == ["gold"])
        #expect(ledger.count(of: "silver") == 0)
        #expect(ledger.transactions(for: "silver").map(\.isUpgraded) == [true])
        // The old word, repeated, changes nothing; nor does the end of the better plan.
        ledger.record(words[0])
        ledger.record(words[1].refunded(on: day(12)))
        #expect(ledger.isSuperseded(words[0]))
        #expect(ledger.purchasedProductIdentifiers == [])
        // Only one subscription was replaced.
        ledger.record(.bought("silver", .autoRenewable, id: "20", until: day(365)))
        #expect(ledger.purchasedProductIdentifiers == ["silver"])
    }

    @Test("S06 a plan that takes over when the period of another has ended does not take its place")
    func changesAtRenewal() {
        ledger.record(.bought("gold", .autoRenewable, id: "1", until: day(30)))
        ledger.record(.bought("silver", .autoRenewable, id: "2", originalID: "1", on: day(30), until: day(60)))
        #expect(ledger.purchasedProductIdentifiers == ["gold", "silver"])
    }

    @Test(
        "P13 a finished state is known by identifier, revocation, upgrade and expiry, not by the date of its signature")
    func finishing() {
        let bought = StoreTransaction.bought("sub", .autoRenewable, until: day(30))
        #expect(!ledger.isFinished(bought))
        ledger.record(bought)
        #expect(!ledger.isFinished(bought))
        ledger.markFinished(bought)
        #expect(ledger.isFinished(bought))
        #expect(ledger.isFinished(bought.signed(on: day(9))))
        #expect(!ledger.isFinished(bought.refunded(on: day(9))))
        #expect(!ledger.isFinished(bought.signed(on: day(9)).with { $0.isUpgraded = true }))
        #expect(!ledger.isFinished(bought.signed(on: day(9)).with { $0.expirationDate = day(31) }))
        #expect(!ledger.isFinished(.bought("sub", .autoRenewable, id: "2", originalID: "1", on: day(30))))
    }

    @Test("U04 the refund of an earlier period, and its reversal, are news although a later period was recorded")
    func reversedRefundOfEarlierPeriod() {
        var ledger = Ledger()
        let first = StoreTransaction.bought("silver", .autoRenewable, on: day(0), until: day(30))
        let second = StoreTransaction.bought("silver", .autoRenewable, id: "2", originalID: "1", on: day(30))
        for transaction in [first, second] {
            ledger.record(transaction)
            ledger.markFinished(transaction)
        }
        let refund = first.refunded(on: day(40))
        #expect(!ledger.isFinished(refund))
        // Told, but the process ended before the store had it finished.
        ledger.record(refund)
        #expect(!ledger.isFinished(first.signed(on: day(41))))
        #expect(ledger.isFinished(second))
    }

    @Test("P13 U04 a reversed refund is news again, an old copy of the purchase is not")
    func finishingReversal() {
        let bought = StoreTransaction.bought("coins")
        for word in [bought, bought.refunded(on: day(3))] {
            ledger.record(word)
            ledger.markFinished(word)
        }
        #expect(ledger.isFinished(bought))
        #expect(!ledger.isFinished(bought.signed(on: day(5))))
        ledger.markFinished(bought)
        #expect(
            ledger.isFinished(bought.refunded(on: day(3))), "an old copy finished late took the place of the refund")
    }

    @Test("P13 T05 a purchase that was only read from the entitlements, and signed later, is still to be delivered")
    func readButNotDelivered() {
        let bought = StoreTransaction.bought("unlock", .nonConsumable)
        ledger.record(bought.signed(on: day(5)))
        #expect(!ledger.isFinished(bought))
        #expect(!ledger.isSuperseded(bought))
    }

    @Test("P13 what is not recorded cannot be marked finished")
    func finishingTheUnknown() {
        ledger.markFinished(.bought("coins"))
        #expect(ledger == Ledger())
    }

    @Test("S06 removing all forgets rows, finished states and pending purchases")
    func removingAll() throws {
        ledger.record(.bought("coins"))
        ledger.markFinished(.bought("coins"))
        ledger.addPendingPurchase(
            PendingPurchase(productIdentifier: "coins", context: try PurchaseContext(encoding: 1), startDate: day(0)))
        ledger.removeAll()
        #expect(ledger == Ledger())
    }

    @Test("S06 a ledger survives its encoding, dates included")
    func encoding() throws {
        let date = Date(timeIntervalSince1970: 1_700_000_000.123_456)
        let bought = StoreTransaction.bought("sub", .autoRenewable, on: date, until: date.addingTimeInterval(0.001))
        ledger.record(bought)
        ledger.markFinished(bought)
        ledger.record(.bought("coins", id: "2", quantity: 7).refunded(on: date))
        ledger.importPurchases([KnownPurchase(productIdentifier: "old")], from: "elsewhere")
        ledger.addPendingPurchase(
            PendingPurchase(
                productIdentifier: "coins", appAccountToken: UUID(), applicationUsername: "u",
                context: try PurchaseContext(encoding: "c"), startDate: date))
        let copy = try JSONDecoder().decode(Ledger.self, from: JSONEncoder().encode(ledger))
        #expect(copy == ledger)
    }
}
