import Foundation
import StoreManagerCore
import StoreSimulator
import Testing

@MainActor
@Suite("Purchases in the simulated store")
struct PurchaseTests {
    let store = SimulatedStore(configuration: Shop.configuration())
    let app: TestApp

    init() { app = TestApp(store) }

    @Test(
        "C02 every kind of product is sold, with all that a transaction says",
        arguments: [Shop.coins, Shop.removeAds, Shop.season, Shop.goldMonthly])
    func sells(identifier: String) async throws {
        let transaction = try await app.purchase(identifier)
        let product = try #require(Shop.configuration().product(withIdentifier: identifier))
        #expect(transaction.state == .purchased)
        #expect(transaction.productIdentifier == identifier)
        #expect(transaction.productType == product.type)
        #expect(transaction.price == product.price)
        #expect(transaction.currencyCode == "USD")
        #expect(transaction.storefrontCountryCode == "USA")
        #expect(transaction.environment == .xcode)
        #expect(transaction.purchaseDate == store.clock.now)
        #expect(transaction.signedDate == store.clock.now)
        #expect(transaction.id == transaction.originalID)
        #expect((transaction.expirationDate != nil) == (product.type == .autoRenewable))
        #expect(store.unfinishedTransactions == [transaction])
    }

    @Test("C02 the quantity, the account token and the user name come back on the transaction")
    func options() async throws {
        let account = try #require(UUID(uuidString: "6F4F1C2B-0E1D-4C3B-8A79-1234567890AB"))
        let options = PurchaseOptions(quantity: 3, appAccountToken: account, applicationUsername: "jane")
        let transaction = try await app.purchase(Shop.coins, options)
        #expect(transaction.quantity == 3)
        #expect(transaction.price == Decimal(string: "2.97"))
        #expect(transaction.appAccountToken == account)
        #expect(transaction.applicationUsername == "jane")
    }

    @Test("C02 an owned product that is not used up is restored under its own identifier, and not charged again")
    func alreadyOwned() async throws {
        let first = try await app.purchase(Shop.removeAds)
        let second = try await app.purchase(Shop.removeAds)
        #expect(second.state == .restored)
        #expect(second.id == first.id)
        #expect(store.allTransactions.count == 1)
    }

    @Test("C02 the buyer's answers are used one after the other, then the standing one")
    func script() async {
        store.buyer.nextAnswers = [.cancel, .decline(.generic(.systemError))]
        store.buyer.standingAnswer = .neither
        #expect(await app.buy(Shop.coins).error?.isCancellation == true)
        let declined = await app.buy(Shop.coins)
        #expect(declined.transaction?.state == .failed)
        #expect(declined.error?.underlyingError as? StoreAPIFailure == .generic(.systemError))
        let neither = await app.buy(Shop.coins)
        #expect(neither.hasEnded)
        #expect(neither.error == nil)
    }

    @Test("C02 an unknown product ends the purchase, and a fetch leaves it out")
    func unknownProduct() async {
        let answer = await app.buy("com.example.nothing")
        guard case .unknownProduct("com.example.nothing")? = answer.error else {
            Issue.record("\(String(describing: answer.error))")
            return
        }
        let token = app.makeToken(.fetch)
        store.fetchProducts(withIdentifiers: [Shop.coins, "com.example.nothing", Shop.coins], for: token)
        await store.settle()
        guard case .productsFetched(let products, token)? = app.events.last else {
            Issue.record("\(String(describing: app.events.last))")
            return
        }
        #expect(products.map(\.id) == [Shop.coins])
    }

    @Test("C02 finishing takes a transaction off the list for good, and what is not finished comes back at a launch")
    func unfinishedComesBack() async throws {
        let finished = try await app.purchase(Shop.coins)
        let unfinished = try await app.purchase(Shop.coins)
        store.finish(finished)
        await store.settle()
        store.relaunch()
        let next = TestApp(store)
        await store.settle()
        #expect(next.unasked == [unfinished])
    }

    @Test("C06 nothing is reported from inside a command, unless the store is told to")
    func notInsideTheCall() async {
        let token = app.startBuying(Shop.coins)
        #expect(app.events.isEmpty)
        await store.settle()
        #expect(app.answer(to: token).transaction?.state == .purchased)

        store.deliversImmediately = true
        #expect(app.answer(to: app.startBuying(Shop.coins)).transaction?.state == .purchased)
    }

    @Test("C02 a restore lists what is owned, and then that it is done")
    func restore() async throws {
        let owned = try await app.purchase(Shop.removeAds)
        let plan = try await app.purchase(Shop.goldMonthly)
        _ = try await app.purchase(Shop.coins)
        let token = app.makeToken(.restore)
        store.restorePurchases(applicationUsername: "jane", for: token)
        await store.settle()
        let answer = app.answer(to: token)
        #expect(answer.transactions.map(\.id) == [owned.id, plan.id])
        #expect(answer.transactions.allSatisfy { $0.state == .restored })
        #expect(answer.hasEnded)
        #expect(store.log.contains { $0.event == .restore && $0["user"] == "jane" })
    }
}
