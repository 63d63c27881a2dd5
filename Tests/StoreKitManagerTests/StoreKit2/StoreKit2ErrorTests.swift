import Foundation
@_spi(StoreKitDouble) import StoreKit
import StoreKitManager
import StoreKitTest
import StoreManagerCore
import StoreSimulator
import TestSupport
import Testing

extension StoreKitManagerTests {
    /// What StoreKit 2 throws, in the words of the package.
    @MainActor
    struct StoreKit2ErrorTests {
        nonisolated static let generic: [(StoreKitError, String)] = [
            (.unknown, "unknown"), (.userCancelled, "cancelled"),
            (.networkError(URLError(.notConnectedToInternet)), "network"),
            (.systemError(NSError(domain: "SKInternalErrorDomain", code: 3)), "unknown"),
            (.systemError(NSError(domain: NSURLErrorDomain, code: NSURLErrorTimedOut)), "network"),
            (.systemError(NSError(domain: "SKErrorDomain", code: 2)), "cancelled"),
            (.systemError(NSError(domain: "SKErrorDomain", code: 4)), "paymentNotAllowed"),
            (.notAvailableInStorefront, "productUnavailable"), (.notEntitled, "paymentNotAllowed"),
            (.unsupported, "unsupported"),
        ]

        nonisolated static let purchase: [(Product.PurchaseError, String)] = [
            (.invalidQuantity, "invalidQuantity"), (.productUnavailable, "productUnavailable"),
            (.purchaseNotAllowed, "paymentNotAllowed"), (.ineligibleForOffer, "invalidOffer"),
            (.invalidOfferIdentifier, "invalidOffer"), (.invalidOfferPrice, "invalidOffer"),
            (.invalidOfferSignature, "invalidOffer"), (.missingOfferParameters, "invalidOffer"),
        ]

        typealias Reason = VerificationResult<Transaction>.VerificationError
        nonisolated static let verification: [(Reason, String)] = [
            (.revokedCertificate, "revoked"), (.invalidCertificateChain, "root"),
            (.invalidDeviceVerification, "device"), (.invalidEncoding, "read"), (.invalidSignature, "signature"),
            (.missingRequiredProperties, "missing"),
        ]

        nonisolated static let others: [(any Error & Sendable, String)] = [
            (
                VerificationResult<Product.SubscriptionInfo.RenewalInfo>.VerificationError.invalidSignature,
                "verificationFailed"
            ),
            (VerificationResult<AppTransaction>.VerificationError.invalidSignature, "verificationFailed"),
            (Transaction.RefundRequestError.duplicateRequest, "unknown"),
            (Transaction.RefundRequestError.failed, "unknown"), (SKError(.paymentCancelled), "cancelled"),
            (SKError(.storeProductNotAvailable), "productUnavailable"), (URLError(.networkConnectionLost), "network"),
            (StoreError.paymentNotAllowed(), "paymentNotAllowed"), (Unheard(), "unknown"),
        ]

        struct Unheard: Error {}

        nonisolated static let thrown: [(any Error & Sendable, String)] =
            generic.map { ($0.0, $0.1) } + purchase.map { ($0.0, $0.1) }
            + verification.map { ($0.0, "verificationFailed") } + others

        @Test("A02 E01 E02 whatever a purchase throws is told once, for what it is", arguments: thrown)
        func thrownByPurchase(error: any Error & Sendable, name: String) async throws {
            let app = try KioskApp { _, _ in throw error }
            try await app.buy(KioskApp.stamps)
            #expect(app.lines == [name == "cancelled" ? "a cancel" : "a failure - \(name)"])
        }

        @Test("A02 the tables have a row for every case of StoreKit's errors")
        func complete() {
            #expect(Set(Self.generic.map { StoreAPIFailure.Generic($0.0) }) == Set(StoreAPIFailure.Generic.allCases))
            #expect(Set(Self.purchase.map { StoreAPIFailure.Purchase($0.0) }) == Set(StoreAPIFailure.Purchase.allCases))
            #expect(
                Set(Self.verification.map { StoreAPIFailure.Verification($0.0) })
                    == Set(StoreAPIFailure.Verification.allCases))
        }

        @Test("A02 each failure of StoreKit's own interface is told for what it is", arguments: purchase)
        func purchaseErrors(error: Product.PurchaseError, name: String) async throws {
            let app = try KioskApp()
            try await app.session.setSimulatedError(.purchase(error), forAPI: .purchase)
            try await app.buy(KioskApp.stamps)
            #expect(app.lines == ["a failure - \(name)"])
        }

        @Test(
            "A02 F06 R07 fetches and restores fail with what StoreKit throws",
            arguments: generic.filter { !$0.0.isSystemError })
        func fetchesAndRestores(error: StoreKitError, name: String) async throws {
            let app = try KioskApp()
            try await app.session.setSimulatedError(.generic(error), forAPI: .loadProducts)
            try await app.session.setSimulatedError(.generic(error), forAPI: .appStoreSync)
            app.manager.fetchProducts(withIdentifiers: [KioskApp.stamps], handlers: app.recorder.fetchHandlers("a"))
            app.manager.restorePurchases(handlers: app.recorder.restoreHandlers("b"))
            await app.settle()
            #expect(Set(app.lines) == ["a failure \(name)", "b failure \(name)"] && app.lines.count == 2)
        }

        @Test(
            "A02 V08 a transaction that StoreKit does not find genuine says why, fails once and stays",
            arguments: verification)
        func unverified(reason: Reason, word: String) async throws {
            let app = try KioskApp()
            app.store.simulatedErrors[.verification] = .verification(.init(reason))
            let product = try await app.product(KioskApp.removeAds)
            var failures: [String] = []
            app.manager.purchase(
                product, onSuccess: { _ in Issue.record("It succeeded.") },
                onFailure: { transaction, error in
                    failures.append("\(transaction?.id ?? "-") \(error.name)")
                    #expect(error.localizedDescription.contains(word))
                    #expect(transaction?.storeVerification != .verified)
                })
            await app.settle()
            #expect(failures == ["1 verificationFailed"] && app.lines.isEmpty)
            #expect(app.store.unfinishedTransactions.map(\.id) == ["1"])

            app.store.simulatedErrors[.verification] = nil
            let later = KioskApp(relaunching: app)
            await later.settle()
            #expect(later.lines == ["default success 1"])
            #expect(app.store.unfinishedTransactions.isEmpty)
        }

        @Test("E02 the error that StoreKit threw stays at hand")
        func underlying() async throws {
            let app = try KioskApp { _, _ in throw Product.PurchaseError.ineligibleForOffer }
            let product = try await app.product(KioskApp.stamps)
            let error = await #expect(throws: StoreError.self) { try await app.manager.purchase(product) }
            #expect(error?.underlyingError as? Product.PurchaseError == .ineligibleForOffer)
        }
    }
}

extension StoreKitError {
    fileprivate var isSystemError: Bool {
        if case .systemError = self { true } else { false }
    }
}
