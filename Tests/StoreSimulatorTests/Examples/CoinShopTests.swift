// How an app tests its own shop with the simulated store. The page "Testing your app's purchases" of the documentation shows
// it; `DocumentationTests` sees to it that what stands there is what is compiled here.

import Foundation
import StoreManagerCore
import StoreSimulator
import Testing

/// A part of some app: it sells coins and a subscription.
@MainActor
final class CoinShop {
    private let manager: StoreManager
    private(set) var coins = 0
    private(set) var isMember = false
    private(set) var message = ""

    /// The app itself passes `StoreManager.shared`; tests and previews pass a manager over a simulated store.
    init(manager: StoreManager) {
        self.manager = manager
        manager.defaultHandlers = PurchaseHandlers(
            onSuccess: { [weak self] in self?.grant($0) },
            onRevoke: { [weak self] in self?.revoke($0) })
    }

    func buy(_ identifier: String) async {
        do {
            switch try await manager.purchase(productIdentifier: identifier) {
            case .purchased(let transaction), .restored(let transaction): grant(transaction)
            case .deferred: message = "Your family has to say yes first."
            case .cancelled: message = ""
            case .scheduled: message = "Your plan changes soon."
            }
        } catch {
            message = error.localizedDescription
        }
    }

    private func grant(_ transaction: StoreTransaction) {
        message = "Thank you!"
        if transaction.productType == .consumable { coins += 100 * transaction.quantity }
        if transaction.productType == .autoRenewable { isMember = true }
    }

    private func revoke(_ transaction: StoreTransaction) {
        if transaction.productType == .consumable { coins -= 100 * transaction.quantity }
        if transaction.productType == .autoRenewable { isMember = false }
    }
}

@MainActor
@Suite("Example: an app's own tests")
struct CoinShopTests {
    let store: SimulatedStore
    let manager: StoreManager
    let shop: CoinShop

    init() throws {
        let file = Bundle.module.url(forResource: "CoinShop", withExtension: "storekit", subdirectory: "Fixtures")
        store = try SimulatedStore(contentsOf: try #require(file))
        manager = StoreManager(backend: store, clock: store.clock)
        shop = CoinShop(manager: manager)
    }

    @Test("C02 coins are granted, and taken away when the money is given back")
    func buysCoins() async throws {
        await shop.buy("com.example.coins")
        #expect(shop.coins == 100)

        let purchase = try #require(store.allTransactions.first)
        try store.refundTransaction(identifier: purchase.id)
        await store.settle(with: manager)
        #expect(shop.coins == 0)
    }

    @Test("C02 a buyer who says no gets nothing, one who is offline a word about it")
    func doesNotBuy() async {
        store.buyer.nextAnswers = [.cancel]
        await shop.buy("com.example.coins")
        #expect(shop.coins == 0)
        #expect(shop.message == "")

        store.faults[.purchase].isOffline = true
        await shop.buy("com.example.coins")
        #expect(shop.message == StoreError.network().localizedDescription)
    }

    @Test("C02 a child's purchase is granted when the family says yes, also after the app was started anew")
    func asksFamily() async throws {
        store.buyer.nextAnswers = [.ask]
        await shop.buy("com.example.coins")
        #expect(shop.coins == 0)

        store.relaunch()
        let secondManager = StoreManager(backend: store, clock: store.clock)
        let secondShop = CoinShop(manager: secondManager)
        let waiting = try #require(store.allTransactions.first { $0.pendingAskToBuyConfirmation })
        try store.approveAskToBuyTransaction(identifier: waiting.id)
        await store.settle(with: secondManager)
        #expect(secondShop.coins == 100)
    }

    @Test("C02 a year of a subscription takes no time at all")
    func subscribes() async {
        await shop.buy("com.example.club.monthly")
        store.clock.advance(by: StoreSubscriptionPeriod(value: 1, unit: .year))
        await store.settle(with: manager)
        #expect(shop.isMember)
        #expect(store.allTransactions.count == 13)
    }

    @Test("C02 the shop stands a store that says everything twice and in any order")
    func standsFaults() async {
        var fault = StoreFault()
        fault.duplication = 0.5
        fault.isReordered = true
        store.faults = StoreFaults(everywhere: fault)
        for _ in 0..<20 { await shop.buy("com.example.coins") }
        await store.settle(with: manager)
        #expect(shop.coins == 2_000)
    }
}

#if canImport(SwiftUI)
import SwiftUI

struct CoinShopView: View {
    let shop: CoinShop
    var body: some View {
        Button("Buy coins") { Task { await shop.buy("com.example.coins") } }
    }
}

#Preview {
    let catalogue = StoreConfiguration(products: [.init(id: "com.example.coins", type: .consumable, price: 0.99)])
    let store = SimulatedStore(configuration: catalogue)
    CoinShopView(shop: CoinShop(manager: StoreManager(backend: store)))
}
#endif
