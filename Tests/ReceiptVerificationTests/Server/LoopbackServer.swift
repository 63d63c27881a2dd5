import Foundation
import StoreManagerCore

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A web server on this host, as good or as bad as a test wants it: what is sent is up to the test, byte by byte.
final class LoopbackServer: Sendable {
    /// A request as it came.
    struct Request: Sendable {
        var method = ""
        var path = ""
        var headers: [String: String] = [:]
        var body = Data()
    }

    /// Where the server listens.
    let address: URL
    private let port: UInt16
    private let state: Locked<State>

    private struct State: Sendable {
        var isStopped = false
        var requests: [Request] = []
    }

    /// Starts a server.
    ///
    /// - Parameter answer: Answers a request, on a thread of its own. The connection is closed when it returns.
    init(answer: @escaping @Sendable (Request, Connection) -> Void) throws {
        let listener = try Connection.listen()
        port = try listener.port()
        guard let address = URL(string: "http://127.0.0.1:\(port)/") else { throw SocketError() }
        self.address = address
        let state = Locked(State())
        self.state = state
        Thread.detachNewThread {
            defer { listener.close() }
            while let connection = listener.accept() {
                if state.withLock({ $0.isStopped }) { return connection.close() }
                Thread.detachNewThread {
                    defer { connection.close() }
                    guard let request = connection.receive() else { return }
                    state.withLock { $0.requests.append(request) }
                    answer(request, connection)
                }
            }
        }
    }

    deinit { stop() }

    /// The requests that came so far.
    var requests: [Request] { state.withLock { $0.requests } }

    /// Stops to listen: from now on nobody can connect.
    func stop() {
        guard
            !state.withLock({ state in
                defer { state.isStopped = true }; return state.isStopped
            })
        else { return }
        // Wakes the thread that waits for somebody to connect, and waits until it is done.
        guard let connection = try? Connection.connect(to: port) else { return }
        connection.waitUntilClosed()
        connection.close()
    }
}

/// The server's end of a connection.
struct Connection: Sendable {
    private let socket: Int32

    /// Sends bytes; false where the other end has closed.
    @discardableResult
    func send(_ bytes: Data) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { systemSend(socket, $0.baseAddress, $0.count) }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Sends text; false where the other end has closed.
    @discardableResult
    func send(_ text: String) -> Bool { send(Data(text.utf8)) }

    /// Sends a complete answer.
    func answer(_ status: Int, _ body: String = "", headers: [String: String] = [:]) {
        let lines = headers.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)\r\n" }.joined()
        send(
            "HTTP/1.1 \(status) Status\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\(lines)\r\n\(body)"
        )
    }

    /// Returns when the other end has closed.
    func waitUntilClosed() { while let bytes = read(), !bytes.isEmpty {} }
}

struct SocketError: Error {}

// MARK: - Sockets

extension Connection {
    fileprivate static func listen() throws -> Connection {
        let connection = try make()
        let result = withAddress(port: 0) { bind(connection.socket, $0, $1) }
        #if canImport(Glibc)
        let isListening = result == 0 && Glibc.listen(connection.socket, 64) == 0
        #else
        let isListening = result == 0 && Darwin.listen(connection.socket, 64) == 0
        #endif
        guard isListening else { throw SocketError() }
        return connection
    }

    fileprivate static func connect(to port: UInt16) throws -> Connection {
        let connection = try make()
        #if canImport(Glibc)
        let result = withAddress(port: port) { Glibc.connect(connection.socket, $0, $1) }
        #else
        let result = withAddress(port: port) { Darwin.connect(connection.socket, $0, $1) }
        #endif
        guard result == 0 else { throw SocketError() }
        return connection
    }

    private static func make() throws -> Connection {
        #if canImport(Glibc)
        let descriptor = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
        let descriptor = Darwin.socket(AF_INET, SOCK_STREAM, 0)
        var on: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
        #endif
        guard descriptor >= 0 else { throw SocketError() }
        return Connection(socket: descriptor)
    }

    private static func withAddress(port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, size) }
        }
    }

    fileprivate func port() throws -> UInt16 {
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket, $0, &size) }
        }
        guard result == 0 else { throw SocketError() }
        return UInt16(bigEndian: address.sin_port)
    }

    fileprivate func accept() -> Connection? {
        #if canImport(Glibc)
        let descriptor = Glibc.accept(socket, nil, nil)
        #else
        let descriptor = Darwin.accept(socket, nil, nil)
        #endif
        return descriptor >= 0 ? Connection(socket: descriptor) : nil
    }

    fileprivate func close() {
        #if canImport(Glibc)
        _ = Glibc.close(socket)
        #else
        _ = Darwin.close(socket)
        #endif
    }

    private func systemSend(_ socket: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
        #if canImport(Glibc)
        Glibc.send(socket, bytes, count, Int32(MSG_NOSIGNAL))
        #else
        Darwin.send(socket, bytes, count, 0)
        #endif
    }

    /// The next bytes; none at the end, nil where the connection broke.
    private func read() -> Data? {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let count = recv(socket, &buffer, buffer.count, 0)
        return count >= 0 ? Data(buffer.prefix(count)) : nil
    }

    /// The request that comes; nil where none does.
    fileprivate func receive() -> LoopbackServer.Request? {
        var bytes = Data()
        let blankLine = Data("\r\n\r\n".utf8)
        while bytes.range(of: blankLine) == nil {
            guard let more = read(), !more.isEmpty else { return nil }
            bytes += more
        }
        guard let end = bytes.range(of: blankLine) else { return nil }
        let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        let words = lines[0].split(separator: " ").map(String.init)
        var request = LoopbackServer.Request(method: words.first ?? "", path: words.dropFirst().first ?? "")
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            request.headers[parts[0].lowercased()] = parts.count > 1 ? parts[1] : ""
        }
        if request.headers["expect"] != nil { send("HTTP/1.1 100 Continue\r\n\r\n") }
        request.body = bytes[end.upperBound...]
        let length = request.headers["content-length"].flatMap { Int($0) } ?? 0
        while request.body.count < length {
            guard let more = read(), !more.isEmpty else { return nil }
            request.body += more
        }
        return request
    }
}
