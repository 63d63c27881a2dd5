import Foundation
import StoreManagerCore
import Testing

/// Contexts of purchases that outlive the process.
final class PendingPurchaseTests {
    var ledger = Ledger()
    let token = UUID()

    func pending(_ context: Int, token: UUID?, user: String? = nil, started: Double = 1) throws -> PendingPurchase {
        PendingPurchase(
            productIdentifier: "coins", appAccountToken: token, applicationUsername: user,
            context: try PurchaseContext(encoding: context), startDate: day(started))
    }

    func approved(_ token: UUID?, on date: Double = 5) -> StoreTransaction {
        .bought("coins", on: day(date)).with { $0.appAccountToken = token }
    }

    func take(_ transaction: StoreTransaction) throws -> Int? {
        try ledger.takePendingPurchase(for: transaction)?.context.decode(Int.self)
    }

    @Test("D03 an approved purchase takes the context of its product and account token, once")
    func takenOnce() throws {
        ledger.addPendingPurchase(try pending(1, token: UUID()))
        ledger.addPendingPurchase(try pending(2, token: token))
        #expect(try take(approved(token)) == 2)
        #expect(try take(approved(token)) == nil)
        #expect(ledger.pendingPurchases.count == 1)
    }

    @Test("D03 without an account token the product alone identifies a purchase that had none")
    func noToken() throws {
        ledger.addPendingPurchase(try pending(1, token: nil))
        #expect(try take(approved(token)) == nil)
        #expect(try take(approved(nil)) == 1)
    }

    @Test("D03 of several with the same context the oldest is taken; with different ones none is")
    func ambiguity() throws {
        ledger.addPendingPurchase(try pending(1, token: token, started: 2))
        ledger.addPendingPurchase(try pending(1, token: token, started: 1))
        #expect(ledger.takePendingPurchase(for: approved(token))?.startDate == day(1))
        ledger.addPendingPurchase(try pending(7, token: token, started: 3))
        #expect(try take(approved(token)) == nil)
        #expect(ledger.pendingPurchases.count == 2)
    }

    @Test("D03 a user name tells purchases apart where the store gives it back")
    func userNames() throws {
        ledger.addPendingPurchase(try pending(1, token: nil, user: "ann"))
        ledger.addPendingPurchase(try pending(2, token: nil, user: "ben"))
        #expect(try take(approved(nil)) == nil)
        #expect(try take(approved(nil).with { $0.applicationUsername = "ben" }) == 2)
    }

    @Test("D03 a renewal, a refund, a restored, an earlier and another product's transaction take no context")
    func others() throws {
        ledger.addPendingPurchase(try pending(1, token: token))
        let mine = approved(token)
        let others = [
            mine.with { $0.reason = .renewal }, mine.refunded(on: day(6)), mine.restored(on: day(6)),
            approved(token, on: 0.5), mine.with { $0.productIdentifier = "gems" },
        ]
        for transaction in others { #expect(try take(transaction) == nil) }
        #expect(try take(mine) == 1)
    }

    @Test("D03 a purchase that ended is struck out, and so are old ones that the store never spoke of")
    func removing() throws {
        let one = try pending(1, token: token, started: 1)
        let two = try pending(1, token: token, started: 2)
        for entry in [one, two, two] { ledger.addPendingPurchase(entry) }
        ledger.removePendingPurchase(two)
        #expect(ledger.pendingPurchases == [one, two])
        ledger.removePendingPurchases(startedBefore: day(2))
        #expect(ledger.pendingPurchases == [two])
        ledger.removePendingPurchase(one)
        #expect(ledger.pendingPurchases == [two])
    }
}
