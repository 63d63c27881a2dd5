import Foundation
import StoreManagerCore
import StoreSimulator
import Testing

@MainActor
@Suite("Controls of the store")
struct StoreControlTests {
    let store = SimulatedStore(
        configuration: Shop.configuration { configuration in
            configuration.products[0].localizations = [
                .init(locale: "en_US", displayName: "Coins"), .init(locale: "de", displayName: "Münzen"),
            ]
        })
    let app: TestApp

    init() { app = TestApp(store) }

    private func fetchCoins() async throws -> StoreProduct {
        let token = app.makeToken(.fetch)
        store.fetchProducts(withIdentifiers: [Shop.coins], for: token)
        await store.settle()
        guard case .productsFetched(let products, token)? = app.events.last else {
            throw TestApp.NotBought(identifier: "")
        }
        return try #require(products.first)
    }

    @Test("C02 another storefront is told once, sells in its currency, and stands on what is bought and renewed there")
    func storefront() async throws {
        let gold = try await app.purchase(Shop.goldMonthly)
        #expect(gold.currencyCode == "USD")
        app.clear()
        store.controls.storefront = "JPN"
        store.controls.storefront = "JPN"
        await store.settle()
        let told = app.events.compactMap { if case .storefrontChanged(let storefront) = $0 { storefront } else { nil } }
        #expect(told.map(\.countryCode) == ["JPN"])
        #expect(store.storefront?.countryCode == "JPN")
        let coins = try await fetchCoins()
        #expect(coins.priceLocale?.currency?.identifier == "JPY")
        store.clock.advance(by: StoreSubscriptionPeriod(value: 1, unit: .month))
        #expect(store.allTransactions.map(\.currencyCode) == ["USD", "JPY"])
        #expect(try await app.purchase(Shop.coins).storefrontCountryCode == "JPN")
    }

    @Test("C02 another locale gives the names of that language")
    func locale() async throws {
        #expect(try await fetchCoins().displayName == "Coins")
        store.locale = Locale(identifier: "de")
        #expect(try await fetchCoins().displayName == "Münzen")
    }

    @Test("C02 without dialogs nobody is asked, and the buyer's answers stay")
    func dialogs() async throws {
        store.buyer.nextAnswers = [.cancel]
        store.disableDialogs = true
        #expect(try await app.purchase(Shop.coins).state == .purchased)
        #expect(store.buyer.nextAnswers == [.cancel])
    }

    @Test("C02 a device that may not pay is told so, and can fetch all the same")
    func mayNotPay() async throws {
        store.controls.canMakePayments = false
        #expect(store.capabilities == StoreBackendCapabilities())
        #expect(!store.canMakePayments)
        let answer = await app.buy(Shop.coins)
        #expect(answer.error?.errorCode == StoreError.paymentNotAllowed().errorCode)
        #expect(try await fetchCoins().id == Shop.coins)
    }

    @Test(
        "C02 only what is counted can be bought more than once at a time",
        arguments: [
            (Shop.coins, 0, false), (Shop.coins, -1, false), (Shop.coins, 10, true), (Shop.season, 2, true),
            (Shop.coins, 11, false), (Shop.coins, .max, false), (Shop.season, 11, false),
            (Shop.removeAds, 2, false), (Shop.goldMonthly, 2, false),
        ])
    func quantities(identifier: String, quantity: Int, isSold: Bool) async {
        let answer = await app.buy(identifier, PurchaseOptions(quantity: quantity))
        #expect((answer.transaction?.state == .purchased) == isSold)
        if !isSold { #expect(answer.error?.underlyingError as? StoreAPIFailure == .purchase(.invalidQuantity)) }
    }

    @Test("C02 clearing deletes what everybody bought, so that it can be bought again; the switches stay")
    func clear() async throws {
        let other = store.device(named: "phone", account: "other")
        try other.buyProduct(identifier: Shop.removeAds)
        try await app.purchase(Shop.removeAds)
        try await app.purchase(Shop.magazine)
        store.askToBuyEnabled = true
        store.clearTransactions()
        #expect(store.allTransactions.isEmpty)
        #expect(other.allTransactions.isEmpty)
        #expect(store.askToBuyEnabled)
        store.askToBuyEnabled = false
        #expect(store.isEligibleForIntroductoryOffer(inGroup: "magazine"))
        #expect(try await app.purchase(Shop.removeAds).state == .purchased)
        store.clock.advance(by: StoreSubscriptionPeriod(value: 1, unit: .year))
        #expect(store.allTransactions.count == 1)
    }

    @Test("C02 clearing ends the purchases that wait for an answer")
    func clearEndsRequests() async {
        store.buyer.nextAnswers = [.hesitate]
        let open = app.startBuying(Shop.coins)
        store.clearTransactions()
        await store.settle()
        #expect(app.answer(to: open).transaction?.state == .failed)
    }

    @Test(
        "C02 deleting a first purchase deletes its renewals and copies, and the introductory offer is to be had again")
    func delete() async throws {
        store.habits.restoresAsCopies = true
        let first = try await app.purchase(Shop.magazine)
        let coins = try await app.purchase(Shop.coins)
        store.clock.advance(by: StoreSubscriptionPeriod(value: 3, unit: .month))
        store.restorePurchases(applicationUsername: nil, for: app.makeToken(.restore))
        await store.settle()
        #expect(store.allTransactions.count == 6)
        try store.deleteTransaction(identifier: first.id)
        #expect(store.allTransactions.map(\.id) == [coins.id])
        #expect(store.isEligibleForIntroductoryOffer(inGroup: "magazine"))
        store.clock.advance(by: StoreSubscriptionPeriod(value: 3, unit: .month))
        #expect(store.allTransactions.count == 1)
        #expect(try await app.purchase(Shop.magazine).offer?.type == .introductory)
    }

    @Test("C02 deleting one renewal leaves the others")
    func deleteRenewal() async throws {
        try await app.purchase(Shop.goldMonthly)
        store.clock.advance(by: StoreSubscriptionPeriod(value: 3, unit: .month))
        try store.deleteTransaction(identifier: "2")
        #expect(store.allTransactions.map(\.id) == ["1", "3", "4"])
        store.clock.advance(by: StoreSubscriptionPeriod(value: 1, unit: .month))
        #expect(store.allTransactions.map(\.id) == ["1", "3", "4", "5"])
    }

    @Test(
        "C02 deleting the newest renewal leaves the subscription with what was before", arguments: [0, 20] as [Double])
    func deleteNewestRenewal(days: Double) async throws {
        let first = try await app.purchase(Shop.goldMonthly)
        store.clock.advance(by: StoreSubscriptionPeriod(value: 2, unit: .month))
        store.clock.advance(by: days * 86_400)
        try store.deleteTransaction(identifier: "3")
        #expect(store.allTransactions.map(\.id) == ["1", "2"])
        #expect(store.subscriptionState(inGroup: Shop.group) == .expired)
        #expect(store.currentEntitlements.isEmpty)
        let next = try await app.purchase(Shop.goldMonthly)
        #expect(next.originalID == first.id)
        #expect(next.id != "3")
        store.clock.advance(by: StoreSubscriptionPeriod(value: 1, unit: .month))
        #expect(store.allTransactions.count == 4)
    }

    @Test("C02 deleting an upgrade that has just been bought leaves the plan before, which it ended")
    func deleteUpgrade() async throws {
        let silver = try await app.purchase(Shop.silverMonthly)
        store.clock.advance(by: 86_400)
        let gold = try await app.purchase(Shop.goldMonthly)
        try store.deleteTransaction(identifier: gold.id)
        #expect(store.allTransactions.map(\.id) == [silver.id])
        #expect(store.subscriptionState(inGroup: Shop.group) == .expired)
        #expect(store.renewalInfos.map(\.currentProductIdentifier) == [Shop.silverMonthly])
    }

    @Test(
        "C02 deleting a renewal that was forced leaves the period before, which it ended; the identifier is not used again"
    )
    func deleteForcedRenewal() async throws {
        let first = try await app.purchase(Shop.goldMonthly)
        try store.forceRenewalOfSubscription(productIdentifier: Shop.goldMonthly)
        let forced = try #require(store.allTransactions.last)
        try store.forceRenewalOfSubscription(productIdentifier: Shop.goldMonthly)
        let last = try #require(store.allTransactions.last)
        try store.deleteTransaction(identifier: last.id)
        #expect(store.allTransactions.map(\.id) == [first.id, forced.id])
        let next = try await app.purchase(Shop.goldMonthly)
        #expect(![first.id, forced.id, last.id].contains(next.id))
    }

    @Test("C02 deleting a payment that waits for an answer ends it", arguments: [StoreBuyer.Answer.hesitate, .ask])
    func deleteOpen(answer: StoreBuyer.Answer) async throws {
        store.buyer.nextAnswers = [answer]
        let open = app.startBuying(Shop.coins)
        await store.settle()
        let waiting = try #require(store.allTransactions.first)
        try store.deleteTransaction(identifier: waiting.id)
        await store.settle()
        #expect(app.answer(to: open).transaction?.state == .failed)
        #expect(app.answer(to: open).error != nil)
        #expect(store.allTransactions.isEmpty)
    }

    @Test("C02 deleting what was shared deletes the family's shares")
    func deleteShared() async throws {
        let child = store.device(named: "tablet", account: "child")
        try child.joinFamily(of: store.accountName)
        let ads = try await app.purchase(Shop.removeAds)
        let gold = try await app.purchase(Shop.goldMonthly)
        store.clock.advance(by: StoreSubscriptionPeriod(value: 1, unit: .month))
        #expect(child.allTransactions.count == 3)
        try store.deleteTransaction(identifier: try #require(store.allTransactions.last).id)
        #expect(child.allTransactions.count == 2)
        #expect(child.currentEntitlements.map(\.productIdentifier) == [Shop.removeAds])
        try store.deleteTransaction(identifier: ads.id)
        try store.deleteTransaction(identifier: gold.id)
        #expect(child.allTransactions.isEmpty)
        try await app.purchase(Shop.goldMonthly)
        #expect(child.currentEntitlements.map(\.productIdentifier) == [Shop.goldMonthly])
    }

    @Test("C02 the default state has the settings of the file, and leaves what was bought")
    func defaults() async throws {
        try await app.purchase(Shop.coins)
        store.askToBuyEnabled = true
        store.controls.storefront = "DEU"
        store.timeRate = .oneRenewalEveryMinute
        store.resetToDefaultState()
        #expect(!store.askToBuyEnabled)
        #expect(store.controls == StoreControls(settings: Shop.configuration().settings))
        #expect(store.allTransactions.count == 1)
    }

    @Test(
        "C06 a reset empties history, offers and clock, and forgets every switch; the log goes on, and identifiers count on"
    )
    func reset() async throws {
        let before = try await app.purchase(Shop.magazine)
        store.faults[.updates].delay = 100...100
        try store.buyProduct(identifier: Shop.coins)
        store.buyer.standingAnswer = .cancel
        store.failTransactionsEnabled = true
        #expect(store.clock.nextDueDate != nil)
        let log = store.log.count
        store.reset()
        #expect(store.clock.nextDueDate == nil)
        #expect(store.allTransactions.isEmpty)
        #expect(store.isEligibleForIntroductoryOffer(inGroup: "magazine"))
        #expect(store.buyer == StoreBuyer())
        #expect(store.controls == StoreControls(settings: Shop.configuration().settings))
        #expect(store.log.count > log)
        let after = try await app.purchase(Shop.magazine)
        #expect(after.offer?.type == .introductory)
        #expect(after.id != before.id)
    }

    @Test("C06 a reset, clearing and deleting end the downloads that are under way", arguments: 0...2)
    func endDownloads(way: Int) async throws {
        store.hostedContent = [Shop.removeAds: [HostedContent(id: "level")]]
        let ads = try await app.purchase(Shop.removeAds)
        store.perform(.start, on: ads.downloads)
        #expect(store.clock.nextDueDate != nil)
        switch way {
        case 0: store.reset()
        case 1: store.clearTransactions()
        default: try store.deleteTransaction(identifier: ads.id)
        }
        #expect(store.clock.nextDueDate == nil)
        await store.settle()
        app.clear()
        store.clock.advance(by: 60)
        await store.settle()
        #expect(app.events.isEmpty)
    }

    @Test("C06 a reset does not set the clock back")
    func resetKeepsTime() {
        store.clock.advance(by: 60)
        let date = store.clock.now
        store.reset()
        #expect(store.clock.now == date)
    }

    @Test("C02 a refund that is asked for is given, declined, or a second one")
    func refundRequests() async throws {
        let coins = try await app.purchase(Shop.coins)
        store.declinesRefundRequests = true
        try store.beginRefundRequest(identifier: coins.id)
        #expect(store.allTransactions.first?.revocationDate == nil)
        store.declinesRefundRequests = false
        try store.beginRefundRequest(identifier: coins.id)
        #expect(store.allTransactions.first?.revocationReason == .other)
        #expect(throws: StoreAPIFailure.refundRequest(.duplicateRequest)) {
            try store.beginRefundRequest(identifier: coins.id)
        }
        #expect(throws: SimulatorError.self) { try store.refundTransaction(identifier: coins.id) }
        #expect(throws: SimulatorError.noTransactionFound("77")) { try store.beginRefundRequest(identifier: "77") }
    }
}
