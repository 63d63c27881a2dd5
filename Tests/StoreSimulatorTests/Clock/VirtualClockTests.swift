import Foundation
import StoreManagerCore
import StoreSimulator
import Testing

@MainActor
@Suite("The virtual clock")
struct VirtualClockTests {
    let clock = VirtualClock()

    @Test("C06 the clock stands still until it is moved, and never goes back")
    func standsStill() {
        #expect(clock.now == VirtualClock.defaultStart)
        clock.advance(by: -5)
        #expect(clock.now == VirtualClock.defaultStart)
        clock.advance(by: 90)
        clock.advance(to: VirtualClock.defaultStart)
        #expect(clock.now == VirtualClock.defaultStart + 90)
        clock.advance(by: StoreSubscriptionPeriod(value: 1, unit: .day))
        #expect(clock.now == VirtualClock.defaultStart + 90 + 86_400)
    }

    @Test("C06 sleepers wake in the order of their deadlines, and only when the clock gets there")
    func wakesInOrder() async throws {
        let woken = Woken()
        let start = clock.now
        let tasks = [30.0, 10, 20].map { [clock] seconds in
            Task {
                try await clock.sleep(until: start + seconds)
                woken.add(seconds)
            }
        }
        await clock.waitForSleepers(3)
        #expect(clock.nextDueDate == start + 10)
        clock.advance(by: 25)
        #expect(clock.sleeperCount == 1)
        try await tasks[1].value
        try await tasks[2].value
        #expect(woken.all.sorted() == [10, 20])
        clock.advance(by: 5)
        try await tasks[0].value
        #expect(woken.all.last == 30)
    }

    @Test("C06 a deadline in the past does not sleep, and cancelling a sleeper wakes it with an error")
    func cancels() async throws {
        try await clock.sleep(until: clock.now)
        let task = Task { [clock] in try await clock.sleep(until: .distantFuture) }
        await clock.waitForSleepers()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(clock.sleeperCount == 0)
        let late = Task { [clock] in
            withUnsafeCurrentTask { $0?.cancel() }
            try await clock.sleep(until: .distantFuture)
        }
        await #expect(throws: CancellationError.self) { try await late.value }
    }

    @Test("C06 every store on a clock moves with it, each to its own events in the order of their dates")
    func drivesStores() async throws {
        let first = SimulatedStore(configuration: Shop.configuration(), clock: clock)
        clock.advance(by: 3_600)
        let second = SimulatedStore(configuration: Shop.configuration(), clock: clock)
        try first.buyProduct(identifier: Shop.silverWeekly)
        clock.advance(by: 3_600)
        try second.buyProduct(identifier: Shop.silverWeekly)
        clock.advance(by: StoreSubscriptionPeriod(value: 2, unit: .week))
        #expect(first.allTransactions.count == 3)
        #expect(second.allTransactions.count == 3)
        #expect(first.log.last?.date == clock.now)
    }

    @Test("C06 a store that is gone is not moved any more")
    func forgetsStores() {
        weak var gone: SimulatedStore?
        do {
            let store = SimulatedStore(configuration: Shop.configuration(), clock: clock)
            gone = store
        }
        #expect(gone == nil)
        clock.advance(by: 1)
    }

    @Test("C06 the clock stops where the dates of a store end, and says so; what is due there does not happen")
    func end() throws {
        let store = SimulatedStore(configuration: Shop.configuration())
        try store.buyProduct(identifier: Shop.goldYearly)
        #expect(store.clock.advance(by: StoreSubscriptionPeriod(value: 1_000, unit: .year)))
        #expect(store.allTransactions.count == 1_001)
        #expect(!store.clock.advance(by: StoreSubscriptionPeriod(value: 2_200, unit: .year)))
        #expect(store.clock.now == VirtualClock.end)
        #expect(!store.clock.advance(to: .distantFuture + 1))
        #expect(!store.clock.advance(by: .infinity))
        #expect(store.clock.now == VirtualClock.end)
        let last = try #require(store.allTransactions.last)
        #expect(last.purchaseDate < VirtualClock.end)
        #expect(store.log.last?.date == VirtualClock.end)
        #expect(store.log.last?.description.contains("4001-01-01T00:00:00.000Z") == true)
        #expect(VirtualClock(now: .distantFuture + 86_400).now == VirtualClock.end)
    }
}

/// Who woke, in order.
private final class Woken: Sendable {
    private let seconds = Locked<[Double]>([])
    var all: [Double] { seconds.withLock { $0 } }
    func add(_ second: Double) { seconds.withLock { $0.append(second) } }
}
