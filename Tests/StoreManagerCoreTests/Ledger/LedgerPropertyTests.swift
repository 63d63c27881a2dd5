import Foundation
import StoreManagerCore
import StoreSimulator
import TestSupport
import Testing

/// Long random lives of a ledger, against a model that knows nothing of rows and signatures.
struct LedgerPropertyTests {
    @Test(
        "S06 U04 P13 after any sequence of words of the store the ledger counts what a plain model counts",
        arguments: UInt64(1)...60)
    func agreesWithAModel(seed: UInt64) throws {
        var life = Life(seed: seed)
        for step in 1...150 {
            let what = life.takeStep()
            try #require(life.difference == nil, "seed \(seed), step \(step), \(what)")
            try #require(life.wrongAnswers == 0, "seed \(seed), step \(step), \(what)")
        }
        let copy = try JSONDecoder().decode(Ledger.self, from: JSONEncoder().encode(life.ledger))
        #expect(copy == life.ledger, "seed \(seed)")
    }

    @Test("S06 U04 the order in which the store's words arrive changes no count", arguments: UInt64(1)...60)
    func orderDoesNotMatter(seed: UInt64) {
        var life = Life(seed: seed)
        for _ in 1...60 { life.takeStep() }
        var expected = Ledger()
        for word in life.words { expected.record(word) }
        for _ in 1...5 {
            var ledger = Ledger()
            for word in life.words.shuffled(using: &life.chance) { ledger.record(word) }
            for product in Life.products.keys {
                #expect(ledger.count(of: product) == expected.count(of: product), "seed \(seed), \(product)")
                #expect(ledger.isPurchased(product) == expected.isPurchased(product), "seed \(seed), \(product)")
            }
        }
    }

    @Test("S06 a restore alone, on a device that never bought, grants no consumable", arguments: UInt64(1)...20)
    func otherDevice(seed: UInt64) {
        var life = Life(seed: seed)
        for _ in 1...100 { life.takeStep() }
        var other = Ledger()
        for word in life.words.shuffled(using: &life.chance) { other.record(word.with { $0.state = .restored }) }
        #expect(other.count(of: "coins") == 0, "seed \(seed)")
        for product in ["unlock", "sub"] {
            #expect(other.isPurchased(product) == life.ledger.isPurchased(product), "seed \(seed), \(product)")
        }
    }
}

/// A store that sells, renews, refunds and repeats itself at random, a ledger that hears it, and what the ledger should say.
private struct Life {
    static let products: [String: StoreProductType] = [
        "coins": .consumable, "gems": .unknown, "unlock": .nonConsumable, "pass": .nonRenewable, "sub": .autoRenewable,
    ]

    var chance: SplitMix64
    var ledger = Ledger()
    /// All that the store ever said, in the order of its signatures.
    private(set) var words: [StoreTransaction] = []
    private var purchases: [Purchase] = []
    private(set) var wrongAnswers = 0
    private var now = 0.0

    /// A purchase in the model: so many pieces, some used up, all there or all taken back.
    private struct Purchase {
        var latest: StoreTransaction
        var pieces: Int
        var isTakenBack = false
    }

    init(seed: UInt64) { chance = SplitMix64(seed: seed) }

    /// The first product of which the ledger and the model differ.
    var difference: String? {
        Self.products.keys.sorted().first { product in
            let standing = purchases.filter { $0.latest.productIdentifier == product && !$0.isTakenBack }
            let isOwned = !standing.isEmpty
            let isCounted = product == "coins" || product == "gems"
            let count = isCounted ? standing.reduce(0) { $0 + $1.pieces } : isOwned ? 1 : 0
            return ledger.count(of: product) != count || ledger.isPurchased(product) != isOwned
                || ledger.purchasedProductIdentifiers.contains(product) != isOwned
        }
    }

    @discardableResult
    mutating func takeStep() -> String {
        now += 1
        let index = purchases.indices.randomElement(using: &chance)
        switch (Int.random(in: 0..<10, using: &chance), index) {
        case (0...2, _), (_, nil): return buy()
        case (3, _): return repeatAnOldWord()
        case (4, _): return restore()
        case (5, let index?): return renew(index)
        case (6, let index?): return refund(index)
        case (7, let index?): return reverse(index)
        default: return consume()
        }
    }

    private mutating func buy() -> String {
        let product = Self.products.keys.sorted().randomElement(using: &chance) ?? "coins"
        let transaction = StoreTransaction.bought(
            product, Self.products[product] ?? .unknown, id: "\(purchases.count)-0",
            quantity: Int.random(in: 1...4, using: &chance), on: day(now))
        purchases.append(Purchase(latest: transaction, pieces: transaction.quantity))
        return say(transaction)
    }

    private mutating func renew(_ index: Int) -> String {
        guard purchases[index].latest.productIdentifier == "sub" else { return "nothing to renew" }
        let last = purchases[index].latest
        purchases[index].latest = last.with {
            $0.id = last.id + "+"
            $0.purchaseDate = day(now)
            $0.signedDate = day(now)
            $0.revocationDate = nil
        }
        purchases[index].isTakenBack = false
        return say(purchases[index].latest)
    }

    private mutating func refund(_ index: Int) -> String {
        purchases[index].latest = purchases[index].latest.refunded(on: day(now))
        purchases[index].isTakenBack = true
        return say(purchases[index].latest)
    }

    private mutating func reverse(_ index: Int) -> String {
        purchases[index].latest = purchases[index].latest.signed(on: day(now)).with { $0.revocationDate = nil }
        purchases[index].isTakenBack = false
        return say(purchases[index].latest)
    }

    private mutating func restore() -> String {
        for purchase in purchases { _ = say(purchase.latest.restored(on: day(now))) }
        return "restore"
    }

    private mutating func repeatAnOldWord() -> String {
        if let word = words.randomElement(using: &chance) { ledger.record(word) }
        return "repeat"
    }

    private mutating func consume() -> String {
        let product = Bool.random(using: &chance) ? "coins" : "gems"
        let mine = purchases.indices.filter {
            purchases[$0].latest.productIdentifier == product && !purchases[$0].isTakenBack
        }
        var wanted = Int.random(in: 1...5, using: &chance)
        let isThere = mine.reduce(0) { $0 + purchases[$1].pieces } >= wanted
        if ledger.consume(product, quantity: wanted) != isThere { wrongAnswers += 1 }
        for index in mine where isThere && wanted > 0 {
            let taken = min(wanted, purchases[index].pieces)
            purchases[index].pieces -= taken
            wanted -= taken
        }
        return "consume"
    }

    private mutating func say(_ word: StoreTransaction) -> String {
        words.append(word)
        ledger.record(word)
        return "\(word.state) \(word.productIdentifier) \(word.id), revoked \(word.revocationDate != nil)"
    }
}
