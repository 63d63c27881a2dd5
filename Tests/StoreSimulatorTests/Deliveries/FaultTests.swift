import Foundation
import StoreManagerCore
import StoreSimulator
import Testing

@MainActor
@Suite("Faults on the way to the app")
struct FaultTests {
    let store = SimulatedStore(configuration: Shop.configuration(), seed: 11)
    let app: TestApp

    init() { app = TestApp(store) }

    private var ids: [String] { app.updates.filter { $0.transaction.state == .purchased }.map(\.transaction.id) }

    @Test("C05 what is duplicated comes twice")
    func duplicated() async throws {
        store.faults[.purchase].duplication = 1
        await app.buy(Shop.coins)
        #expect(ids == ["1", "1"])
        #expect(store.log.contains { $0.event == .duplicated })
    }

    @Test("C05 what is lost does not come, but at the next launch")
    func lost() async throws {
        store.faults[.purchase].loss = 1
        await app.buy(Shop.coins)
        #expect(app.events.isEmpty)
        let next = TestApp(store)
        await store.settle()
        #expect(next.unasked.map(\.id) == ["1"])
    }

    @Test("C05 a refund whose news is lost comes at the next launch too, though the purchase was finished long ago")
    func lostRefund() async throws {
        let coins = try await app.purchase(Shop.coins)
        store.finish(coins)
        store.faults[.updates].loss = 1
        try store.refundTransaction(identifier: coins.id)
        await store.settle()
        store.faults[.updates].loss = 0
        let next = TestApp(store)
        await store.settle()
        #expect(next.unasked.map(\.revocationDate) == [store.clock.now])
    }

    @Test("C05 what is delayed comes when the clock is there, and not before")
    func delayed() async throws {
        store.faults[.purchase].delay = 5...5
        app.startBuying(Shop.coins)
        await store.settle()
        #expect(app.events.isEmpty)
        #expect(store.clock.nextDueDate == store.clock.now + 5)
        #expect(store.pendingDeliveries.map(\.interface) == [.purchase, .purchase])
        store.clock.advance(by: 4)
        await store.settle()
        #expect(app.events.isEmpty)
        store.clock.advance(by: 1)
        await store.settle()
        #expect(ids == ["1"])
    }

    @Test("C05 with a delay of any length in a range, the answers to one request stay in order")
    func delayedInOrder() async throws {
        store.faults[.purchase].delay = 0...60
        for _ in 0..<50 { app.startBuying(Shop.coins) }
        store.clock.advance(by: 60)
        await store.settle()
        let states = Dictionary(grouping: app.updates) { $0.token?.number ?? 0 }
        #expect(states.count == 50)
        #expect(states.values.allSatisfy { $0.map(\.transaction.state) == [.purchasing, .purchased] })
        #expect(ids != ids.sorted { $0.count == $1.count ? $0 < $1 : $0.count < $1.count })
    }

    @Test("C05 what is reordered comes in another order, the answers to one request in theirs")
    func reordered() async throws {
        store.faults[.purchase].isReordered = true
        store.faults[.restore].isReordered = true
        for _ in 0..<50 { app.startBuying(Shop.coins) }
        let restore = app.makeToken(.restore)
        store.restorePurchases(applicationUsername: nil, for: restore)
        await store.settle()
        let expected = (1...50).map { String($0) }
        #expect(ids != expected)
        #expect(Set(ids) == Set(expected))
        let states = Dictionary(grouping: app.updates.filter { $0.token?.kind == .purchase }) { $0.token?.number ?? 0 }
        #expect(states.values.allSatisfy { $0.map(\.transaction.state) == [.purchasing, .purchased] })
    }

    @Test("C05 an answer that is held comes when it is released, and others go by")
    func held() async throws {
        store.hold(.purchase)
        let token = app.startBuying(Shop.coins)
        let fetch = app.makeToken(.fetch)
        store.fetchProducts(withIdentifiers: [Shop.coins], for: fetch)
        await store.settle()
        #expect(app.events.count == 1)
        #expect(store.pendingDeliveries.count == 2)
        store.release(.purchase)
        await store.settle()
        #expect(app.answer(to: token).transaction?.state == .purchased)
        #expect(store.pendingDeliveries.isEmpty)
    }

    @Test(
        "C05 offline, requests fail with a network error; each interface by itself",
        arguments: [
            StoreInterface.products, .purchase, .restore, .entitlements, .receipt,
        ])
    func offline(interface: StoreInterface) async throws {
        store.faults[interface].isOffline = true
        let token = app.makeToken(.fetch)
        store.fetchProducts(withIdentifiers: [Shop.coins], for: token)
        store.restorePurchases(applicationUsername: nil, for: token)
        store.readCurrentEntitlements(for: token)
        store.refreshReceipt(for: token)
        await app.buy(Shop.coins)
        let failed = Set(app.events.compactMap(\.networkFailure))
        #expect(failed == [interface])
    }

    @Test("C05 offline, what nobody asked for comes later, and a finish is kept until then")
    func offlineUpdates() async throws {
        let coins = try await app.purchase(Shop.coins)
        app.clear()
        store.faults = StoreFaults(everywhere: .offline)
        store.finish(coins)
        try store.buyProduct(identifier: Shop.coins)
        await store.settle()
        #expect(app.events.isEmpty)
        #expect(store.unfinishedTransactions.count == 2)
        store.faults = StoreFaults()
        await store.settle()
        #expect(app.unasked.count == 1)
        #expect(store.unfinishedTransactions.count == 1)
        let finished = app.events.contains { if case .transactionFinished(coins.id) = $0 { true } else { false } }
        #expect(finished)
    }

    @Test("C05 missed renewals come at the launch, the oldest first or the newest")
    func missedRenewals() async throws {
        try await app.purchase(Shop.goldMonthly)
        app.stop()
        store.clock.advance(by: StoreSubscriptionPeriod(value: 3, unit: .month))
        let next = TestApp(store)
        await store.settle()
        #expect(next.unasked.map(\.id) == ["1", "2", "3", "4"])
        store.finish(next.unasked[0])
        store.habits.reportsNewestFirst = true
        let newest = TestApp(store)
        await store.settle()
        #expect(newest.unasked.map(\.id) == ["4", "3", "2"])
        store.habits.reportsFinishedOriginals = true
        let all = TestApp(store)
        await store.settle()
        #expect(all.unasked.map(\.id) == ["4", "3", "2", "1"])
    }

    /// What settles a payment that waits.
    enum Settlement: CaseIterable {
        case approval, refusal, resolution, answer
    }

    @Test(
        "C05 what becomes of a payment reaches a device that is offline only when it is back",
        arguments: Settlement.allCases,
        [StoreBackendCapabilities.TokenCarriage.always, .never, .unlessDeferred])
    func settledOffline(
        settlement: Settlement, carriage: StoreBackendCapabilities.TokenCarriage
    ) async throws {
        store.habits.tokenCarriage = carriage
        store.buyer.nextAnswers = [
            settlement == .resolution ? .interrupt : settlement == .answer ? .hesitate : .ask
        ]
        app.startBuying(Shop.coins)
        await store.settle()
        app.clear()
        var fault = StoreFault()
        fault.isOffline = true
        store.faults = StoreFaults(everywhere: fault)
        let id = try #require(store.allTransactions.first).id
        switch settlement {
        case .approval: try store.approveAskToBuyTransaction(identifier: id)
        case .refusal: try store.declineAskToBuyTransaction(identifier: id)
        case .resolution: try store.resolveIssueForTransaction(identifier: id)
        case .answer: try store.answerOpenPayment(identifier: id, with: .buy)
        }
        await store.settle()
        #expect(app.events.isEmpty)
        // A request that is made now fails at once all the same.
        let failed = await app.buy(Shop.removeAds)
        let error = failed.error ?? app.updates.compactMap(\.error).last
        #expect(error?.errorCode == StoreError.network().errorCode)
        let unknown = await app.buy("com.example.unknown")
        #expect(unknown.error?.errorCode == StoreError.network().errorCode)
        app.clear()
        store.faults = StoreFaults()
        await store.settle()
        if settlement == .refusal {
            // StoreKit 2 never tells of it.
            #expect(app.updates.contains { $0.transaction.state == .failed } == (carriage != .unlessDeferred))
        } else {
            #expect(app.updates.contains { $0.transaction.state == .purchased })
        }
    }
}

extension StoreFault {
    fileprivate static var offline: StoreFault {
        var fault = StoreFault()
        fault.isOffline = true
        return fault
    }
}

extension StoreBackendEvent {
    /// The interface on which a network failure was told.
    fileprivate var networkFailure: StoreInterface? {
        switch self {
        case .productFetchFailed(.network, _): .products
        case .restoreFailed(.network, _): .restore
        case .entitlementsRead(.failure(.network), _): .entitlements
        case .receiptRefreshed(.network?, _): .receipt
        case .transactionsUpdated(let updates)
        where updates.contains { if case .network? = $0.error { true } else { false } }:
            .purchase
        default: nil
        }
    }
}
