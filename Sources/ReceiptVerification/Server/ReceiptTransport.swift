import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Carries receipts to a server, and to no other.
struct ReceiptTransport: Sendable {
    /// How often a server may point elsewhere.
    static let maximumRedirectCount = 5

    let client: any HTTPClient
    /// Whether receipts may go unencrypted to hosts other than this one.
    let allowsPlainHTTP: Bool

    /// Sends a request with a receipt and returns an answer that has a body and does not tell of trouble in the server.
    ///
    /// A redirect within the same scheme, host and port is followed, and the request repeated as it was. A 303 is not: it asks
    /// for a request without the receipt, and the answer to that would prove nothing.
    func send(_ request: URLRequest) async throws -> HTTPAnswer {
        guard var url = request.url else { throw ReceiptServerError.missingAddress }
        let scheme = url.scheme?.lowercased()
        guard scheme == "https" || scheme == "http" && (allowsPlainHTTP || url.isLoopback) else {
            throw ReceiptServerError.addressNotAllowed(url)
        }
        var request = request
        for _ in 0...Self.maximumRedirectCount {
            let answer = try await client.send(request)
            guard [301, 302, 307, 308].contains(answer.status) else { return try answer.checked() }
            let target = answer.location.flatMap { URL(string: $0, relativeTo: url) }?.absoluteURL
            guard let target, target.origin == url.origin else {
                throw ReceiptServerError.redirectNotAllowed(to: answer.location)
            }
            url = target
            request.url = target
        }
        throw ReceiptServerError.tooManyRedirects
    }
}

extension HTTPAnswer {
    /// This answer, where there is something in it to read.
    fileprivate func checked() throws -> HTTPAnswer {
        guard status < 500 else { throw ReceiptServerError.status(status) }
        guard !body.isEmpty else { throw status == 200 ? ReceiptServerError.emptyAnswer : .status(status) }
        return self
    }
}

extension URL {
    /// What must be the same for two addresses to belong to one server.
    fileprivate var origin: [String] {
        let scheme = scheme?.lowercased() ?? ""
        return [scheme, host()?.lowercased() ?? "", String(port ?? (scheme == "https" ? 443 : 80))]
    }

    /// Whether the address is this very host, so that nobody else can listen.
    fileprivate var isLoopback: Bool {
        let host = (host() ?? "").trimmingCharacters(in: CharacterSet(charactersIn: "[]")).lowercased()
        let bytes = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        return host == "localhost" || host == "::1" || bytes.count == 4 && bytes[0] == 127 && !bytes.contains(nil)
    }
}
