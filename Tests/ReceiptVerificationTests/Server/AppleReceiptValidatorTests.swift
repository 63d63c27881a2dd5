import Foundation
import ReceiptVerification
import StoreManagerCore
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Asking Apple's verifyReceipt")
struct AppleReceiptValidatorTests {
    private let receipt = Data("a receipt".utf8)

    /// An answer that finds the receipt genuine.
    private func genuine(status: Int = 0, environment: String = "Production", bundle: String = "com.example.app")
        -> HTTPAnswer
    {
        .json(
            """
            {"status": \(status), "environment": "\(environment)", "receipt": {"bundle_id": "\(bundle)", "in_app": [
              {"product_id": "coins", "transaction_id": "1"},
              {"product_id": "coins", "transaction_id": "2", "cancellation_date_ms": "1594755600000"},
              {"product_id": "pro", "transaction_id": "4", "original_transaction_id": "3"}]}}
            """)
    }

    private func status(_ status: Int, _ more: String = "") -> HTTPAnswer { .json(#"{"status": \#(status)\#(more)}"#) }

    private func makeValidator(_ client: ScriptedClient, bundle: String? = "com.example.app") -> AppleReceiptValidator {
        AppleReceiptValidator(bundleIdentifier: bundle, client: client)
    }

    private let production = "https://buy.itunes.apple.com/verifyReceipt"
    private let sandbox = "https://sandbox.itunes.apple.com/verifyReceipt"

    private func addresses(_ client: ScriptedClient) -> [String?] { client.requests.map { $0.url?.absoluteString } }

    // MARK: The request

    @Test("Q01 production is asked first, with the receipt in base64")
    func request() async throws {
        let client = ScriptedClient([genuine()])
        _ = try await makeValidator(client).validate(receipt)
        #expect(addresses(client) == [production])
        let request = try #require(client.requests.first)
        #expect(request.httpMethod == "POST")
        #expect(request.value(forHTTPHeaderField: "Content-Type") == "application/json")
        let body = try JSONDecoder().decode([String: JSONValue].self, from: try #require(request.httpBody))
        #expect(body == ["receipt-data": .string("YSByZWNlaXB0"), "exclude-old-transactions": .bool(false)])
    }

    @Test("Q01 the shared secret and the wish for the newest transactions only go along")
    func options() async throws {
        let client = ScriptedClient([genuine()])
        var validator = AppleReceiptValidator(bundleIdentifier: nil, sharedSecret: "secret", client: client)
        validator.excludesOldTransactions = true
        _ = try await validator.validate(receipt)
        let data = try #require(client.requests.first?.httpBody)
        let body = try JSONDecoder().decode([String: JSONValue].self, from: data)
        #expect(body["password"] == .string("secret"))
        #expect(body["exclude-old-transactions"] == .bool(true))
    }

    @Test("Q03 without a receipt, and without an address, nothing is sent and the errors are their own")
    func missing() async {
        let client = ScriptedClient([genuine()])
        await #expect(throws: AppReceiptError.receiptMissing) { try await makeValidator(client).validate(Data()) }
        var unaddressed = makeValidator(client)
        unaddressed.productionAddress = nil
        #expect(await cause { _ = try await unaddressed.validate(receipt) } == .missingAddress)
        #expect(client.requests.isEmpty)
    }

    // MARK: The status

    @Test("Q01 21007 tries the sandbox once, and its answer decides")
    func sandboxReceipt() async throws {
        let client = ScriptedClient([status(21007), genuine(environment: "Sandbox")])
        let answer = try await makeValidator(client).validate(receipt)
        #expect(answer.environment == .sandbox)
        #expect(addresses(client) == [production, sandbox])
        #expect(client.requests.first?.httpBody == client.requests.last?.httpBody)

        let refused = ScriptedClient([status(21007), status(21003)])
        #expect(await refusal { try await makeValidator(refused).validate(receipt) } != nil)
        #expect(addresses(refused) == [production, sandbox])
    }

    @Test("Q01 21008 tries production once, and its answer decides")
    func productionReceipt() async throws {
        let client = ScriptedClient([status(21008), genuine()])
        var validator = makeValidator(client)
        validator.environments = [.sandbox, .production]
        #expect(try await validator.validate(receipt).environment == .production)
        #expect(addresses(client) == [sandbox, production])
    }

    @Test(
        "Q01 servers that send a receipt to and fro decide nothing, and are not asked a third time",
        arguments: [21007, 21008], [21007, 21008])
    func toAndFro(first: Int, second: Int) async {
        let client = ScriptedClient([status(first), status(second), genuine()])
        #expect(
            await cause { _ = try await makeValidator(client).validate(receipt) }
                == .undecided(AppleReceiptStatus(rawValue: second)))
        #expect(client.requests.count == 2)
    }

    @Test("Q01 a receipt of an environment that is not accepted is refused")
    func environments() async {
        let client = ScriptedClient([status(21007), genuine()])
        var validator = makeValidator(client)
        validator.environments = [.production]
        #expect(await refusal { try await validator.validate(receipt) } == .environmentNotAccepted(.sandbox))
        #expect(client.requests.count == 1)
    }

    @Test("Q01 a status that refuses makes the receipt invalid", arguments: [21003, 21010])
    func refused(status number: Int) async {
        let client = ScriptedClient([status(number), genuine()])
        let reason = AppleReceiptStatus(rawValue: number).description
        #expect(await refusal { try await makeValidator(client).validate(receipt) } == .refusedByServer(reason: reason))
        #expect(reason.contains("\(number)"))
        #expect(client.requests.count == 1)
    }

    @Test(
        "Q01 trouble at Apple, a wrong secret and an unknown status decide nothing",
        arguments: [21000, 21001, 21004, 21005, 21009, 21100, 21150, 21199, 21011, 21099, 21200, 1, -1, 99999])
    func undecided(status number: Int) async {
        let client = ScriptedClient([status(number), genuine()])
        #expect(
            await cause { _ = try await makeValidator(client).validate(receipt) }
                == .undecided(AppleReceiptStatus(rawValue: number)))
        #expect(client.requests.count == 1)
    }

    @Test(
        "Q01 trouble at Apple decides nothing about the receipt, whether or not it will pass",
        arguments: [21005, 21009, 21099, 21100, 21150, 21199, 21200], ["1", "0", "true", "false", "\"1\"", "\"0\""])
    func retryable(number: Int, isRetryable: String) async {
        let client = ScriptedClient([status(number, #", "is-retryable": \#(isRetryable)"#)])
        #expect(
            await cause { _ = try await makeValidator(client).validate(receipt) }
                == .undecided(AppleReceiptStatus(rawValue: number)))
    }

    @Test("Q01 21002 is asked once more, since it may be a moment's trouble")
    func malformedOrTrouble() async throws {
        let client = ScriptedClient([status(21002), genuine()])
        _ = try await makeValidator(client).validate(receipt)
        #expect(addresses(client) == [production, production])
    }

    @Test("Q01 21002 twice is a refusal of what is no receipt, and decides nothing about what is one")
    func malformedTwice() async throws {
        let malformed = ScriptedClient([status(21002), status(21002), genuine()])
        #expect(await refusal { try await makeValidator(malformed).validate(receipt) } != nil)
        #expect(malformed.requests.count == 2)

        let transactionReceipt = Data(#"{ "signature" = "AgEB"; "purchase-info" = "ewoJ"; }"#.utf8)
        for genuine in [try Fixtures.signer.appReceipt(Fixtures.receipt), transactionReceipt] {
            let trouble = ScriptedClient([status(21002), status(21002), self.genuine()])
            #expect(
                await cause { _ = try await makeValidator(trouble).validate(genuine) }
                    == .undecided(.malformedOrTrouble))
            #expect(trouble.requests.count == 2)
        }
    }

    @Test("Q01 21006 is a genuine receipt whose subscription has ended")
    func expired() async throws {
        let client = ScriptedClient([genuine(status: 21006)])
        #expect(try await makeValidator(client).validate(receipt).status == .subscriptionExpired)
    }

    // MARK: The answer

    @Test("Q01 a receipt for another app is refused, and one that does not tell for which")
    func bundle() async throws {
        let other = ScriptedClient([genuine(bundle: "com.example.other")])
        #expect(
            await refusal { try await makeValidator(other).validate(receipt) }
                == .bundleIdentifierMismatch(found: "com.example.other", expected: Fixtures.bundleIdentifier))
        let none = ScriptedClient([.json(#"{"status": 0, "receipt": {}}"#)])
        #expect(
            await refusal { try await makeValidator(none).validate(receipt) }
                == .bundleIdentifierMismatch(found: nil, expected: Fixtures.bundleIdentifier))
        let unasked = ScriptedClient([genuine(bundle: "com.example.other")])
        _ = try await makeValidator(unasked, bundle: nil).validate(receipt)
    }

    @Test(
        "Q01 an answer that cannot be read is an error and never success",
        arguments: [
            "<html>200 OK</html>", "{}", "[]", "0", #"{"status": null}"#, #"{"status": false}"#, #"{"status": 0"#,
            #"{"status": 0}"#, #"{"status": 0, "receipt": null}"#, #"{"status": 0, "receipt": "yes"}"#,
            #"{"status": 0, "receipt": {"bundle_id": "com.example.app", "in_app": [{"product_id": "coins"}]}}"#,
        ])
    func unreadable(body: String) async {
        let cause = await cause { _ = try await makeValidator(ScriptedClient([.json(body)])).validate(receipt) }
        #expect(cause?.isUnreadableAnswer == true, "\(String(describing: cause))")
    }

    @Test(
        "Q01 an empty answer and a status that is not 200 are errors, whatever the body says",
        arguments: [200, 201, 204, 400, 403, 404, 500, 503])
    func status(http: Int) async {
        let full = Data(genuine().body)
        if http != 200 {
            let client = ScriptedClient([HTTPAnswer(status: http, body: full)])
            #expect(await cause { _ = try await makeValidator(client).validate(receipt) } == .status(http))
        }
        let client = ScriptedClient([HTTPAnswer(status: http, body: Data())])
        #expect(
            await cause { _ = try await makeValidator(client).validate(receipt) }
                == (http == 200 ? .emptyAnswer : .status(http)))
    }

    @Test("Q01 a cancelled task ends as cancelled")
    func cancelled() async {
        await #expect(throws: CancellationError.self) {
            try await makeValidator(ScriptedClient(.failure(CancellationError()))).validate(receipt)
        }
    }

    // MARK: The transaction

    @Test("X05 the transaction is looked for by its own identifier and product")
    func match() async throws {
        let check = { (transaction: StoreTransaction) in
            try await makeValidator(ScriptedClient([genuine()])).check(transaction, in: receipt)
        }
        try await check(.sample("1"))
        try await check(.sample("4", of: "pro"))
        for missing in [
            StoreTransaction.sample("9"), .sample("1", of: "pro"), .sample("3", of: "pro"), .sample("coins"),
        ] {
            await #expect(throws: AppReceiptError.transactionMissing(identifier: missing.id)) {
                try await check(missing)
            }
        }
        var restored = StoreTransaction.sample("50", of: "pro", state: .restored)
        restored.originalID = "3"
        try await check(restored)
        #expect(
            await refusal { try await check(.sample("2")) }
                == .purchaseRevoked(Date(timeIntervalSince1970: 1_594_755_600)))
    }

    @Test("X05 what the newest transactions say of a purchase goes before what the receipt says")
    func newest() async {
        let answer = HTTPAnswer.json(
            """
            {"status": 0, "receipt": {"bundle_id": "com.example.app", "in_app": [{"product_id": "pro", "transaction_id": "1"}]},
             "latest_receipt_info": [{"product_id": "pro", "transaction_id": "1", "cancellation_date_ms": "1594755600000"},
              {"product_id": "pro", "transaction_id": "2"}]}
            """)
        let check = { (id: String) in
            try await makeValidator(ScriptedClient([answer])).check(.sample(id, of: "pro"), in: receipt)
        }
        #expect(await refusal { try await check("1") } == .purchaseRevoked(Date(timeIntervalSince1970: 1_594_755_600)))
        await #expect(throws: Never.self) { try await check("2") }
    }

    // MARK: Over the network

    @Test("Q01 over the real network production and the sandbox are asked in turn")
    func network() async throws {
        let genuine = genuine(environment: "Sandbox").body
        let sandbox = try LoopbackServer { _, connection in
            connection.answer(200, String(decoding: genuine, as: UTF8.self), headers: ["Content-Type": "text/html"])
        }
        let production = try LoopbackServer { _, connection in connection.answer(200, #"{"status":21007}"#) }
        var validator = AppleReceiptValidator(
            bundleIdentifier: "com.example.app", sharedSecret: "secret", client: URLSessionClient.patient)
        validator.productionAddress = production.address
        validator.sandboxAddress = sandbox.address
        try await validator.check(.sample("1"), in: receipt)

        #expect(production.requests.count == 1)
        #expect(sandbox.requests.map(\.body) == production.requests.map(\.body))
        #expect(sandbox.requests.first?.headers["content-type"] == "application/json")
    }
}
