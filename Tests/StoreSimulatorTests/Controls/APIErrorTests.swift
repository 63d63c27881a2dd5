import Foundation
import StoreManagerCore
import StoreSimulator
import Testing

@MainActor
@Suite("Errors of StoreKit's interfaces")
struct APIErrorTests {
    /// An interface and a failure.
    struct Case: Sendable, CustomTestStringConvertible {
        var api: StoreAPI
        var failure: StoreAPIFailure
        var testDescription: String { "\(api.rawValue): \(failure)" }
    }

    nonisolated static let failures: [StoreAPIFailure] =
        StoreAPIFailure.Generic.allCases.map { .generic($0) } + StoreAPIFailure.Purchase.allCases.map { .purchase($0) }
        + StoreAPIFailure.Verification.allCases.map { .verification($0) }
        + StoreAPIFailure.RefundRequest.allCases.map { .refundRequest($0) }

    nonisolated static let cases = StoreAPI.allCases.flatMap { api in failures.map { Case(api: api, failure: $0) } }

    let store = SimulatedStore(configuration: Shop.configuration())
    let app: TestApp

    init() { app = TestApp(store) }

    @Test("C02 every interface shows each failure it can show, and refuses the others", arguments: cases)
    func simulated(_ test: Case) async throws {
        let owned = try await app.purchase(Shop.goldMonthly)
        guard test.api.canShow(test.failure) else {
            #expect(throws: SimulatorError.self) { try store.setSimulatedError(test.failure, forAPI: test.api) }
            #expect(store.simulatedError(forAPI: test.api) == nil)
            return
        }
        try store.setSimulatedError(test.failure, forAPI: test.api)
        #expect(store.simulatedError(forAPI: test.api) == test.failure)
        let shown = try await show(test.api, owned)
        #expect(shown == test.failure)
        try store.setSimulatedError(nil, forAPI: test.api)
        #expect(try await show(test.api, owned) == nil)
    }

    @Test("C02 every failure has its meaning among the manager's errors", arguments: failures)
    func meaning(failure: StoreAPIFailure) {
        let expected: Int =
            switch failure {
            case .generic(.userCancelled): StoreError.cancelled().errorCode
            case .generic(.networkError): StoreError.network().errorCode
            case .generic(.notAvailableInStorefront), .purchase(.productUnavailable):
                StoreError.productUnavailable().errorCode
            case .generic(.unsupported): StoreError.unsupported("").errorCode
            case .generic(.notEntitled), .purchase(.purchaseNotAllowed): StoreError.paymentNotAllowed().errorCode
            case .purchase: StoreError.invalidOffer(reason: "").errorCode
            default: StoreError.unknown().errorCode
            }
        #expect(failure.storeError.errorCode == expected)
        #expect(!failure.storeError.localizedDescription.isEmpty)
    }

    @Test("C02 the failures that a configuration switches on are armed from the start")
    func configured() {
        let store = SimulatedStore(
            configuration: Shop.configuration { configuration in
                configuration.settings.simulatedFailures = [
                    .init(interface: .loadProducts, isEnabled: true, failure: .init(type: "generic", index: 2)),
                    .init(interface: .purchase, isEnabled: true, failure: .init(type: "purchase", index: 1)),
                    .init(interface: .verification, isEnabled: false, failure: .init(type: "verification", index: 0)),
                    .init(interface: .refundRequest, isEnabled: true, failure: .init(type: "refund request", index: 1)),
                    .init(interface: .appStoreSync, isEnabled: true, failure: .init(type: "generic", index: 99)),
                    .init(interface: .appTransaction, isEnabled: true, failure: .init(type: "purchase", index: 0)),
                    .init(
                        interface: .init(rawValue: "Something New"), isEnabled: true,
                        failure: .init(type: "generic", index: 0)),
                ]
            })
        #expect(
            store.simulatedErrors == [
                .loadProducts: .generic(.networkError), .purchase: .purchase(.productUnavailable),
                .refundRequest: .refundRequest(.failed),
            ])
    }

    @Test(
        "C06 while transactions are to fail they fail, with the failure that is set or that the file names",
        arguments: [
            (0, .generic(.unknown)), (11, .purchase(.invalidOfferIdentifier)), (12, .purchase(.invalidOfferSignature)),
            (13, .purchase(.missingOfferParameters)), (14, .purchase(.invalidOfferPrice)),
        ] as [(Int, StoreAPIFailure)], [false, true])
    func failTransactions(error: (code: Int, failure: StoreAPIFailure), fromFile: Bool) async throws {
        let store = SimulatedStore(
            configuration: Shop.configuration { configuration in
                configuration.settings.failsTransactions = fromFile
                configuration.settings.transactionFailureCode = fromFile ? error.code : nil
            })
        let app = TestApp(store)
        store.failTransactionsEnabled = true
        if !fromFile { store.failureError = error.failure }
        let answer = await app.buy(Shop.coins)
        #expect(answer.transaction?.state == .failed)
        #expect(answer.error?.underlyingError as? StoreAPIFailure == error.failure)
        #expect(store.currentEntitlements.isEmpty)
        store.failTransactionsEnabled = false
        #expect(try await app.purchase(Shop.coins).state == .purchased)
    }

    /// Uses an interface; returns the failure that it showed.
    private func show(_ api: StoreAPI, _ owned: StoreTransaction) async throws -> StoreAPIFailure? {
        app.clear()
        let token = app.makeToken(.fetch)
        do {
            switch api {
            case .loadProducts: store.fetchProducts(withIdentifiers: [Shop.coins], for: token)
            case .purchase:
                store.add(
                    StorePayment(token: token, product: StoreProduct(id: Shop.coins, type: .consumable, price: 1)))
            case .verification: store.restorePurchases(applicationUsername: nil, for: token)
            case .appStoreSync: store.restorePurchases(applicationUsername: nil, for: token)
            case .subscriptionStatus: store.readCurrentEntitlements(for: token)
            case .appTransaction: store.refreshReceipt(for: token)
            case .manageSubscriptions: try store.manageSubscription(identifier: owned.id, renews: true)
            case .refundRequest: try store.beginRefundRequest(identifier: owned.id)
            case .offerCodeRedeem:
                try store.redeemOfferCode(referenceName: "fair", productIdentifier: Shop.silverMonthly)
            }
        } catch let failure as StoreAPIFailure {
            return failure
        } catch is SimulatorError {
            return nil
        }
        await store.settle()
        return app.events.lazy.compactMap { $0.shownFailure }.first
    }
}

extension StoreBackendEvent {
    /// The failure that an event shows.
    fileprivate var shownFailure: StoreAPIFailure? {
        switch self {
        case .productFetchFailed(let error, _), .restoreFailed(let error, _), .entitlementsRead(.failure(let error), _):
            error.shownFailure
        case .purchaseEnded(let error, _), .receiptRefreshed(let error, _): error?.shownFailure
        case .transactionsUpdated(let updates):
            updates.lazy.compactMap { update -> StoreAPIFailure? in
                guard case .unverified(let reason) = update.transaction.storeVerification else {
                    return update.error?.shownFailure
                }
                return StoreAPIFailure.Verification(rawValue: reason).map { .verification($0) }
            }.first
        default: nil
        }
    }
}

extension StoreError {
    /// The failure beneath. An unsupported request has none to keep.
    fileprivate var shownFailure: StoreAPIFailure? {
        if case .unsupported = self { return .generic(.unsupported) }
        return underlyingError as? StoreAPIFailure
    }
}
