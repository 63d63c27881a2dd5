import Foundation
import ReceiptVerification
import StoreManagerCore
import TestSupport
import Testing

@Suite("Asking one's own server")
struct ServerReceiptVerifierTests {
    private let receipt = Data("a receipt".utf8)
    private let request = ReceiptValidationRequest(address: URL(string: "https://example.com/receipts"))

    private func check(_ answer: HTTPAnswer, _ transaction: StoreTransaction = .sample("1")) async throws {
        try await ServerReceiptVerifier(request, client: ScriptedClient([answer])).check(transaction, in: receipt)
    }

    @Test("Q01 the server's own word is yes or no")
    func ownWord() async throws {
        try await check(.json(#"{"valid": true}"#))
        try await check(.json(#"{"valid": true, "reason": "all is well", "more": [1]}"#))
        #expect(
            await refusal { try await check(.json(#"{"valid": false, "reason": "it is forged"}"#)) }
                == .refusedByServer(reason: "it is forged"))
        #expect(
            await refusal { try await check(.json(#"{"valid": false}"#)) }
                == .refusedByServer(reason: "it gave no reason"))
        // Its own word goes before a status of whatever meaning.
        #expect(await refusal { try await check(.json(#"{"valid": false, "status": 0}"#)) } != nil)
    }

    @Test("Q01 an answer of Apple's that the server passes on means what it means at Apple")
    func passedOn() async throws {
        let genuine = #"{"status": 0, "receipt": {"in_app": [{"product_id": "coins", "transaction_id": "1"}]}}"#
        try await check(.json(genuine))
        await #expect(throws: AppReceiptError.transactionMissing(identifier: "2")) {
            try await check(.json(genuine), .sample("2"))
        }
        let newest = #"{"status": 0, "latest_receipt_info": [{"product_id": "coins", "transaction_id": "1"}]}"#
        try await check(.json(newest))
        await #expect(throws: AppReceiptError.transactionMissing(identifier: "2")) {
            try await check(.json(newest), .sample("2"))
        }
        try await check(.json(#"{"status": 0}"#))
        #expect(await refusal { try await check(.json(#"{"status": 21003}"#)) } != nil)
        for status in [21002, 21004, 21005, 21007, 21008, 21100, 1] {
            #expect(
                await cause { try await check(.json(#"{"status": \#(status)}"#)) }
                    == .undecided(AppleReceiptStatus(rawValue: status)))
        }
    }

    @Test(
        "Q01 an answer that cannot be read decides nothing, and is never success",
        arguments: [
            "OK", "true", "1", "null", "[]", "{}", "\"valid\"", "<html></html>", #"{"valid": "true"}"#,
            #"{"valid": 1}"#,
            #"{"valid": null}"#, #"{"valid": [true]}"#, #"{"valid": true"#, #"{"VALID": true}"#, #"{"success": true}"#,
            #"{"status": "ok"}"#, #"{"status": true}"#, "\u{0}", "valid=true",
        ])
    func unreadable(body: String) async {
        let cause = await cause { try await check(.json(body)) }
        #expect(cause?.isUnreadableAnswer == true, "\(String(describing: cause))")
    }

    @Test(
        "Q01 only a status of 200 is an answer to the default reader, and an empty answer to none",
        arguments: [200, 201, 204, 400, 401, 404, 422, 500])
    func status(http: Int) async throws {
        if http != 200 {
            #expect(
                await cause { try await check(HTTPAnswer(status: http, body: Data(#"{"valid": true}"#.utf8))) }
                    == .status(http))
        }
        #expect(
            await cause { try await check(HTTPAnswer(status: http, body: Data())) }
                == (http == 200 ? .emptyAnswer : .status(http)))
    }

    @Test("Q01 a reader of one's own decides, and is asked only where there is something to read")
    func ownReader() async throws {
        let asked = Locked<[Int]>([])
        let check = { (answer: HTTPAnswer, transaction: StoreTransaction) in
            let verifier = ServerReceiptVerifier(request, client: ScriptedClient([answer])) { answer, transaction in
                asked.withLock { $0.append(answer.status) }
                switch (answer.status, String(decoding: answer.body, as: UTF8.self)) {
                case (422, let reason): return .invalid(reason: reason)
                case (200, transaction.id): return .valid
                case (200, "later"): return .unableToComplete(SampleError())
                case (200, "old"): throw AppReceiptError.transactionMissing(identifier: transaction.id)
                default: throw SampleError()
                }
            }
            try await verifier.check(transaction, in: receipt)
        }
        try await check(.json("7"), .sample("7"))
        #expect(
            await refusal { try await check(HTTPAnswer(status: 422, body: Data("forged".utf8)), .sample()) }
                == .refusedByServer(reason: "forged"))
        await #expect(throws: AppReceiptError.transactionMissing(identifier: "7")) {
            try await check(.json("old"), .sample("7"))
        }
        for body in ["later", "what"] {
            #expect(await anyCause { try await check(.json(body), .sample("7")) } is SampleError)
        }
        #expect(asked.withLock { $0 } == [200, 422, 200, 200, 200])
        for nothing in [HTTPAnswer(status: 200, body: Data()), HTTPAnswer(status: 503, body: Data("7".utf8))] {
            #expect(await cause { try await check(nothing, .sample("7")) } != nil)
        }
        #expect(asked.withLock { $0.count } == 5)
    }

    @Test("Q03 without an address nothing is sent, and the error is its own")
    func missingAddress() async {
        let client = ScriptedClient([.json(#"{"valid": true}"#)])
        let verifier = ServerReceiptVerifier(ReceiptValidationRequest(address: nil), client: client)
        #expect(await cause { try await verifier.check(.sample(), in: receipt) } == .missingAddress)
        #expect(client.requests.isEmpty)
    }
}

/// The whole way: a transaction of the manager's, a receipt file, a real server.
@Suite("The handshake by a server")
struct ServerHandshakeTests {
    /// A receipt file that a refresh makes newer.
    private actor ReceiptFile {
        private(set) var refreshCount = 0
        private var data: Data?
        private let newData: Data?

        init(_ data: Data?, afterRefresh newData: Data? = nil) {
            self.data = data
            self.newData = newData
        }

        nonisolated func verifier(_ checker: some ReceiptChecker) -> AppReceiptTransactionVerifier {
            AppReceiptTransactionVerifier(
                checker, now: { .start }, receipt: { await self.data }, refresh: { await self.refresh() })
        }

        private func refresh() {
            refreshCount += 1
            data = newData
        }
    }

    /// A server that knows one genuine receipt, "new", with transaction 1, and an older one without it.
    private func makeServer() throws -> LoopbackServer {
        try LoopbackServer { request, connection in
            let transactions =
                request.body == Data("new".utf8) ? #"{"product_id": "coins", "transaction_id": "1"}"# : ""
            let isGenuine = [Data("new".utf8), Data("old".utf8)].contains(request.body)
            let genuine = #"{"status": 0, "receipt": {"bundle_id": "com.example.app", "in_app": [\#(transactions)]}}"#
            connection.answer(200, isGenuine ? genuine : #"{"status": 21003}"#)
        }
    }

    private func checker(_ server: LoopbackServer) -> ServerReceiptVerifier {
        var request = ReceiptValidationRequest(address: server.address)
        request.encoding = .raw
        request.transactionName = nil
        return ServerReceiptVerifier(request, client: URLSessionClient.patient)
    }

    @Test("Q01 X05 the server finds the transaction, at once or after one refresh of the receipt")
    func found() async throws {
        let server = try makeServer()
        let new = ReceiptFile(Data("new".utf8))
        #expect(await new.verifier(checker(server)).verify(.sample("1")).isValid)
        #expect(await new.refreshCount == 0)
        for data in [nil, Data(), Data("old".utf8), Data("forged".utf8)] {
            let file = ReceiptFile(data, afterRefresh: Data("new".utf8))
            #expect(await file.verifier(checker(server)).verify(.sample("1")).isValid)
            #expect(await file.refreshCount == 1)
        }
    }

    @Test("Q01 X05 a transaction that the server does not find is could-not-tell; a receipt that it refuses is invalid")
    func notFound() async throws {
        let server = try makeServer()
        let old = ReceiptFile(Data("old".utf8), afterRefresh: Data("old".utf8))
        #expect(
            await old.verifier(checker(server)).verify(.sample("1")).error as? AppReceiptError
                == .transactionMissing(identifier: "1"))
        let forged = ReceiptFile(Data("forged".utf8), afterRefresh: Data("forged".utf8))
        #expect(await forged.verifier(checker(server)).verify(.sample("1")).reason?.contains("21003") == true)
        #expect(server.requests.count == 4)
    }

    @Test("Q01 trouble of the server is could-not-tell, and no reason to refresh the receipt")
    func trouble() async throws {
        let server = try LoopbackServer { _, connection in connection.answer(503, "busy") }
        let file = ReceiptFile(Data("new".utf8))
        let verdict = await file.verifier(checker(server)).verify(.sample("1"))
        #expect(verdict.error as? ReceiptServerError == .status(503))
        #expect(await file.refreshCount == 0)
    }

    @Test("Q03 a missing receipt and a missing address are could-not-tell, each with its own error")
    func missing() async throws {
        let server = try makeServer()
        let none = ReceiptFile(nil)
        #expect(await none.verifier(checker(server)).verify(.sample("1")).error as? AppReceiptError == .receiptMissing)
        #expect(server.requests.isEmpty)

        let file = ReceiptFile(Data("new".utf8))
        let nowhere = ServerReceiptVerifier(
            ReceiptValidationRequest(address: URL(string: "")), client: URLSessionClient.patient)
        #expect(await file.verifier(nowhere).verify(.sample("1")).error as? ReceiptServerError == .missingAddress)
        #expect(await file.refreshCount == 0)
    }
}

extension VerificationVerdict {
    fileprivate var isValid: Bool { if case .valid = self { true } else { false } }
    fileprivate var reason: String? { if case .invalid(let reason) = self { reason } else { nil } }
    fileprivate var error: (any Error)? { if case .unableToComplete(let error) = self { error } else { nil } }
}
