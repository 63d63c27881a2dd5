import Foundation
import StoreManagerCore
import StoreSimulator

extension Benchmarks {
    /// What a crowd of subscribers costs a simulated store: monthly plans, begun evenly over a month, that live for three years.
    static let simulator: [any Benchmark] = [
        ThroughputBenchmark("renewals of 100,000 subscribers over three years", limit: 1_000_000) {
            let store = try crowd(100_000)
            return {
                store.clock.advance(by: threeYears)
                return store.log.last?["unwatched-renewals"].flatMap { Int($0) } ?? 0
            }
        },
        FootprintBenchmark("a subscriber after three years", count: 100_000, limit: 1_024) { count in
            let store = try crowd(count)
            store.clock.advance(by: threeYears)
            return store
        },
    ]

    private static let threeYears = StoreSubscriptionPeriod(value: 3, unit: .year)

    @MainActor
    private static func crowd(_ count: Int) throws -> SimulatedStore {
        let plan = StoreConfiguration.Product(
            id: "club", type: .autoRenewable, price: 4.99,
            subscription: .init(groupID: "club", period: StoreSubscriptionPeriod(value: 1, unit: .month)))
        let store = SimulatedStore(
            configuration: StoreConfiguration(products: [plan], subscriptionGroups: [.init(id: "club")]))
        try store.addSubscribers(count, to: plan.id, overLast: 30 * 86_400)
        return store
    }
}
