import Foundation
import StoreManagerCore
import TestSupport
import Testing

/// What starts a purchase, what reaches the store, and what is an error before anything does.
@MainActor
struct PurchaseStartTests {
    private let fixture = ManagerFixture()

    // MARK: From the cache, or from the caller

    @Test("P01 a purchase by identifier starts when the product is cached, with closures and with a delegate")
    func purchaseOfCachedProduct() async throws {
        await cache([.sample("coins"), .sample("gems")])
        let delegate = RecordingDelegate("d", recorder: fixture.recorder)
        fixture.recorder.clear()

        let first = try #require(
            fixture.manager.purchaseProduct(
                withIdentifier: "coins", handlers: fixture.recorder.purchaseHandlers("a")))
        let second = try #require(fixture.manager.purchaseProduct(withIdentifier: "gems", delegate: delegate))

        #expect(fixture.lines == ["store purchase coins", "store purchase gems"])
        #expect(fixture.backend.payments.map(\.token) == [first, second])
        #expect(first != second)
        #expect([first, second].allSatisfy(fixture.manager.isPending))
    }

    @Test(
        "P01 a purchase by identifier of what is not cached returns nil, starts nothing and calls nobody",
        arguments: ["", "coins", " gems", "gems ", "GEMS"])
    func purchaseOfUnknownProduct(identifier: String) async {
        await cache([.sample("gems")])
        let delegate = RecordingDelegate("d", recorder: fixture.recorder)
        fixture.recorder.clear()

        #expect(
            fixture.manager.purchaseProduct(
                withIdentifier: identifier, onSuccess: { _ in fixture.recorder.record("a success") },
                onFailure: { _, _ in fixture.recorder.record("a failure") }) == nil)
        #expect(
            fixture.manager.purchaseProduct(
                withIdentifier: identifier, handlers: fixture.recorder.purchaseHandlers("b")) == nil)
        #expect(fixture.manager.purchaseProduct(withIdentifier: identifier, delegate: delegate) == nil)

        await fixture.manager.settle()
        #expect(fixture.lines == [])
    }

    @Test("P02 a product that the caller keeps is bought, cached or not, as the caller has it")
    func purchaseOfKeptProduct() async {
        await cache([.sample("coins", price: 1)])
        let kept = StoreProduct.sample("coins", price: 2)

        fixture.manager.purchase(kept, onSuccess: nil)
        fixture.manager.purchase(.sample("gems"), onSuccess: nil)
        fixture.manager.removeAllProductsFromCache()
        fixture.manager.purchase(kept, delegate: RecordingDelegate("d", recorder: fixture.recorder))

        #expect(fixture.backend.payments.map(\.product) == [kept, .sample("gems"), kept])
    }

    @Test(
        "P18 an unknown product in the async form is fetched once and is then an error; nothing is queued",
        arguments: ["", "coins"])
    func asyncPurchaseOfUnknownProduct(identifier: String) async throws {
        fixture.backend.answer = { command in
            if case .fetch(_, let token) = command { [.productsFetched([.sample("gems")], for: token)] } else { [] }
        }
        let error = await #expect(throws: StoreError.self) {
            _ = try await fixture.manager.purchase(productIdentifier: identifier)
        }
        guard case .unknownProduct(identifier) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(fixture.lines == ["store fetch [\(identifier)]"])
    }

    @Test("P18 the async form fetches a product that is not cached, and takes a cached one as it is")
    func asyncPurchaseFetches() async throws {
        fixture.backend.answer = { command in
            switch command {
            case .fetch(_, let token): [.productsFetched([.sample("coins")], for: token)]
            case .purchase(let payment): [StoreAnswer.purchased.event(for: payment)]
            case .finish(let transaction): [.transactionFinished(transaction.id)]
            default: []
            }
        }
        _ = try await fixture.manager.purchase(productIdentifier: "coins")
        await fixture.manager.settle()
        fixture.backend.answer = { command in
            if case .purchase(let payment) = command { [StoreAnswer.failed.event(for: payment)] } else { [] }
        }
        await #expect(throws: StoreError.self) { _ = try await fixture.manager.purchase(productIdentifier: "coins") }
        #expect(fixture.backend.fetches.map(\.identifiers) == [["coins"]])
        #expect(fixture.backend.payments.count == 2)
    }

    // MARK: Options

    @Test("P05 the quantity, P06 the account token and the user name, and the context reach the store as given")
    func optionsReachTheStore() throws {
        let options = PurchaseOptions(
            quantity: 2, appAccountToken: UUID(), applicationUsername: "somebody", simulatesAskToBuyInSandbox: true,
            context: try PurchaseContext(encoding: ["level": 7]))
        let token = fixture.manager.purchase(.sample(), options: options, onSuccess: nil)
        #expect(fixture.backend.payments == [StorePayment(token: token, product: .sample(), options: options)])
    }

    @Test("P05 P06 quantity, account token, user name and context come back on the transaction")
    func optionsComeBack() async throws {
        let options = PurchaseOptions(
            quantity: 2, appAccountToken: UUID(), applicationUsername: "somebody",
            context: try PurchaseContext(encoding: ["level": 7]))
        let delivered = Locked<StoreTransaction?>(nil)
        let token = fixture.manager.purchase(
            .sample(), options: options, onSuccess: { transaction in delivered.withLock { $0 = transaction } })
        await fixture.answer(token, with: .sample("1", for: fixture.backend.payments[0]))

        let transaction = try #require(delivered.withLock { $0 })
        #expect(transaction.quantity == 2)
        #expect(transaction.appAccountToken == options.appAccountToken)
        #expect(transaction.applicationUsername == "somebody")
        #expect(try transaction.context?.decode([String: Int].self) == ["level": 7])
    }

    @Test(
        "P06 where the store wants a UUID a user name that is one serves as account token, and may stand beside the same"
    )
    func usernameAsAccountToken() {
        let fixture = ManagerFixture(capabilities: StoreBackendCapabilities(requiresUUIDUsername: true))
        let (name, token) = (UUID(), UUID())
        for options in [
            PurchaseOptions(applicationUsername: name.uuidString.lowercased()),
            PurchaseOptions(appAccountToken: token, applicationUsername: token.uuidString.lowercased()),
            PurchaseOptions(),
        ] {
            fixture.manager.purchase(.sample(), options: options, onSuccess: nil)
        }
        #expect(fixture.backend.payments.map(\.options.appAccountToken) == [name, token, nil])
    }

    @Test(
        "P06 where the store knows no tokens it has one field for user name and account token: each serves as the other"
    )
    func oneFieldForBoth() {
        let fixture = ManagerFixture(capabilities: StoreBackendCapabilities(tokenCarriage: .never))
        let (name, token) = (UUID().uuidString.lowercased(), UUID())
        for options in [
            PurchaseOptions(applicationUsername: name), PurchaseOptions(appAccountToken: token),
            PurchaseOptions(applicationUsername: "somebody"),
            PurchaseOptions(appAccountToken: token, applicationUsername: name), PurchaseOptions(),
        ] {
            fixture.manager.purchase(.sample(), options: options, onSuccess: nil)
        }
        let options = fixture.backend.payments.map(\.options)
        #expect(options.map(\.applicationUsername) == [name, token.uuidString, "somebody", name, nil])
        #expect(options.map(\.appAccountToken) == [UUID(uuidString: name), token, nil, token, nil])
    }

    // MARK: Errors found early

    /// What is wrong with a purchase before the store hears of it.
    private nonisolated static let earlyErrors: [(PurchaseOptions, StoreBackendCapabilities, error: String)] = [
        (PurchaseOptions(quantity: 0), StoreBackendCapabilities(), "invalidQuantity"),
        (PurchaseOptions(quantity: -1), StoreBackendCapabilities(), "invalidQuantity"),
        (PurchaseOptions(quantity: .min), StoreBackendCapabilities(), "invalidQuantity"),
        (
            PurchaseOptions(applicationUsername: "somebody"), StoreBackendCapabilities(requiresUUIDUsername: true),
            "invalidUsername"
        ),
        (
            PurchaseOptions(applicationUsername: ""), StoreBackendCapabilities(requiresUUIDUsername: true),
            "invalidUsername"
        ),
        (
            PurchaseOptions(appAccountToken: UUID(), applicationUsername: UUID().uuidString),
            StoreBackendCapabilities(requiresUUIDUsername: true), "unsupported"
        ),
        (
            PurchaseOptions(appAccountToken: UUID(), applicationUsername: "somebody"),
            StoreBackendCapabilities(requiresUUIDUsername: true), "invalidUsername"
        ),
    ]

    @Test(
        "P05 P06 an error found early goes to the failure handler once, after the token was returned; nothing is queued",
        arguments: earlyErrors)
    func earlyError(options: PurchaseOptions, capabilities: StoreBackendCapabilities, error: String) async {
        let fixture = ManagerFixture(capabilities: capabilities)
        let delegate = RecordingDelegate("d", recorder: fixture.recorder)

        let token = fixture.manager.purchase(
            .sample(), options: options, handlers: fixture.recorder.purchaseHandlers("a"))
        fixture.manager.purchase(.sample(), options: options, delegate: delegate)
        #expect(fixture.lines == [])
        #expect(fixture.manager.isPending(token))

        await fixture.manager.settle()
        #expect(fixture.lines == ["a failure - \(error)", "d failure - \(error) purchase-2"])
        #expect(!fixture.manager.isPending(token))
        await #expect(throws: StoreError.self) {
            _ = try await fixture.manager.purchase(.sample(), options: options)
        }
        #expect(fixture.backend.payments == [])
    }

    @Test("P17 payments not allowed: a purchase ends once with that error, and products can be fetched")
    func paymentsNotAllowed() async {
        fixture.backend.canMakePayments = false
        #expect(!fixture.manager.canMakePayments)

        fixture.manager.purchase(.sample(), handlers: fixture.recorder.purchaseHandlers("a"))
        await fixture.manager.settle()
        await cache([.sample()])

        #expect(fixture.lines == ["a failure - paymentNotAllowed", "store fetch [coins]"])
        #expect(fixture.manager.cachedProducts == [.sample()])
    }

    // MARK: Helpers

    /// Fetches products, so that they are cached.
    private func cache(_ products: [StoreProduct]) async {
        fixture.manager.fetchProducts(withIdentifiers: products.map(\.id))
        await fixture.report(.productsFetched(products, for: fixture.backend.fetches[0].token))
    }
}
