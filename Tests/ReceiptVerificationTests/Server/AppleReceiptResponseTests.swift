import Foundation
import ReceiptVerification
import StoreManagerCore
import StoreSimulator
import Testing

@Suite("Answers of Apple's verifyReceipt")
struct AppleReceiptResponseTests {
    private func read(_ json: String) throws -> AppleReceiptResponse { try AppleReceiptResponse(data: Data(json.utf8)) }

    /// The seconds of a date in milliseconds.
    private func date(_ milliseconds: Double) -> Date { Date(timeIntervalSince1970: milliseconds / 1000) }

    /// An answer with everything in it, in which a test writes its numbers and truth values.
    private func fullAnswer(number: (Int64) -> String, flag: (Bool) -> String) -> String {
        """
        {"status": \(number(0)), "environment": "Production", "is-retryable": \(flag(true)), "latest_receipt": "cmVjZWlwdA==",
         "receipt": {
          "receipt_type": "Production", "adam_id": \(number(5_000_000_000)), "app_item_id": \(number(5_000_000_000)),
          "bundle_id": "com.example.app", "application_version": \(number(7)), "download_id": \(number(8)),
          "version_external_identifier": \(number(9)), "original_application_version": "1.0",
          "receipt_creation_date_ms": \(number(1_595_439_548_123)), "request_date_ms": \(number(1_595_440_486_402)),
          "original_purchase_date_ms": \(number(1_375_340_400_000)), "preorder_date_ms": \(number(1_375_340_300_000)),
          "expiration_date_ms": \(number(1_605_440_486_402)),
          "in_app": [{"product_id": "coins", "transaction_id": \(number(11)), "quantity": \(number(3))}]},
         "latest_receipt_info": [{
          "product_id": "pro", "transaction_id": \(number(1_000_000_692_879_214)), "quantity": \(number(1)),
          "original_transaction_id": \(number(1_000_000_692_878_476)), "web_order_line_item_id": \(number(1_000_000_054_042_695)),
          "purchase_date_ms": \(number(1_594_755_400_000)), "original_purchase_date_ms": \(number(1_594_755_207_000)),
          "expires_date_ms": \(number(1_594_755_700_000)), "cancellation_date_ms": \(number(1_594_755_600_000)),
          "cancellation_reason": \(number(1)), "is_trial_period": \(flag(true)), "is_in_intro_offer_period": \(flag(false)),
          "is_upgraded": \(flag(true)), "promotional_offer_id": "winter", "offer_code_ref_name": "code",
          "subscription_group_identifier": \(number(99_999_999)), "in_app_ownership_type": "FAMILY_SHARED",
          "app_account_token": "B1F3A4C2-0001-4000-8000-000000000001"}],
         "pending_renewal_info": [{
          "auto_renew_product_id": "pro.year", "product_id": "pro", "original_transaction_id": \(number(1_000_000_692_878_476)),
          "auto_renew_status": \(number(1)), "expiration_intent": \(number(2)), "is_in_billing_retry_period": \(flag(true)),
          "grace_period_expires_date_ms": \(number(1_594_756_700_000)), "price_increase_status": \(number(0)),
          "promotional_offer_id": "winter"}]}
        """
    }

    private func expectFullAnswer(_ answer: AppleReceiptResponse) throws {
        #expect(answer.status == .valid)
        #expect(answer.environment == .production)
        #expect(answer.isRetryable == true)
        #expect(answer.latestReceipt == Data("receipt".utf8))
        #expect(answer.requestDate == date(1_595_440_486_402))

        let receipt = try #require(answer.receipt)
        #expect(receipt.receiptType == "Production")
        #expect(receipt.environment == .production)
        #expect(receipt.appAppleID == 5_000_000_000)
        #expect(receipt.bundleIdentifier == "com.example.app")
        #expect(receipt.applicationVersion == "7")
        #expect(receipt.downloadID == 8)
        #expect(receipt.versionExternalIdentifier == 9)
        #expect(receipt.originalApplicationVersion == "1.0")
        #expect(receipt.creationDate == date(1_595_439_548_123))
        #expect(receipt.originalPurchaseDate == date(1_375_340_400_000))
        #expect(receipt.preorderDate == date(1_375_340_300_000))
        #expect(receipt.expirationDate == date(1_605_440_486_402))
        #expect(receipt.purchases.map(\.transactionIdentifier) == ["11"])
        #expect(receipt.purchases.first?.quantity == 3)

        var purchase = InAppPurchase(
            productIdentifier: "pro", transactionIdentifier: "1000000692879214", purchaseDate: date(1_594_755_400_000))
        purchase.originalTransactionIdentifier = "1000000692878476"
        purchase.webOrderLineItemID = 1_000_000_054_042_695
        purchase.originalPurchaseDate = date(1_594_755_207_000)
        purchase.expirationDate = date(1_594_755_700_000)
        purchase.cancellationDate = date(1_594_755_600_000)
        purchase.cancellationReason = 1
        purchase.isTrialPeriod = true
        purchase.isInIntroductoryOfferPeriod = false
        purchase.isUpgraded = true
        purchase.promotionalOfferIdentifier = "winter"
        purchase.offerCodeReferenceName = "code"
        purchase.subscriptionGroupIdentifier = "99999999"
        purchase.ownershipType = .familyShared
        purchase.appAccountToken = UUID(uuidString: "B1F3A4C2-0001-4000-8000-000000000001")
        #expect(answer.latestPurchases == [purchase])

        var renewal = RenewalInfoClaims()
        renewal.autoRenewProductIdentifier = "pro.year"
        renewal.productIdentifier = "pro"
        renewal.originalTransactionIdentifier = "1000000692878476"
        renewal.autoRenewStatus = .on
        renewal.expirationIntent = .billingError
        renewal.isInBillingRetryPeriod = true
        renewal.gracePeriodExpirationDate = date(1_594_756_700_000)
        renewal.priceIncreaseStatus = .noResponse
        renewal.offerType = .promotional
        renewal.offerIdentifier = "winter"
        #expect(answer.pendingRenewals == [renewal])
    }

    @Test("Q01 numbers and truth values are read, as such or as text")
    func scalars() throws {
        try expectFullAnswer(read(fullAnswer(number: { "\($0)" }, flag: { "\($0)" })))
        try expectFullAnswer(read(fullAnswer(number: { "\"\($0)\"" }, flag: { "\"\($0)\"" })))
        try expectFullAnswer(read(fullAnswer(number: { "\"\($0)\"" }, flag: { $0 ? "\"1\"" : "\"0\"" })))
        try expectFullAnswer(read(fullAnswer(number: { "\($0)" }, flag: { $0 ? "1" : "0" })))
    }

    @Test("Q01 a date is read from its milliseconds, else from its text; what is neither is no date")
    func dates() throws {
        let purchase = { (fields: String) in
            try read(#"{"status":0,"receipt":{"in_app":[{"product_id":"a","transaction_id":"1",\#(fields)}]}}"#)
                .receipt?.purchases.first?.expirationDate
        }
        #expect(try purchase(#""expires_date_ms":"1594755700000","expires_date":"never""#) == date(1_594_755_700_000))
        #expect(try purchase(#""expires_date":"2020-07-14 19:41:40 Etc/GMT""#) == date(1_594_755_700_000))
        #expect(try purchase(#""expires_date":"1594755700000""#) == date(1_594_755_700_000))
        #expect(try purchase(#""expires_date":1594755700000"#) == date(1_594_755_700_000))
        for none in [
            #""a":"b""#, #""expires_date_ms":"""#, #""expires_date_ms":null"#, #""expires_date":"2020-07-14""#,
            #""expires_date":"2020-07-14 12:41:40 America/Los_Angeles""#,
            #""expires_date":"2020-13-14 19:41:40 Etc/GMT""#,
            #""expires_date":[]"#, #""expires_date":{"a":1}"#, #""expires_date":true"#,
        ] { #expect(try purchase(none) == nil, "\(none)") }
    }

    @Test("Q01 in the style of iOS 6 the receipt is the purchase itself")
    func olderStyle() throws {
        let answer = try read(
            """
            {"status": 21006, "auto_renew_status": 0, "auto_renew_product_id": "pro", "expiration_intent": "1",
             "is_in_billing_retry_period": "0",
             "receipt": {"bid": "com.example.app", "bvrs": "1.2", "item_id": "300", "product_id": "pro", "quantity": "1",
              "transaction_id": "12", "original_transaction_id": "10", "purchase_date": "2012-04-30 15:05:55 Etc/GMT",
              "purchase_date_ms": "1335798355868", "original_purchase_date_ms": "1335798300000",
              "expires_date": "1335801955868", "expires_date_formatted": "2012-04-30 16:05:55 Etc/GMT"},
             "latest_expired_receipt_info": {"bid": "com.example.app", "product_id": "pro", "transaction_id": "13",
              "expires_date": "1335805555868"}}
            """)
        #expect(answer.status == .subscriptionExpired)
        let receipt = try #require(answer.receipt)
        #expect(receipt.bundleIdentifier == "com.example.app")
        #expect(receipt.applicationVersion == "1.2")
        #expect(receipt.originalPurchaseDate == nil)
        let purchase = try #require(receipt.purchases.first)
        #expect(receipt.purchases.count == 1)
        #expect(purchase.productIdentifier == "pro")
        #expect(purchase.transactionIdentifier == "12")
        #expect(purchase.originalTransactionIdentifier == "10")
        #expect(purchase.purchaseDate == date(1_335_798_355_868))
        #expect(purchase.originalPurchaseDate == date(1_335_798_300_000))
        #expect(purchase.expirationDate == date(1_335_801_955_868))
        #expect(answer.latestPurchases.map(\.transactionIdentifier) == ["13"])
        #expect(answer.latestPurchases.first?.expirationDate == date(1_335_805_555_868))
        #expect(answer.pendingRenewals.count == 1)
        #expect(answer.pendingRenewals.first?.autoRenewStatus == .off)
        #expect(answer.pendingRenewals.first?.expirationIntent == .cancelled)
        #expect(answer.pendingRenewals.first?.isInBillingRetryPeriod == false)
    }

    @Test("Q01 a purchase that is told of twice counts once, by its newest word")
    func newestWord() throws {
        let answer = try read(
            """
            {"status": 0, "receipt": {"in_app": [
              {"product_id": "pro", "transaction_id": "1"}, {"product_id": "coins", "transaction_id": "2"}]},
             "latest_receipt_info": [
              {"product_id": "pro", "transaction_id": "3"},
              {"product_id": "pro", "transaction_id": "1", "cancellation_date_ms": "1594755600000"}]}
            """)
        #expect(answer.purchases.map(\.transactionIdentifier) == ["3", "1", "2"])
        #expect(answer.purchases[1].cancellationDate == date(1_594_755_600_000))
    }

    @Test("Q01 what is not known yet is kept: statuses, environments, kinds of ownership and the answer itself")
    func unknown() throws {
        let json = """
            {"status": 31000, "environment": "Moon", "new": {"a": [1]}, "latest_receipt_info": [
              {"product_id": "a", "transaction_id": "1", "in_app_ownership_type": "LENT", "new": [1]}]}
            """
        let answer = try read(json)
        #expect(answer.status.rawValue == 31000)
        #expect(answer.environment?.rawValue == "Moon")
        #expect(answer.latestPurchases.first?.ownershipType?.rawValue == "LENT")
        #expect(answer.body == Data(json.utf8))
    }

    @Test("Q01 an offer code and a price consent are read too")
    func renewalOfCode() throws {
        let answer = try read(
            #"{"status":0,"pending_renewal_info":[{"offer_code_ref_name":"code","price_consent_status":"1"}]}"#)
        #expect(answer.pendingRenewals.first?.offerType == .code)
        #expect(answer.pendingRenewals.first?.offerIdentifier == "code")
        #expect(answer.pendingRenewals.first?.priceIncreaseStatus == .agreed)
    }

    @Test(
        "Q01 what cannot be read is an error that names the place",
        arguments: [
            ("", "file"), ("<html>busy</html>", "character 0"), (#"{"status": 0"#, "file"), ("[]", "array"),
            ("0", "number instead"),
            ("null", "null value"), (#"{}"#, "status"), (#"{"status": null}"#, "status"),
            (#"{"status": ""}"#, "status"),
            (#"{"status": true}"#, "status"), (#"{"status": false}"#, "status"), (#"{"status": "valid"}"#, "status"),
            (#"{"status": 0.5}"#, "status"), (#"{"status": [0]}"#, "status"), (#"{"status": {}}"#, "status"),
            (#"{"status": 0, "receipt": "text"}"#, "receipt"), (#"{"status": 0, "receipt": [1]}"#, "receipt"),
            (#"{"status": 0, "receipt": {"in_app": "text"}}"#, "receipt.in_app"),
            (#"{"status": 0, "receipt": {"in_app": [1]}}"#, "receipt.in_app.Index 0"),
            (
                #"{"status": 0, "receipt": {"in_app": [{"product_id": "a", "transaction_id": "1"}, {"product_id": "b"}]}}"#,
                "receipt.in_app.Index 1.transaction_id"
            ),
            (
                #"{"status": 0, "latest_receipt_info": [{"transaction_id": "1"}]}"#,
                "latest_receipt_info.Index 0.product_id"
            ),
            (#"{"status": 0, "receipt": {"bid": "a", "transaction_id": "1"}}"#, "receipt.product_id"),
        ])
    func unreadable(json: String, place: String) throws {
        let problem = try #require(throws: MalformedInput.self) { try read(json) }
        #expect(problem.description.localizedCaseInsensitiveContains(place), "\(problem)")
    }

    @Test("Q01 an answer that was damaged on its way is read or is an error, and never stops the process")
    func damaged() throws {
        let seed = UInt64.random(in: 0 ... .max)
        var generator = SplitMix64(seed: seed)
        let original = Array(fullAnswer(number: { "\($0)" }, flag: { "\"\($0)\"" }).utf8)
        for round in 0..<2_000 {
            var bytes = original
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let index = Int.random(in: 0..<bytes.count, using: &generator)
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: bytes[index] = UInt8.random(in: 0...255, using: &generator)
                case 1: bytes.remove(at: index)
                case 2: bytes.insert(contentsOf: bytes[index...].prefix(20), at: index)
                default: bytes.removeSubrange(index..<min(bytes.count, index + 30))
                }
            }
            do {
                _ = try AppleReceiptResponse(data: Data(bytes))
            } catch {
                #expect(error is MalformedInput, "seed \(seed), round \(round): \(error)")
            }
        }
    }

    @Test(
        "Q01 deep nesting and endless numbers are errors or nothing",
        arguments: [
            String(repeating: "[", count: 100_000),
            #"{"status":0,"receipt":"# + String(repeating: #"{"receipt":"#, count: 50_000),
            #"{"status":\#(String(repeating: "9", count: 10_000))}"#, #"{"status":1e999}"#, #"{"status":-1e30}"#,
        ])
    func extremes(json: String) {
        #expect(throws: MalformedInput.self) { try read(json) }
    }

    @Test("Q01 numbers of any size are no trap")
    func largeNumbers() throws {
        let answer = try read(
            """
            {"status": 9223372036854775807, "receipt": {"adam_id": 99999999999999999999, "request_date_ms": -9223372036854775808,
             "in_app": [{"product_id": "a", "transaction_id": 18446744073709551615, "quantity": 1e30,
              "expires_date_ms": "99999999999999999999", "cancellation_reason": -9223372036854775808}]}}
            """)
        #expect(answer.receipt?.appAppleID == nil)
        #expect(answer.receipt?.purchases.first?.transactionIdentifier == "18446744073709551615")
        #expect(answer.receipt?.purchases.first?.quantity == 1)
        #expect(answer.receipt?.purchases.first?.expirationDate == nil)
    }
}
