import Foundation
import StoreManagerCore
import StoreSimulator
import TestSupport
import Testing

/// U04, P13, P22: a subscription that gave way to a better plan. Its old transaction grants nothing, so no receiver gets it.
@MainActor
struct UpgradeTests {
    private let fixture = ManagerFixture()
    private let silver = StoreTransaction.sample("1", of: "silver", .autoRenewable).with(\.signedDate, .start)
    private var upgraded: StoreTransaction { silver.with(\.isUpgraded, true).with(\.signedDate, .start + 1) }

    init() { setUp(fixture) }

    private func setUp(_ fixture: ManagerFixture, persistence: MemoryPersistence? = nil) {
        fixture.backend.answer = { $0.finishedAtOnce }
        fixture.manager.persistence = persistence
        fixture.manager.defaultHandlers = fixture.recorder.purchaseHandlers("default")
    }

    /// Has the events of transactions recorded in the order in which they happen.
    private func observe(_ fixture: ManagerFixture) -> EventObserver {
        let observer = EventObserver(recorder: fixture.recorder)
        fixture.manager.addObserver(observer)
        return observer
    }

    @Test(
        "U04 P13 an upgraded transaction is written, finished and told as an event, once; no receiver gets it",
        arguments: [true, false], StoreManager.FinishingPolicy.allCases)
    func upgraded(hasLedger: Bool, finishing: StoreManager.FinishingPolicy) async throws {
        let (fixture, persistence) = (ManagerFixture(finishing: finishing), MemoryPersistence())
        setUp(fixture, persistence: hasLedger ? persistence : nil)
        fixture.manager.verifier = TestVerifier(recorder: fixture.recorder)
        let observer = observe(fixture)
        defer { withExtendedLifetime(observer) {} }
        await fixture.answer(nil, with: silver)
        if finishing == .manual { try fixture.manager.finish(silver) }
        await fixture.manager.settle()
        let before = ["verifier 1", "default success 1", "event purchased"]
        #expect(fixture.handlerLines == before)
        for _ in 1...2 { await fixture.answer(nil, with: upgraded) }
        await fixture.answer(nil, with: silver)
        #expect(fixture.handlerLines == before + ["event upgraded"])
        #expect(fixture.backend.finished.prefix(2) == ["1", "1"])
        if hasLedger {
            #expect(try await persistence.isPurchased("silver") == false)
            #expect(try await persistence.transactions(for: "silver").map(\.isUpgraded) == [true])
        }
    }

    @Test("U04 U01 it waits for nobody, and is finished though the app finishes the rest", arguments: [true, false])
    func nobodyThere(isKnown: Bool) async {
        let fixture = ManagerFixture(finishing: .manual)
        setUp(fixture)
        let observer = observe(fixture)
        defer { withExtendedLifetime(observer) {} }
        // Handed over, and not finished yet.
        if isKnown { await fixture.answer(nil, with: silver) }
        fixture.manager.defaultHandlers = nil
        fixture.recorder.clear()
        await fixture.answer(nil, with: upgraded)
        #expect(fixture.lines == ["store finish 1", "event upgraded"])
        fixture.manager.defaultHandlers = fixture.recorder.purchaseHandlers("default")
        await fixture.manager.settle()
        #expect(fixture.recorder.lines(of: "default") == [])
    }

    @Test("U04 L02 a purchase whose content is still being fetched when a better plan comes ends as a failure, once")
    func whileDownloading() async {
        let bought = silver.with(\.downloads, [StoreDownload(id: "x", transactionID: "1")])
        let token = fixture.manager.purchase(
            .sample("silver", .autoRenewable), handlers: fixture.recorder.purchaseHandlers("a"))
        await fixture.answer(token, with: bought)
        await fixture.answer(nil, with: upgraded)
        #expect(fixture.handlerLines == ["a failure 1 verificationFailed"])
        #expect(fixture.lines.contains("store cancel [x]"))
        #expect(fixture.backend.finished == ["1"])
    }

    @Test("R01 U04 a restore does not list it as restored", arguments: [true, false])
    func restored(isFirstWord: Bool) async {
        let token = fixture.manager.restorePurchases(handlers: fixture.recorder.restoreHandlers("r"))
        if !isFirstWord { await fixture.list([silver], for: token) }
        await fixture.list([upgraded, .sample("2", of: "gold", .autoRenewable)], for: token)
        await fixture.report(.restoreFinished(for: token))
        #expect(fixture.handlerLines == ["r restored [2] invalid [] undecided []"])
    }

    @Test("P22 a purchase that is answered with the plan that was given up ends as scheduled")
    func answered() async {
        var handlers = fixture.recorder.purchaseHandlers("a")
        handlers.onRestore = { [recorder = fixture.recorder] in recorder.record("a restore \($0.id) \($0.state)") }
        let token = fixture.manager.purchase(.sample("silver", .autoRenewable), handlers: handlers)
        await fixture.answer(token, with: upgraded)
        #expect(fixture.handlerLines == ["a restore 1 scheduled"])
        #expect(!fixture.manager.isPending(token))
        #expect(fixture.backend.finished == ["1"])
    }

    @Test(
        "S06 T01 U04 over the simulated store: after an upgrade the better plan is owned, and the other is not",
        arguments: StoreBackendCapabilities.TokenCarriage.allCases, [0.0, 10])
    func overTheStore(carriage: StoreBackendCapabilities.TokenCarriage, days: Double) async throws {
        let plans = [("silver", 2, StoreSubscriptionPeriod.Unit.year), ("gold", 1, .month)].map { id, level, unit in
            StoreConfiguration.Product(
                id: id, type: .autoRenewable, price: 9,
                subscription: StoreConfiguration.Subscription(
                    groupID: "plans", groupLevel: level, period: StoreSubscriptionPeriod(value: 1, unit: unit)))
        }
        let store = SimulatedStore(
            configuration: StoreConfiguration(products: plans, subscriptionGroups: [.init(id: "plans")]))
        store.habits.tokenCarriage = carriage
        let (manager, persistence) = (StoreManager(backend: store, clock: store.clock), MemoryPersistence())
        manager.persistence = persistence
        var history: [StoreTransaction] = []
        manager.defaultHandlers = PurchaseHandlers(onSuccess: { history.append($0) })
        for id in ["silver", "gold"] {
            guard case .purchased(let transaction) = try await manager.purchase(productIdentifier: id) else {
                Issue.record("not purchased")
                return
            }
            history.append(transaction)
            await store.settle()
            await manager.settle()
            if id == "silver" { store.clock.advance(by: days * 86_400) }
        }
        #expect(history.map(\.productIdentifier) == ["silver", "gold"])
        #expect(store.unfinishedTransactions.isEmpty)
        for _ in 1...2 {
            let entitlements = Entitlements(transactions: history, at: store.clock.now)
            #expect(entitlements.state(of: "gold") == .entitled)
            #expect(entitlements.state(of: "silver") == .notEntitled)
            #expect(try await persistence.purchasedProductIdentifiers == ["gold"])
            try await manager.refreshEntitlements()
        }
    }
}

/// Records what happens to transactions: `event upgraded`.
@MainActor
private final class EventObserver: StoreObserver {
    private let recorder: Recorder

    init(recorder: Recorder) { self.recorder = recorder }

    func storeManager(_ manager: StoreManager, didPublish event: StoreEvent) {
        switch event {
        case .transactionsUpdated, .transactionFinished: break
        default: if event.transaction != nil { recorder.record("event \(event.name)") }
        }
    }
}
