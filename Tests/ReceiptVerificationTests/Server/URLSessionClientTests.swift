import Foundation
import ReceiptVerification
import StoreManagerCore
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Real requests over the network, to this host.
@Suite("The network client")
struct URLSessionClientTests {
    private let client = URLSessionClient.patient

    @Test("Q01 a request arrives as it was made, and the answer is what the server sent")
    func exchange() async throws {
        let server = try LoopbackServer { _, connection in connection.answer(200, "hello") }
        var request = URLRequest(url: server.address.appending(path: "receipts"))
        request.httpMethod = "PUT"
        request.setValue("text/plain", forHTTPHeaderField: "Content-Type")
        request.setValue("Bearer test", forHTTPHeaderField: "Authorization")
        request.httpBody = Data("receipt".utf8)

        let answer = try await client.send(request)

        #expect(answer == HTTPAnswer(status: 200, body: Data("hello".utf8)))
        let received = try #require(server.requests.first)
        #expect(server.requests.count == 1)
        #expect(received.method == "PUT")
        #expect(received.path == "/receipts")
        #expect(received.headers["content-type"] == "text/plain")
        #expect(received.headers["authorization"] == "Bearer test")
        #expect(received.body == Data("receipt".utf8))
    }

    @Test("Q01 a receipt of three million bytes arrives whole")
    func largeRequest() async throws {
        let server = try LoopbackServer { _, connection in connection.answer(200, "ok") }
        let body = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        _ = try await client.send(.post(body, to: server.address))
        #expect(server.requests.first?.body == body)
    }

    @Test("Q01 an answer that is no success is an answer all the same", arguments: [204, 400, 404, 429, 500, 503])
    func status(status: Int) async throws {
        let server = try LoopbackServer { _, connection in connection.answer(status) }
        let answer = try await client.send(.post(to: server.address))
        #expect(answer == HTTPAnswer(status: status, body: Data()))
    }

    @Test(
        "Q01 a server that asks for a password gets none",
        arguments: ["Basic realm=\"a\"", "Digest realm=\"a\", nonce=\"b\"", "Negotiate", ""])
    func password(challenge: String) async throws {
        let server = try LoopbackServer { _, connection in
            connection.answer(401, "no", headers: ["WWW-Authenticate": challenge])
        }
        let answer = try await client.send(.post(to: server.address))
        #expect(answer == HTTPAnswer(status: 401, body: Data("no".utf8)))
        #expect(server.requests.allSatisfy { $0.headers["authorization"] == nil })
    }

    /// What a broken server sends before it closes. Half a header is not among them: Foundation on Linux does not survive it.
    enum Breakage: String, CaseIterable, Sendable {
        case nothing = ""
        case garbage = "\u{0}\u{1}\u{2} this is no HTTP\r\n\r\n"
        case halfABody = "HTTP/1.1 200 OK\r\nContent-Length: 300\r\n\r\n{\"status\":0}"
        case halfAChunk = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nC\r\n{\"status\":0}\r\n"
        case badChunk = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{\"status\":0}\r\n0\r\n\r\n"
        case badCompression = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 12\r\n\r\n{\"status\":0}"
    }

    @Test("Q01 an answer that breaks off or is no HTTP is an error", arguments: Breakage.allCases)
    func broken(breakage: Breakage) async throws {
        let server = try LoopbackServer { _, connection in connection.send(breakage.rawValue) }
        await #expect(throws: URLError.self) { try await client.send(.post(to: server.address)) }
    }

    @Test("Q01 a server that does not listen is an error")
    func nobody() async throws {
        let server = try LoopbackServer { _, connection in connection.answer(200, "ok") }
        server.stop()
        await #expect(throws: URLError.self) { try await client.send(.post(to: server.address)) }
    }

    @Test(
        "Q01 a server that falls silent is given up when the time is over",
        arguments: ["", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"])
    func silent(beginning: String) async throws {
        let clock = TestClock()
        let server = try LoopbackServer { _, connection in
            connection.send(beginning)
            clock.advance(by: 200)
            connection.waitUntilClosed()
        }
        let client = URLSessionClient(timeout: 200, clock: clock)
        await #expect(throws: ReceiptServerError.timedOut(after: 200)) {
            try await client.send(.post(to: server.address))
        }
    }

    @Test("Q01 an answer that comes in time is not cut short by the clock")
    func inTime() async throws {
        let clock = TestClock()
        let server = try LoopbackServer { _, connection in
            clock.advance(by: 199.9)
            connection.answer(200, "ok")
        }
        let answer = try await URLSessionClient(timeout: 200, clock: clock).send(.post(to: server.address))
        #expect(answer.body == Data("ok".utf8))
        #expect(clock.sleeperCount == 0)
    }

    @Test("Q01 an answer without end is given up at the limit", arguments: [true, false])
    func endless(isChunked: Bool) async throws {
        let server = try LoopbackServer { _, connection in
            connection.send("HTTP/1.1 200 OK\r\n" + (isChunked ? "Transfer-Encoding: chunked\r\n\r\n" : "\r\n"))
            let piece = String(repeating: "a", count: 0x1000)
            for _ in 0..<100 { connection.send(isChunked ? "1000\r\n\(piece)\r\n" : piece) }
            connection.waitUntilClosed()
        }
        let client = URLSessionClient(timeout: 600, maximumByteCount: 100_000, clock: TestClock())
        await #expect(throws: ReceiptServerError.answerTooLarge(limit: 100_000)) {
            try await client.send(.post(to: server.address))
        }
    }

    @Test("Q01 an answer may have as many bytes as the limit, and not one more", arguments: [(10, true), (11, false)])
    func limit(count: Int, isFine: Bool) async throws {
        let server = try LoopbackServer { _, connection in connection.answer(200, String(repeating: "a", count: count))
        }
        let client = URLSessionClient(timeout: 600, maximumByteCount: 10, clock: TestClock())
        let answer = try? await client.send(.post(to: server.address))
        #expect((answer?.body.count == count) == isFine)
    }

    @Test("Q01 a redirect is an answer, and is not followed", arguments: [301, 302, 303, 307, 308])
    func redirect(status: Int) async throws {
        let server = try LoopbackServer { _, connection in connection.answer(status, headers: ["Location": "/other"]) }
        let answer = try await client.send(.post(to: server.address))
        #expect(answer == HTTPAnswer(status: status, body: Data(), location: "/other"))
        #expect(server.requests.count == 1)
    }

    @Test("Q01 no cookie of one answer goes along with the next request")
    func cookies() async throws {
        let server = try LoopbackServer { _, connection in
            connection.answer(200, "ok", headers: ["Set-Cookie": "session=1", "Cache-Control": "max-age=1000"])
        }
        for _ in 0..<2 { _ = try await client.send(.post(to: server.address)) }
        #expect(server.requests.count == 2)
        #expect(server.requests.allSatisfy { $0.headers["cookie"] == nil })
    }

    @Test("Q01 a task that is cancelled while the server is silent ends as cancelled")
    func cancelled() async throws {
        let arrived = Gate()
        let server = try LoopbackServer { _, connection in
            Task { await arrived.pass() }
            connection.waitUntilClosed()
        }
        let task = Task { try await client.send(.post(to: server.address)) }
        await arrived.arrival()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        arrived.open()
    }

    @Test("Q01 a task that was cancelled before sends nothing")
    func cancelledBefore() async throws {
        let server = try LoopbackServer { _, connection in connection.answer(200, "ok") }
        let start = Gate()
        let task = Task {
            await start.pass()
            return try await client.send(.post(to: server.address))
        }
        task.cancel()
        start.open()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(server.requests.isEmpty)
    }

    @Test("Q01 forty requests at once each get their own answer")
    func many() async throws {
        let server = try LoopbackServer { request, connection in
            connection.answer(200, String(decoding: request.body, as: UTF8.self))
        }
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<40 {
                group.addTask {
                    let body = Data("number \(number)".utf8)
                    return try await client.send(.post(body, to: server.address)).body == body
                }
            }
            for try await isOwn in group { #expect(isOwn) }
        }
        #expect(server.requests.count == 40)
    }
}

extension URLSessionClient {
    /// A client for whom no time passes, however busy the machine is.
    static var patient: URLSessionClient { URLSessionClient(timeout: 600, clock: TestClock()) }
}

extension URLRequest {
    /// A POST, by default of something short.
    static func post(_ body: Data = Data("receipt".utf8), to address: URL) -> URLRequest {
        var request = URLRequest(url: address)
        request.httpMethod = "POST"
        request.httpBody = body
        return request
    }
}
