import Foundation
import StoreManagerCore
import StoreSimulator
import Testing

@MainActor
@Suite("Devices and accounts")
struct DeviceTests {
    let store = SimulatedStore(configuration: Shop.configuration())

    @Test("C02 a purchase on one device is answered there, and comes unasked on the others of its account")
    func sharedAccount() async throws {
        let phone = TestApp(store)
        let tablet = TestApp(store.device(named: "tablet"))
        let stranger = TestApp(store.device(named: "tablet", account: "stranger"))
        let bought = try await phone.purchase(Shop.removeAds)
        #expect(phone.unasked.isEmpty)
        #expect(tablet.unasked == [bought])
        #expect(stranger.events.isEmpty)
        #expect(tablet.backend.currentEntitlements == [bought])
        #expect(stranger.backend.currentEntitlements.isEmpty)
    }

    @Test("C02 a device that was not running hears at its launch what another one finished long ago")
    func catchesUp() async throws {
        let phone = TestApp(store)
        let tablet = store.device(named: "tablet")
        let tabletApp = TestApp(tablet)
        await store.settle()
        tabletApp.stop()
        let coins = try await phone.purchase(Shop.coins)
        store.finish(coins)
        await store.settle()
        let next = TestApp(tablet)
        await store.settle()
        #expect(next.unasked.map(\.id) == [coins.id])
        let again = TestApp(tablet)
        await store.settle()
        #expect(again.unasked.isEmpty)
    }

    @Test("C02 each person answers for himself, and a device of one name and account is the same device")
    func buyers() async {
        let other = store.device(named: "tablet", account: "other")
        other.buyer.standingAnswer = .cancel
        let app = TestApp(store)
        let otherApp = TestApp(other)
        #expect(await app.buy(Shop.coins).transaction?.state == .purchased)
        #expect(await otherApp.buy(Shop.coins).transaction?.state == .failed)
        #expect(store.device(named: "tablet", account: "other").deviceIndex == other.deviceIndex)
        #expect(store.device(named: "tablet").deviceIndex != other.deviceIndex)
        #expect(other.accountName == "other")
    }

    @Test("C02 one account's finish does not touch another's transaction")
    func foreignFinish() async throws {
        let other = store.device(named: "tablet", account: "other")
        let otherApp = TestApp(other)
        let coins = try await TestApp(store).purchase(Shop.coins)
        other.finish(coins)
        await store.settle()
        #expect(store.unfinishedTransactions.map(\.id) == [coins.id])
        #expect(!otherApp.events.isEmpty)
    }

    @Test("C02 stores in one process know nothing of each other")
    func parallel() async throws {
        let other = SimulatedStore(configuration: Shop.configuration(), seed: 2)
        try await TestApp(store).purchase(Shop.coins)
        #expect(other.allTransactions.isEmpty)
        #expect(other.log.isEmpty)
    }

    @Test("C02 observers are held weakly")
    func weakObservers() async {
        weak var gone: TestApp?
        do {
            let app = TestApp(store)
            gone = app
            app.startBuying(Shop.coins)
        }
        await store.settle()
        #expect(gone == nil)
        // What it asked for is done all the same, and what it was not told is told to the next one.
        let next = TestApp(store)
        await store.settle()
        #expect(next.unasked.count == 1)
    }
}
