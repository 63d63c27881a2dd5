import Foundation
import StoreManagerCore
import StoreSimulator
import Testing

@MainActor
@Suite("A manager over the simulated store")
struct EndToEndTests {
    private func makeStore(_ carriage: StoreBackendCapabilities.TokenCarriage) -> SimulatedStore {
        let store = SimulatedStore(configuration: Shop.configuration())
        store.habits.tokenCarriage = carriage
        return store
    }

    @Test(
        "C02 a manager buys, cancels and restores, however tokens are carried",
        arguments: [
            StoreBackendCapabilities.TokenCarriage.always, .unlessDeferred, .never,
        ])
    func outcomes(carriage: StoreBackendCapabilities.TokenCarriage) async throws {
        let store = makeStore(carriage)
        let manager = StoreManager(backend: store, clock: store.clock)
        manager.defaultHandlers = PurchaseHandlers(onSuccess: { _ in })
        guard case .purchased(let coins) = try await manager.purchase(productIdentifier: Shop.coins) else {
            Issue.record("not purchased")
            return
        }
        #expect(coins.productIdentifier == Shop.coins)
        store.buyer.nextAnswers = [.cancel, .buy, .buy, .ask]
        guard case .cancelled = try await manager.purchase(productIdentifier: Shop.coins) else {
            Issue.record("not cancelled")
            return
        }
        _ = try await manager.purchase(productIdentifier: Shop.removeAds)
        guard case .restored = try await manager.purchase(productIdentifier: Shop.removeAds) else {
            Issue.record("not restored")
            return
        }
        guard case .deferred(let token) = try await manager.purchase(productIdentifier: Shop.coins) else {
            Issue.record("not deferred")
            return
        }
        #expect(manager.isPending(token))
        let waiting = try #require(store.allTransactions.first { $0.state == .deferred })
        try store.approveAskToBuyTransaction(identifier: waiting.id)
        await store.settle()
        let restored = try await manager.restorePurchases()
        #expect(restored.restored.map(\.productIdentifier) == [Shop.removeAds])
        await store.settle()
        #expect(!manager.isPending(token))
        #expect(store.unfinishedTransactions.isEmpty)
    }
}
