import Foundation
import TestSupport
import Testing

@testable import StoreManagerCore

/// The table of restores, as a value.
struct RestoreTableTests {
    private var table = RestoreTable()

    private func token(_ number: UInt64) -> RequestToken { RequestToken(kind: .restore, number: number) }

    @discardableResult
    private mutating func begin(_ number: UInt64, verifies: Bool = false, of username: String? = nil) -> Bool {
        var handlers = RestoreHandlers(onSuccess: { _ in })
        if verifies { handlers.onVerify = { _ in } }
        return table.begin(token(number), receiver: .handlers(handlers), applicationUsername: username, at: .start)
    }

    private mutating func settle(_ id: String, _ settlement: RestoreSettlement? = nil) -> [RestoreTable.Completed] {
        table.settle(id, as: settlement ?? .restored(.sample(id)))
    }

    @Test("R08 restores of one user share a listing until it has ended; other users have their own")
    mutating func sharing() {
        #expect(begin(1))
        #expect(!begin(2))
        #expect(begin(3, of: "somebody"))
        #expect(table.requests(of: token(1)).map(\.token) == [token(1), token(2)])
        #expect(table.requests(of: token(3)).map(\.token) == [token(3)])
        #expect(table.endList(token(1)) == [])
        #expect(begin(4))
        #expect(table.requests(of: token(1)).map(\.token) == [token(1), token(2)])
    }

    @Test("R01 R06 a listing is complete when it has ended and all is settled, in the order of the list")
    mutating func completion() {
        begin(1)
        let ids = ["A", "B", "C", "D"]
        for id in ids { #expect(table.add(.sample(id), to: token(1), at: .start) == true) }
        #expect(settle("C").isEmpty)
        #expect(table.endList(token(1)) == ids)
        #expect(settle("B", .invalid(.sample("B"), .verificationFailed(reason: "a test"))).isEmpty)
        #expect(settle("A", .undecided(.sample("A"), .timedOut(after: 1))).isEmpty)
        let completed = settle("D")
        #expect(completed.map(\.requests) == [[token(1)]])
        #expect(completed.map(\.transactionIDs) == [ids])
        #expect(
            completed.map(\.result.line) == ["restored [C, D] invalid [B verificationFailed] undecided [A timedOut]"])
        #expect(table.complete(token(1)) == nil)
    }

    @Test("R02 an empty listing is complete as soon as it has ended, and not before")
    mutating func emptyListing() {
        begin(1)
        #expect(table.complete(token(1)) == nil)
        #expect(table.endList(token(1)) == [])
        let completed = table.complete(token(1))
        #expect(completed?.result.line == "restored [] invalid [] undecided []")
        #expect(table.endList(token(1)) == nil)
    }

    @Test("R05 a transaction that is listed twice counts once; one that is of no use is left out")
    mutating func duplicates() {
        begin(1)
        #expect(table.add(.sample("A"), to: token(1), at: .start) == true)
        #expect(table.add(.sample("A"), to: token(1), at: .start) == false)
        #expect(table.add(.sample("B"), to: token(1), at: .start) == true)
        #expect(table.add(.sample("C"), to: token(9), at: .start) == false)
        #expect(table.endList(token(1)) == ["A", "B"])
        #expect(table.settle("B", as: nil).isEmpty)
        #expect(settle("A").map(\.result.line) == ["restored [A] invalid [] undecided []"])
        #expect(settle("A").isEmpty)
    }

    @Test("R08 a transaction of two listings settles in both, and is asked about of one that has ended")
    mutating func twoListings() {
        begin(1)
        begin(2, of: "somebody")
        for listing in [token(1), token(2)] { #expect(table.add(.sample("A"), to: listing, at: .start) == true) }
        #expect(table.endedListing(awaiting: "A") == nil)
        #expect(table.endList(token(2)) == ["A"])
        #expect(table.endedListing(awaiting: "A") == token(2))
        #expect(table.awaited("A") == .sample("A"))
        #expect(settle("A").map(\.requests) == [[token(2)]])
        #expect(table.awaited("A") == nil)
        #expect(table.endList(token(1)) == ["A"])
        let completed = table.complete(token(1))
        #expect(completed?.result.line == "restored [A] invalid [] undecided []")
    }

    @Test("R07 R08 a listing that fails fails all its restores, and frees what no other listing waits for")
    mutating func failure() {
        begin(1)
        begin(2)
        begin(3, of: "somebody")
        for id in ["A", "B"] { #expect(table.add(.sample(id), to: token(1), at: .start) == true) }
        #expect(table.add(.sample("B"), to: token(3), at: .start) == true)
        let failed = table.fail(token(1))
        #expect(failed?.requests == [token(1), token(2)])
        #expect(failed?.orphans == ["A"])
        #expect(table.fail(token(1)) == nil)
        #expect(settle("A").isEmpty)
        #expect(table.endList(token(3)) == ["B"])
        #expect(table.fail(token(3)) == nil)
        #expect(settle("B").map(\.requests) == [[token(3)]])
    }

    @Test(
        "R08 a restore that is taken out is not answered; what the store lists goes on, and who had asked to verify is kept in mind"
    )
    mutating func cancelling() {
        begin(1, verifies: true)
        begin(2)
        #expect(table.isPending(token(1)))
        #expect(table.take(token(1)) != nil)
        #expect(table.take(token(1)) == nil)
        #expect(!table.isPending(token(1)))
        #expect(table.isPending(token(2)))
        #expect(table.isListing(token(1)))
        #expect(table.requests(of: token(1)).map(\.token) == [token(2)])
        #expect(table.hadVerifyHandler(token(1)))
        #expect(!table.hadVerifyHandler(token(2)))
    }

    private func released(by seconds: Double, _ table: inout RestoreTable) -> [String] {
        table.releaseHeld(by: .start + seconds).map(\.transaction.id)
    }

    @Test(
        "R09 what the store reports by itself is held while anything is being listed, and not for longer than it says")
    mutating func holding() {
        begin(1)
        begin(2, of: "somebody")
        for (id, seconds) in [("A", 1.0), ("B", 2), ("A", 3)] {
            table.hold(StoreTransactionUpdate(.sample(id)), until: .start + seconds)
        }
        #expect(table.endList(token(1)) == [])
        #expect(table.isHolding)
        #expect(released(by: 0.9, &table) == [])
        #expect(released(by: 2, &table) == ["A", "B"])
        #expect(table.isHolding("A") && !table.isHolding("B"))
        #expect(table.endList(token(2)) == [])
        #expect(!table.isHolding)
        #expect(released(by: 2, &table) == ["A"])
        #expect(!table.isHolding("A"))
        #expect(released(by: 9, &table) == [])
    }

    @Test("R09 nothing is held for a list that nobody waits for")
    mutating func nobodyWaits() {
        begin(1)
        begin(2)
        table.take(token(1))
        #expect(table.isHolding)
        table.take(token(2))
        #expect(!table.isHolding)
        #expect(table.isListing(token(1)))
    }

    @Test("R12 a listing knows when the store last listed something, until it has ended")
    mutating func lastWord() {
        begin(1)
        #expect(table.lastWord(in: token(1)) == .start)
        _ = table.add(.sample("A"), to: token(1), at: .start + 5)
        #expect(table.lastWord(in: token(1)) == .start + 5)
        _ = table.endList(token(1))
        #expect(table.lastWord(in: token(1)) == nil)
    }
}
