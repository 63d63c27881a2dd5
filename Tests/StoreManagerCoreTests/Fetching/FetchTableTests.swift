import Foundation
import StoreSimulator
import TestSupport
import Testing

@testable import StoreManagerCore

/// The table of fetches, as a value, under whatever happens to it.
struct FetchTableTests {
    @Test(
        "F02 F07 F08 F10 K04 whatever the order, each fetch ends once and with nothing of an old storefront, and nothing remains"
    )
    func randomly() {
        for seed in UInt64(0)..<400 {
            var witness = FetchWitness(seed: seed)
            for _ in 0..<60 { witness.step() }
            witness.end()
            guard let violation = witness.violation else { continue }
            Issue.record("seed \(seed): \(violation)\n\(witness.story.joined(separator: "\n"))")
            return
        }
    }
}

/// Callers and a store around a table of fetches. The price of a product is the number of the storefront it was asked in.
private struct FetchWitness {
    private(set) var story: [String] = []
    private(set) var violation: String?

    private var table = FetchTable()
    private var chance: SplitMix64
    private var lastNumber: UInt64 = 0
    private var storefront = 1
    /// What was asked for, of fetches that have not ended.
    private var open: [RequestToken: [String]] = [:]
    /// What the store was asked and has not answered.
    private var asked: [(question: FetchTable.Question, storefront: Int)] = []

    init(seed: UInt64) { chance = SplitMix64(seed: seed) }

    mutating func step() {
        switch Int.random(in: 0..<12, using: &chance) {
        case 0...3: begin()
        case 4...7: answer()
        case 8: fail()
        case 9: takeOut { $0.timeOut($1) }
        case 10:
            takeOut { table, token in
                table.remove(token)
                return true
            }
        default: changeStorefront()
        }
    }

    /// The store answers all that it was asked.
    mutating func end() {
        while !asked.isEmpty, violation == nil { answer() }
        if !open.isEmpty { violate("\(open.keys) never ended") }
        let remains = Mirror(reflecting: table).children.filter { ($0.value as? any Collection)?.isEmpty != true }
        if !remains.isEmpty { violate("something remains: \(remains)") }
    }

    private mutating func begin() {
        let token = makeToken()
        let identifiers = Array(
            ["A", "B", "C", "D", "E"].shuffled(using: &chance).prefix(Int.random(in: 1...4, using: &chance)))
        open[token] = identifiers
        story.append("begin \(token) \(identifiers)")
        let question = table.begin(token, identifiers: identifiers)
        let isAsked = Set(asked.flatMap(\.question.identifiers)).union(question?.identifiers ?? [])
        if !isAsked.isSuperset(of: identifiers) { violate("nobody asks for what \(token) waits for") }
        ask(question)
    }

    private mutating func answer() {
        guard let (question, storefront) = takeAsked() else { return }
        // E is not for sale.
        let products = question.identifiers.filter { $0 != "E" }.map {
            StoreProduct.sample($0, price: Decimal(storefront))
        }
        story.append("answer \(question.part) of storefront \(storefront)")
        let (completed, again) = table.receive(products, for: question.part)
        for fetch in completed { judge(fetch) }
        ask(again)
    }

    private mutating func judge(_ fetch: FetchTable.Completed) {
        story.append("completed \(fetch.token) \(fetch.response.line)")
        guard let identifiers = open.removeValue(forKey: fetch.token) else {
            return violate("\(fetch.token) ended twice")
        }
        if fetch.response.products.map(\.id) != identifiers.filter({ $0 != "E" })
            || fetch.response.invalidIdentifiers != identifiers.filter({ $0 == "E" })
        {
            violate("\(fetch.token) got another answer than asked for")
        }
        if fetch.response.products.contains(where: { $0.price != Decimal(storefront) }) {
            violate("\(fetch.token) got a product of an old storefront")
        }
    }

    private mutating func fail() {
        guard let (question, _) = takeAsked() else { return }
        story.append("fail \(question.part)")
        for token in table.fail(question.part) {
            if open.removeValue(forKey: token) == nil { violate("\(token) ended twice") }
        }
    }

    private mutating func takeOut(_ body: (inout FetchTable, RequestToken) -> Bool) {
        guard let token = open.keys.sorted(by: { $0.number < $1.number }).randomElement(using: &chance) else { return }
        story.append("take out \(token)")
        open[token] = nil
        if !body(&table, token) { violate("\(token) had ended before") }
    }

    private mutating func changeStorefront() {
        storefront += 1
        story.append("storefront \(storefront)")
        var number = lastNumber
        let questions = table.storefrontChanged {
            number += 1
            return RequestToken(kind: .fetch, number: number)
        }
        lastNumber = number
        for question in questions { ask(question) }
    }

    private mutating func ask(_ question: FetchTable.Question?) {
        guard let question else { return }
        story.append("ask \(question.part) \(question.identifiers)")
        if asked.contains(where: { $0.question.part == question.part }) { violate("\(question.part) is asked twice") }
        asked.append((question, storefront))
    }

    private mutating func takeAsked() -> (FetchTable.Question, Int)? {
        guard !asked.isEmpty else { return nil }
        return asked.remove(at: Int.random(in: asked.indices, using: &chance))
    }

    private mutating func makeToken() -> RequestToken {
        lastNumber += 1
        return RequestToken(kind: .fetch, number: lastNumber)
    }

    private mutating func violate(_ what: String) { violation = violation ?? what }
}
