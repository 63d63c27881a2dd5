import Foundation
import StoreManagerCore
import StoreSimulator

/// What the store sold, compared with what the app was handed and what the ledger counts.
struct Audit {
    var kills = 0
    var purchases = 0
    var refunds = 0
    /// How often a transaction was handed over once more, because the process was killed before it was finished.
    var repetitions = 0
    /// All that does not agree.
    var faults: [String] = []

    init() {}

    @MainActor
    init(_ files: Files) async throws {
        let store = try SimulatedStore(resuming: files.store)
        let ledger = try await FilePersistence(url: files.ledger).withLedger { $0 }
        let paid = store.allTransactions.map(\.transaction).filter { $0.state == .purchased }
        let noted = files.noted()
        purchases = paid.count
        refunds = paid.count { $0.revocationDate != nil }
        repetitions = noted.count - Set(noted).count

        let missing = Set(paid.map(\.id)).subtracting(noted)
        expect(missing.isEmpty, "paid, but never handed over: \(missing.sorted())")
        let open = store.unfinishedTransactions.map(\.id)
        expect(open.isEmpty, "not finished: \(open)")
        for product in [StoreProduct.coins, .theme, .silver] {
            let sold = paid.filter { $0.productIdentifier == product.id }
            let rows = ledger.transactions(for: product.id)
            let difference = Set(sold.map(\.originalID)).symmetricDifference(rows.map(\.id))
            expect(difference.isEmpty, "\(product.id): store and ledger do not both have \(difference.sorted())")
            let expected = product.type == .consumable ? Self.quantity(of: sold) : Self.isOwned(sold) ? 1 : 0
            let count = ledger.count(of: product.id)
            expect(count == expected, "\(product.id): the ledger counts \(count), and the store \(expected)")
        }
    }

    /// The numbers in words.
    var line: String { "\(purchases) purchases, \(refunds) of them refunded, \(repetitions) handed over again" }

    static func += (total: inout Audit, audit: Audit) {
        total.kills += audit.kills
        total.purchases += audit.purchases
        total.refunds += audit.refunds
        total.repetitions += audit.repetitions
        total.faults += audit.faults
    }

    private static func quantity(of sold: [StoreTransaction]) -> Int {
        sold.reduce(0) { $0 + ($1.revocationDate == nil ? $1.quantity : 0) }
    }

    /// Whether the newest transaction of any purchase stands: of a subscription that is its last renewal.
    private static func isOwned(_ sold: [StoreTransaction]) -> Bool {
        Dictionary(grouping: sold, by: \.originalID).values.contains { transactions in
            transactions.max { $0.purchaseDate < $1.purchaseDate }?.revocationDate == nil
        }
    }

    private mutating func expect(_ isTrue: Bool, _ fault: String) {
        if !isTrue { faults.append(fault) }
    }
}
