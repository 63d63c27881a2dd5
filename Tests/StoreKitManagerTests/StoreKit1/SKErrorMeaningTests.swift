import Foundation
import StoreKit
import StoreKitTest
import StoreManagerCore
import TestSupport
import Testing

@testable import StoreKitManager

struct SKErrorMeaningTests {
    @Test("A02 every code of SKError has a meaning, and the error itself is kept", arguments: meanings)
    func everyCode(meaning: Meaning) throws {
        for error in [SKError(meaning.code), NSError(domain: SKErrorDomain, code: meaning.code.rawValue)] as [any Error]
        {
            let known = StoreError(storeKit1: error)
            #expect(known.name == meaning.name)
            if meaning.name != "unsupported" {
                let kept = try #require(known.underlyingError) as NSError
                #expect(kept.domain == SKErrorDomain && kept.code == meaning.code.rawValue)
            }
        }
    }

    @Test("A02 no code of SKError is missing from the table")
    func allCodes() {
        let codes = (-1...1_000).compactMap(SKError.Code.init(rawValue:))
        #expect(meanings.map(\.code).sorted { $0.rawValue < $1.rawValue } == codes)
    }

    @Test("A02 a code of a later system is unknown, with the error kept")
    func laterCode() throws {
        let error = StoreError(storeKit1: NSError(domain: SKErrorDomain, code: 4_711))
        #expect(error.name == "unknown")
        #expect(try #require(error.underlyingError as? NSError).code == 4_711)
    }

    @Test(
        "A02 E01 an unknown error is what lies beneath it, in any domain",
        arguments: [
            (NSError(domain: SKErrorDomain, code: 2), "cancelled"),
            (NSError(domain: NSURLErrorDomain, code: NSURLErrorNotConnectedToInternet), "network"),
            (NSError(domain: "AMSErrorDomain", code: 2), "unknown"),
        ])
    func beneath(cause: NSError, name: String) {
        let error = SKError(.unknown, userInfo: [NSUnderlyingErrorKey: cause])
        #expect(StoreError(storeKit1: error).name == name)
        #expect(StoreError(storeKit1: cause).name == name)
    }

    @Test("A StoreError stays itself")
    func ownError() {
        #expect(StoreError(storeKit1: StoreError.transactionRemoved).name == "transactionRemoved")
    }
}

extension StoreKitManagerTests {
    @MainActor
    struct SKErrorOnPaymentTests {
        @Test("A02 every code of SKError reaches the purchase that failed with it", arguments: meanings)
        func everyCode(meaning: Meaning) async throws {
            let app = try QueueApp()
            app.session.failureError = meaning.code
            app.session.failTransactionsEnabled = true
            try await app.buy(QueueApp.stamps)
            #expect(app.lines == [meaning.name == "cancelled" ? "a cancel" : "a failure queue-1 \(meaning.name)"])
            #expect(app.queue.transactions.isEmpty)
        }
    }
}

/// What a code means.
struct Meaning: Sendable, CustomTestStringConvertible {
    var code: SKError.Code
    var name: String
    var testDescription: String { "\(code)" }

    init(_ code: SKError.Code, _ name: String) {
        self.code = code
        self.name = name
    }
}

private let meanings = [
    Meaning(.unknown, "unknown"),
    Meaning(.clientInvalid, "paymentNotAllowed"),
    Meaning(.paymentCancelled, "cancelled"),
    Meaning(.paymentInvalid, "unknown"),
    Meaning(.paymentNotAllowed, "paymentNotAllowed"),
    Meaning(.storeProductNotAvailable, "productUnavailable"),
    Meaning(.cloudServicePermissionDenied, "paymentNotAllowed"),
    Meaning(.cloudServiceNetworkConnectionFailed, "network"),
    Meaning(.cloudServiceRevoked, "paymentNotAllowed"),
    Meaning(.privacyAcknowledgementRequired, "paymentNotAllowed"),
    Meaning(.unauthorizedRequestData, "unknown"),
    Meaning(.invalidOfferIdentifier, "invalidOffer"),
    Meaning(.invalidSignature, "invalidOffer"),
    Meaning(.missingOfferParams, "invalidOffer"),
    Meaning(.invalidOfferPrice, "invalidOffer"),
    Meaning(.overlayCancelled, "cancelled"),
    Meaning(.overlayInvalidConfiguration, "unknown"),
    Meaning(.overlayTimeout, "unknown"),
    Meaning(.ineligibleForOffer, "invalidOffer"),
    Meaning(.unsupportedPlatform, "unsupported"),
    Meaning(.overlayPresentedInBackgroundScene, "unknown"),
    Meaning(.paymentMethodBindingConfigurationRequired, "unknown"),
]
