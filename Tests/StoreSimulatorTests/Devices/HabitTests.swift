import Foundation
import StoreManagerCore
import StoreSimulator
import Testing

@MainActor
@Suite("Habits of real stores")
struct HabitTests {
    let store = SimulatedStore(configuration: Shop.configuration())
    let app: TestApp
    let month = StoreSubscriptionPeriod(value: 1, unit: .month)

    init() { app = TestApp(store) }

    @Test("C02 an unfinished consumable answers the next purchase of it, until it is finished")
    func repeatsUnfinished() async throws {
        store.habits.repeatsUnfinishedConsumables = true
        let first = try await app.purchase(Shop.coins)
        #expect(try await app.purchase(Shop.coins).id == first.id)
        store.finish(first)
        #expect(try await app.purchase(Shop.coins).id != first.id)
    }

    @Test("C02 the purchase of a subscription is told as news too, that of anything else is not")
    func repeatsSubscriptions() async throws {
        store.habits.repeatsSubscriptionPurchases = true
        let gold = try await app.purchase(Shop.goldMonthly)
        try await app.purchase(Shop.coins)
        #expect(app.unasked == [gold])
    }

    @Test("C02 restored copies have identifiers of their own, and are to be finished each time")
    func copies() async throws {
        store.habits.restoresAsCopies = true
        let ads = try await app.purchase(Shop.removeAds)
        store.finish(ads)
        for _ in 0..<2 {
            let token = app.makeToken(.restore)
            store.restorePurchases(applicationUsername: nil, for: token)
            await store.settle()
            let copy = try #require(app.answer(to: token).transaction)
            #expect(copy.id != ads.id)
            #expect(copy.originalID == ads.id)
            #expect(copy.state == .restored)
        }
        #expect(store.unfinishedTransactions.count == 2)
        #expect(store.currentEntitlements.map(\.id) == [ads.id])
    }

    @Test("C02 a purchase is missing from the listing for a while")
    func listingLag() async throws {
        store.habits.listingLag = 0.6
        let ads = try await app.purchase(Shop.removeAds)
        #expect(store.currentEntitlements.isEmpty)
        store.clock.advance(by: 0.6)
        #expect(store.currentEntitlements.map(\.id) == [ads.id])
    }

    @Test("C02 at the end of each period a subscription says for a moment that it expired")
    func renewalLag() async throws {
        store.habits.renewalLag = 0.7
        let end = try #require(try await app.purchase(Shop.goldMonthly).expirationDate)
        store.clock.advance(to: end)
        #expect(store.subscriptionState(inGroup: Shop.group) == .expired)
        #expect(store.renewalInfos.first?.willAutoRenew == true)
        #expect(store.currentEntitlements.isEmpty)
        store.clock.advance(by: 0.7)
        #expect(store.subscriptionState(inGroup: Shop.group) == .subscribed)
        #expect(store.allTransactions.last?.purchaseDate == end)
    }

    @Test("C02 a subscription in billing retry is listed where the store does so")
    func listsRetry() async throws {
        store.shouldEnterBillingRetryOnRenewal = true
        try await app.purchase(Shop.goldMonthly)
        store.clock.advance(by: month)
        #expect(store.currentEntitlements.isEmpty)
        store.habits.listsBillingRetry = true
        #expect(store.currentEntitlements.count == 1)
    }

    @Test("C02 a process is told the same about the introductory offer for ever, the next one is told the truth")
    func remembersEligibility() async throws {
        store.habits.remembersEligibility = true
        #expect(store.isEligibleForIntroductoryOffer(inGroup: "magazine"))
        try await app.purchase(Shop.magazine)
        #expect(store.isEligibleForIntroductoryOffer(inGroup: "magazine"))
        _ = TestApp(store)
        #expect(!store.isEligibleForIntroductoryOffer(inGroup: "magazine"))
    }

    @Test("C02 entitlements are read without any prompt: what is owned, and what is paid for")
    func entitlements() async throws {
        try await app.purchase(Shop.coins)
        let ads = try await app.purchase(Shop.removeAds)
        let gold = try await app.purchase(Shop.goldMonthly)
        try store.refundTransaction(identifier: ads.id)
        let token = app.makeToken(.entitlements)
        store.readCurrentEntitlements(for: token)
        await store.settle()
        guard case .entitlementsRead(.success(let listed), token)? = app.events.last else {
            Issue.record("no answer")
            return
        }
        #expect(listed.map(\.id) == [gold.id])
    }

    @Test("C02 a renewal that is late looks switched off where the store has that habit", arguments: [false, true])
    func lateRenewal(looksCancelled: Bool) throws {
        store.habits.renewalLag = 0.3
        store.habits.lateRenewalsLookCancelled = looksCancelled
        let first = try store.buyProduct(identifier: Shop.silverMonthly)
        func info() throws -> StoreRenewalInfo { try #require(store.renewalInfos.first) }
        #expect(try info().willAutoRenew)
        store.clock.advance(to: try #require(first.expirationDate) + 0.1)
        #expect(store.subscriptionState(inGroup: Shop.group) == .expired)
        #expect(try info().willAutoRenew == !looksCancelled)
        #expect(try info().eligibleWinBackOfferIDs == (looksCancelled ? ["comeback"] : []))
        store.clock.advance(by: 0.3)
        #expect(store.subscriptionState(inGroup: Shop.group) == .subscribed)
        #expect(try info().willAutoRenew)
        #expect(try info().eligibleWinBackOfferIDs == [])
    }

    @Test(
        "C02 an unfinished transaction is listed for a while only where the store has that habit, and comes back all the same"
    )
    func unfinishedListing() async throws {
        let store = SimulatedStore(configuration: Shop.configuration())
        store.habits.unfinishedListing = 0.5...1.5
        let coins = try store.buyProduct(identifier: Shop.coins)
        #expect(store.unfinishedTransactions.isEmpty)
        store.clock.advance(by: 0.5)
        #expect(store.unfinishedTransactions.map(\.id) == [coins.id])
        store.clock.advance(by: 1.1)
        #expect(store.unfinishedTransactions.isEmpty)
        let app = TestApp(store)
        await store.settle()
        #expect(app.unasked.map(\.id) == [coins.id])
    }

    @Test("C02 a task that was cancelled reads nothing where the store has that habit", arguments: [false, true])
    func cancelledTask(readsNothing: Bool) async throws {
        store.habits.cancelledTasksReadNothing = readsNothing
        try store.buyProduct(identifier: Shop.goldMonthly)
        await store.settle()
        app.clear()
        let task = Task { @MainActor in
            withUnsafeCurrentTask { $0?.cancel() }
            store.fetchProducts(withIdentifiers: [Shop.coins], for: app.makeToken(.fetch))
            store.readCurrentEntitlements(for: app.makeToken(.entitlements))
            return [
                store.currentEntitlements.count, store.unfinishedTransactions.count, store.subscriptionSnapshots.count,
            ]
        }
        #expect(await task.value == (readsNothing ? [0, 0, 0] : [1, 1, 1]))
        await store.settle()
        for event in app.events {
            switch event {
            case .productsFetched(let products, _): #expect(products.isEmpty == readsNothing)
            case .entitlementsRead(let result, _): #expect(try result.get().isEmpty == readsNothing)
            default: Issue.record("\(event)")
            }
        }
        #expect(app.events.count == 2)
        #expect(store.currentEntitlements.count == 1)
    }
}
