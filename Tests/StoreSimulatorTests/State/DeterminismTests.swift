import Foundation
import StoreManagerCore
import TestSupport
import Testing

@testable import StoreSimulator

@MainActor
@Suite("Determinism")
struct DeterminismTests {
    @Test(
        "C04 one seed gives one log, byte for byte, and another seed another", arguments: 1...4 as ClosedRange<UInt64>)
    func sameSeed(seed: UInt64) async {
        var first = RandomLife(seed: seed)
        var second = RandomLife(seed: seed)
        var other = RandomLife(seed: seed + 100)
        await first.live(steps: 100)
        await second.live(steps: 100)
        await other.live(steps: 100)
        let log = first.store.log.map(\.description)
        #expect(log == second.store.log.map(\.description), "seed \(seed)")
        #expect(log != other.store.log.map(\.description), "seed \(seed)")
    }

    @Test("C04 the log is the same in every process and on every machine")
    func sameEverywhere() async {
        var life = RandomLife(seed: 2_025)
        await life.live(steps: 300)
        let text = life.store.log.map { $0.description + "\n" }.joined()
        // Changes only where the store behaves otherwise than it did, or writes its log otherwise.
        #expect(Data(text.utf8).checksum == "5c360781c5a68fd4")
    }

    @Test("C04 a saved store is the same bytes in every process and on every machine")
    func sameFile() async throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appending(path: "store")
        let store = SimulatedStore(configuration: Shop.configuration(), seed: 3)
        let app = TestApp(store)
        // Everything that is a set or has keys, and more than one of each.
        store.unavailableProducts = Set((1...9).map { "com.example.gone.\($0)" })
        for api in StoreAPI.allCases where api != .purchase && api != .verification {
            try store.setSimulatedError(.generic(.unknown), forAPI: api)
        }
        var fault = StoreFault()
        fault.delay = 1...2
        store.faults = StoreFaults(everywhere: fault)
        store.hostedContent = [Shop.removeAds: (1...6).map { HostedContent(id: "level-\($0)") }]
        store.hostedContent[Shop.coins] = [HostedContent(id: "sound")]
        let ads = try store.buyProduct(identifier: Shop.removeAds)
        store.perform(.start, on: store.transaction(1)?.downloads ?? [])
        try store.buyProduct(identifier: Shop.goldMonthly)
        store.clock.advance(by: StoreSubscriptionPeriod(value: 1, unit: .year))
        for transaction in store.unfinishedTransactions.reversed().dropLast(3) { store.finish(transaction) }
        await store.settle()
        #expect(ads.id == "1" && !app.events.isEmpty)
        // Two ways to save: the steps since the beginning, and, after a restart, all that there is.
        try store.save(to: file)
        var sums = [try Data(contentsOf: file).checksum]
        try SimulatedStore(resuming: file).save(to: file)
        sums.append(try Data(contentsOf: file).checksum)
        // They change only where the store behaves otherwise than it did, or writes itself down otherwise.
        #expect(sums == ["cb1d607fa3ccef34", "a544029c4999b0bb"])
        let again = try SimulatedStore(resuming: file)
        #expect(again.allTransactions == store.allTransactions)
        #expect(again.controls == store.controls)
        #expect(again.unfinishedTransactions == store.unfinishedTransactions)
    }

    @Test("C04 the generator gives the numbers that are published for it")
    func generator() {
        // From the reference implementation, seed 1234567.
        var generator = SplitMix64(seed: 1_234_567)
        #expect(
            (0..<3).map { _ in generator.next() } == [
                6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
            ])
    }
}
