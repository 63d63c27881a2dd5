import Foundation
import ReceiptVerification
import StoreManagerCore
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Where receipts go, and where they never go. Asked of a verifier by one's own server; Apple's goes the same way.
@Suite("The way of a receipt to a server")
struct ReceiptTransportTests {
    private let receipt = Data("receipt".utf8)

    private func verdict(
        from address: String, through client: some HTTPClient, allowsPlainHTTP: Bool = false
    ) async throws {
        var verifier = ServerReceiptVerifier(ReceiptValidationRequest(address: URL(string: address)), client: client)
        verifier.allowsPlainHTTP = allowsPlainHTTP
        try await verifier.check(.sample(), in: receipt)
    }

    @Test(
        "Q01 a receipt is sent by https, or to this very host",
        arguments: [
            "https://example.com/", "HTTPS://EXAMPLE.COM", "http://localhost:8080/a", "http://LOCALHOST",
            "http://127.0.0.1",
            "http://127.1.2.3:1", "http://[::1]/",
        ])
    func allowedAddress(address: String) async throws {
        let client = ScriptedClient([.json(#"{"valid": true}"#)])
        try await verdict(from: address, through: client)
        #expect(client.requests.count == 1)
    }

    @Test(
        "Q01 a receipt is sent nowhere else, unless told to",
        arguments: [
            "http://example.com/", "http://127.0.0.1.example.com/", "http://localhost.example.com/",
            "http://128.0.0.1/",
            "http://127.0.0.256/", "http://127.1/", "http://127.0.0.1@example.com/", "http://[::2]/",
        ])
    func plainAddress(address: String) async throws {
        let client = ScriptedClient([.json(#"{"valid": true}"#)])
        let url = try #require(URL(string: address))
        #expect(await cause { try await verdict(from: address, through: client) } == .addressNotAllowed(url))
        #expect(client.requests.isEmpty)

        try await verdict(from: address, through: client, allowsPlainHTTP: true)
        #expect(client.requests.count == 1)
    }

    @Test(
        "Q01 what is no web address is not asked",
        arguments: ["ftp://127.0.0.1/", "file:///etc/hosts", "data:,a", "path"])
    func otherScheme(address: String) async throws {
        let client = ScriptedClient([.json(#"{"valid": true}"#)])
        let url = try #require(URL(string: address))
        #expect(
            await cause { try await verdict(from: address, through: client, allowsPlainHTTP: true) }
                == .addressNotAllowed(url))
        #expect(client.requests.isEmpty)
    }

    @Test(
        "Q01 a redirect within the server is followed, with the receipt", arguments: [301, 302, 307, 308],
        ["/other?a=b", "other?a=b", "https://example.com/other?a=b", "https://EXAMPLE.com:443/other?a=b"])
    func redirect(status: Int, location: String) async throws {
        let client = ScriptedClient([.redirect(status, to: location), .json(#"{"valid": true}"#)])
        try await verdict(from: "https://example.com/first", through: client)

        let (first, second) = (try #require(client.requests.first), try #require(client.requests.last))
        #expect(client.requests.count == 2)
        #expect(second.url?.path() == "/other")
        #expect(second.url?.query() == "a=b")
        #expect(second.httpMethod == "POST")
        #expect(second.httpBody == first.httpBody)
        #expect(second.allHTTPHeaderFields == first.allHTTPHeaderFields)
    }

    @Test(
        "Q01 no redirect to another host, scheme or port carries the receipt", arguments: [301, 302, 307, 308],
        [
            "https://example.org/", "//example.org/", "http://example.com/", "https://example.com:444/",
            "https://example.com@example.org/", "https://www.example.com/", "ftp://example.com/", "https:///", "", nil,
        ])
    func redirectElsewhere(status: Int, location: String?) async throws {
        let client = ScriptedClient([.redirect(status, to: location), .json(#"{"valid": true}"#)])
        #expect(
            await cause { try await verdict(from: "https://example.com/first", through: client) }
                == .redirectNotAllowed(to: location))
        #expect(client.requests.count == 1)
    }

    @Test("Q01 of two redirects, the second is judged by the first one's address")
    func redirectTwice() async throws {
        let client = ScriptedClient([.redirect(to: "/a/b"), .redirect(to: "c"), .json(#"{"valid": true}"#)])
        try await verdict(from: "https://example.com/first", through: client)
        #expect(client.requests.last?.url?.path() == "/a/c")
    }

    @Test("Q01 a 303 asks for a request without the receipt, and is not followed", arguments: [300, 303, 304, 305])
    func seeOther(status: Int) async throws {
        let client = ScriptedClient([.redirect(status, to: "/other"), .json(#"{"valid": true}"#)])
        #expect(
            await cause { try await verdict(from: "https://example.com/first", through: client) } == .status(status))
        #expect(client.requests.count == 1)
    }

    @Test("Q01 a server that points in circles is given up")
    func circle() async throws {
        let client = ScriptedClient(Array(repeating: .redirect(to: "/"), count: 100))
        #expect(await cause { try await verdict(from: "https://example.com/", through: client) } == .tooManyRedirects)
        #expect(client.requests.count == 6)
    }

    @Test(
        "Q01 over the real network a redirect within the server carries the receipt", arguments: [301, 302, 307, 308])
    func realRedirect(status: Int) async throws {
        let server = try LoopbackServer { request, connection in
            if request.path == "/" { return connection.answer(status, headers: ["Location": "/other"]) }
            connection.answer(200, #"{"valid": true}"#)
        }
        try await verdict(from: server.address.absoluteString, through: URLSessionClient.patient)
        #expect(server.requests.map(\.method) == ["POST", "POST"])
        #expect(server.requests.map(\.path) == ["/", "/other"])
        #expect(server.requests.first?.body.isEmpty == false)
        #expect(server.requests.first?.body == server.requests.last?.body)
    }

    @Test(
        "Q01 over the real network a redirect to another server carries nothing", arguments: [301, 302, 303, 307, 308])
    func realRedirectElsewhere(status: Int) async throws {
        let other = try LoopbackServer { _, connection in connection.answer(200, #"{"valid": true}"#) }
        let location = other.address.absoluteString
        let server = try LoopbackServer { _, connection in connection.answer(status, headers: ["Location": location]) }
        let cause = await cause {
            try await verdict(from: server.address.absoluteString, through: URLSessionClient.patient)
        }
        #expect(cause == (status == 303 ? .status(303) : .redirectNotAllowed(to: location)))
        #expect(other.requests.isEmpty)
    }

    @Test("Q01 the trouble of a server decides nothing", arguments: [500, 502, 503, 599])
    func trouble(status: Int) async throws {
        let client = ScriptedClient([HTTPAnswer(status: status, body: Data(#"{"valid": true}"#.utf8))])
        #expect(await cause { try await verdict(from: "https://example.com/", through: client) } == .status(status))
    }

    @Test("Q01 the trouble of the network decides nothing")
    func networkTrouble() async throws {
        let error = await anyCause {
            try await verdict(from: "https://example.com/", through: ScriptedClient())
        }
        #expect((error as? URLError)?.code == .networkConnectionLost)
        #expect(error.map(StoreError.init)?.isNetwork == true)
    }
}

extension StoreError {
    fileprivate var isNetwork: Bool { if case .network = self { true } else { false } }
}
