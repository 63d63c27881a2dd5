import Foundation
import ReceiptVerification
import StoreManagerCore
import TestSupport
import Testing

@Suite("Recorded answers of Apple's verifyReceipt", .enabled(if: Corpus.isAvailable))
struct AppleReceiptResponseCorpusTests {
    private func read(_ name: String) throws -> AppleReceiptResponse {
        try AppleReceiptResponse(data: Data(contentsOf: Corpus.url("receipts/verifyreceipt/\(name).json")))
    }

    @Test("Q01 Apple's answer says of a receipt what the receipt itself says")
    func sameReceipt() throws {
        let answer = try read("revenuecat-sample1")
        let file = try Data(contentsOf: Corpus.url("receipts/pkcs7/sandbox-2020-07-revenuecat-9iap-sha1.der"))
        let decoded = try AppReceipt(data: file).unverifiedContents
        let receipt = try #require(answer.receipt)

        #expect(answer.status == .valid)
        #expect(answer.environment == .sandbox)
        #expect(answer.requestDate == Date(timeIntervalSince1970: 1_595_440_486.402))
        #expect(receipt.environment == decoded.environment)
        #expect(receipt.receiptType == decoded.receiptType)
        #expect(receipt.bundleIdentifier == decoded.bundleIdentifier)
        #expect(receipt.applicationVersion == decoded.applicationVersion)
        #expect(receipt.creationDate == decoded.creationDate)
        #expect(receipt.originalPurchaseDate == decoded.originalPurchaseDate)
        #expect(receipt.originalApplicationVersion == decoded.originalApplicationVersion)
        #expect(receipt.purchases.count == 9)
        let summaries = { (contents: ReceiptContents) in
            Set(contents.purchases.map(PurchaseSummary.init))
        }
        #expect(summaries(receipt) == summaries(decoded))
    }

    /// What both Apple's answer and the receipt file say of a purchase.
    private struct PurchaseSummary: Hashable {
        let texts: [String?]
        let dates: [Date?]
        let numbers: [Int64?]
        let isInIntroductoryOfferPeriod: Bool?

        init(_ purchase: InAppPurchase) {
            texts = [
                purchase.productIdentifier, purchase.transactionIdentifier, purchase.originalTransactionIdentifier,
            ]
            dates = [
                purchase.purchaseDate, purchase.originalPurchaseDate, purchase.expirationDate,
                purchase.cancellationDate,
            ]
            numbers = [Int64(purchase.quantity), purchase.webOrderLineItemID]
            isInIntroductoryOfferPeriod = purchase.isInIntroductoryOfferPeriod
        }
    }

    @Test("Q01 the newest transactions and the next renewals are read")
    func subscription() throws {
        let answer = try read("revenuecat-sample1")
        #expect(!answer.latestPurchases.isEmpty)
        #expect(answer.latestPurchases.allSatisfy { $0.subscriptionGroupIdentifier != nil && $0.expirationDate != nil })
        #expect(!answer.pendingRenewals.isEmpty)
        #expect(answer.pendingRenewals.allSatisfy { $0.productIdentifier != nil && $0.autoRenewStatus != nil })
    }

    @Test("Q01 a recording with numbers and truth values instead of text is read")
    func numbers() throws {
        let answer = try read("aporat-inAppPurchaseResponse")
        #expect(answer.status == .valid)
        #expect(answer.receipt?.bundleIdentifier == "com.myapp")
        #expect(answer.receipt?.applicationVersion == "1")
        #expect(answer.receipt?.purchases.map(\.transactionIdentifier) == ["1000000156455961", "1000000156014803"])
        #expect(answer.receipt?.purchases.map(\.isTrialPeriod) == [false, false])
        #expect(answer.latestPurchases.map(\.transactionIdentifier) == ["1000000104232856", "1000000093384828"])
        #expect(answer.latestPurchases.last?.purchaseDate == Date(timeIntervalSince1970: 1_396_071_456.569))
        #expect(answer.pendingRenewals.map(\.autoRenewStatus) == [.on])
    }

    @Test("Q01 a recording of a cancelled subscription is read")
    func cancelled() throws {
        let answer = try read("venice-not-expired-cancelled")
        #expect(answer.environment == .production)
        // This one is written without its milliseconds.
        #expect(answer.receipt?.purchases.first?.expirationDate == Date(timeIntervalSince1970: 1_403_966_873))
        // And this one in milliseconds without the name of them.
        #expect(answer.receipt?.expirationDate == Date(timeIntervalSince1970: 1_401_924_047.883))
        #expect(answer.pendingRenewals.first?.autoRenewStatus == .off)
        #expect(answer.pendingRenewals.first?.expirationIntent == .cancelled)
    }

    @Test("Q01 the part of a version 1 notification that has the form of an answer is read as one")
    func notification() throws {
        let file = try Data(contentsOf: Corpus.url("receipts/verifyreceipt/aporat-serverNotificationV1.json"))
        let notification = try #require(try JSONSerialization.jsonObject(with: file) as? [String: Any])
        let part = try JSONSerialization.data(withJSONObject: try #require(notification["unified_receipt"]))
        let answer = try AppleReceiptResponse(data: part)
        #expect(answer.receipt == nil)
        #expect(answer.latestPurchases.map(\.ownershipType) == [.purchased])
        #expect(answer.latestReceipt == nil)
        #expect(answer.pendingRenewals.map(\.originalTransactionIdentifier) == ["100000000000000"])
    }

    @Test(
        "Q01 a receipt that somebody decoded is no answer of Apple's",
        arguments: ["mbaasy-unified-decoded", "aporat-serverNotificationV1"])
    func noAnswer(name: String) {
        #expect(throws: MalformedInput.self) { try read(name) }
    }
}
