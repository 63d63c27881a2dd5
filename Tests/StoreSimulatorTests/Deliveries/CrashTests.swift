import Foundation
import StoreManagerCore
import StoreSimulator
import TestSupport
import Testing

@MainActor
@Suite("Crash points")
struct CrashTests {
    /// A store on which an app buys, finishes, and is refunded.
    private func live(on store: SimulatedStore) async {
        let app = TestApp(store)
        await app.buy(Shop.coins)
        if let first = app.updates.last?.transaction, first.state == .purchased { store.finish(first) }
        await app.buy(Shop.removeAds)
        try? store.refundTransaction(identifier: "1")
        await store.settle()
    }

    @Test("C05 after a crash at any line of the log nothing more is told or heard, and the next launch hears all")
    func everyLine() async throws {
        let whole = SimulatedStore(configuration: Shop.configuration())
        await live(on: whole)
        for line in 1...whole.log.count {
            let store = SimulatedStore(configuration: Shop.configuration())
            store.crash(atLogLine: line)
            await live(on: store)
            let finishes = store.log.filter { $0.event == .finish }.count
            #expect(store.log.prefix(line).map(\.description) == whole.log.prefix(line).map(\.description))
            let isLate = line >= whole.log.count
            #expect(store.hasCrashed || isLate, "line \(line)")
            // What was bought before the crash is there, and unfinished unless its finish was heard.
            let paid = store.allTransactions.filter { $0.state == .purchased }
            let next = TestApp(store)
            await store.settle()
            #expect(!store.hasCrashed)
            let heard = Set(next.unasked.map(\.id))
            for transaction in paid where transaction.revocationDate != nil || !transaction.isFinished {
                #expect(heard.contains(transaction.id), "line \(line)")
            }
            #expect(finishes <= 1)
        }
    }

    @Test("C05 a crash drops what was on its way, and a new process begins with no request")
    func dropsRequests() async {
        let store = SimulatedStore(configuration: Shop.configuration())
        let app = TestApp(store)
        await store.settle()
        app.startBuying(Shop.coins)
        store.crash(atLogLine: store.log.count)
        await store.settle()
        #expect(app.events.isEmpty)
        #expect(store.hasCrashed)
        app.startBuying(Shop.coins)
        #expect(store.allTransactions.count == 1)
        let next = TestApp(store)
        await store.settle()
        #expect(next.updates.map(\.token) == [nil])
    }
}
