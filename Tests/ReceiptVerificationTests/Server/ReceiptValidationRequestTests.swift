import Foundation
import ReceiptVerification
import StoreManagerCore
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("The request to one's own server")
struct ReceiptValidationRequestTests {
    /// Three bytes whose base64 is full of characters that a form must encode.
    private let receipt = Data([0xFB, 0xFF, 0xBE, 0xFF])
    private let base = ReceiptValidationRequest(address: URL(string: "https://example.com/receipts?v=1"))

    private func body(_ request: ReceiptValidationRequest, transaction: StoreTransaction? = nil) throws -> String {
        let body = try request.urlRequest(for: receipt, transaction: transaction).httpBody
        return String(decoding: try #require(body), as: UTF8.self)
    }

    @Test("Q02 by default it is a POST of a form with the receipt in receiptData")
    func byDefault() throws {
        let request = try base.urlRequest(for: receipt)
        #expect(request.url == base.address)
        #expect(request.httpMethod == "POST")
        #expect(request.allHTTPHeaderFields == ["Content-Type": "application/x-www-form-urlencoded"])
        #expect(request.httpBody == Data("receiptData=%2B%2F%2B%2B%2Fw%3D%3D".utf8))
    }

    @Test(
        "Q02 where a transaction is in question, its identifier goes along, under a name that can be changed or left out"
    )
    func transaction() throws {
        var request = base
        let sample = StoreTransaction.sample("42")
        #expect(try body(request, transaction: sample) == "receiptData=%2B%2F%2B%2B%2Fw%3D%3D&transactionIdentifier=42")
        request.transactionName = "id"
        #expect(try body(request, transaction: sample) == "id=42&receiptData=%2B%2F%2B%2B%2Fw%3D%3D")
        request.transactionName = nil
        #expect(try body(request, transaction: sample) == "receiptData=%2B%2F%2B%2B%2Fw%3D%3D")
    }

    @Test("Q02 a form's names and values are encoded, in the order of the names")
    func form() throws {
        var request = base
        request.receiptName = "the receipt"
        request.parameters = ["z": "a&b=c", "ä": "1 + 1 = 2", "a": "", "~.-_": "\u{1F34E}\r\n"]
        #expect(
            try body(request)
                == "a=&the%20receipt=%2B%2F%2B%2B%2Fw%3D%3D&z=a%26b%3Dc&~.-_=%F0%9F%8D%8E%0D%0A&%C3%A4=1%20%2B%201%20%3D%202"
        )
    }

    @Test("Q02 as JSON it is an object of texts, in the order of the names")
    func json() throws {
        var request = base
        request.encoding = .json
        request.parameters = ["z": "\"quoted\" / \u{1F34E}", "a": "1"]
        #expect(
            try body(request, transaction: .sample("42"))
                == #"{"a":"1","receiptData":"+/++/w==","transactionIdentifier":"42","z":"\"quoted\" / 🍎"}"#)
        #expect(
            try request.urlRequest(for: receipt).allHTTPHeaderFields == ["Content-Type": "application/json"])
    }

    @Test("Q02 raw, the body is the receipt itself, and all else is in the address")
    func raw() throws {
        var request = base
        request.encoding = .raw
        request.parameters = ["key": "a b&c"]
        let sent = try request.urlRequest(for: receipt, transaction: .sample("42"))
        #expect(sent.url?.absoluteString == "https://example.com/receipts?v=1&key=a%20b%26c&transactionIdentifier=42")
        #expect(sent.httpBody == receipt)
        #expect(sent.allHTTPHeaderFields == ["Content-Type": "application/octet-stream"])

        request.parameters = [:]
        request.address = URL(string: "https://example.com/receipts")
        #expect(try request.urlRequest(for: receipt).url == request.address)
    }

    @Test(
        "Q02 method and headers are as given, also where they say what the encoding would",
        arguments: ReceiptValidationRequest.Method.allCases)
    func methodAndHeaders(method: ReceiptValidationRequest.Method) throws {
        var request = base
        request.method = method
        request.headers = ["Authorization": "Bearer test", "content-type": "text/x-receipt"]
        let sent = try request.urlRequest(for: receipt)
        #expect(sent.httpMethod == method.rawValue)
        #expect(sent.value(forHTTPHeaderField: "Authorization") == "Bearer test")
        #expect(sent.value(forHTTPHeaderField: "Content-Type") == "text/x-receipt")
    }

    @Test("Q02 a parameter that is named as the receipt or the transaction gives way to it")
    func collision() throws {
        var request = base
        request.parameters = ["receiptData": "other", "transactionIdentifier": "other"]
        #expect(
            try body(request, transaction: .sample("42"))
                == "receiptData=%2B%2F%2B%2B%2Fw%3D%3D&transactionIdentifier=42")
    }

    @Test("Q03 without an address and without a receipt there are errors of their own")
    func missing() {
        #expect(throws: ReceiptServerError.missingAddress) {
            try ReceiptValidationRequest(address: URL(string: "")).urlRequest(for: receipt)
        }
        #expect(throws: AppReceiptError.receiptMissing) { try base.urlRequest(for: Data()) }
    }

    @Test("Q02 over the real network it arrives as it was described")
    func arrives() async throws {
        let server = try LoopbackServer { _, connection in connection.answer(200, #"{"valid": true}"#) }
        var request = ReceiptValidationRequest(address: server.address.appending(path: "check"))
        request.method = .put
        request.encoding = .json
        request.headers = ["Authorization": "Bearer test"]
        try await ServerReceiptVerifier(request, client: URLSessionClient.patient).check(.sample("42"), in: receipt)

        let received = try #require(server.requests.first)
        #expect(received.method == "PUT")
        #expect(received.path == "/check")
        #expect(received.headers["content-type"] == "application/json")
        #expect(received.headers["authorization"] == "Bearer test")
        #expect(received.body == Data(#"{"receiptData":"+/++/w==","transactionIdentifier":"42"}"#.utf8))
    }
}
