public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// Who carries a request to a server and brings back the answer.
///
/// ``URLSessionClient`` is the one to use; it is a parameter, so that tests and apps with a network layer of their own can give
/// another.
public protocol HTTPClient: Sendable {
    /// Sends a request and returns the answer to it, of whatever status.
    ///
    /// Must not follow redirects: the request holds a receipt, and who asks decides where that may go. Must end, in an error if
    /// need be, when the server is silent, and must not take in an answer without end.
    ///
    /// - Throws: Any error where there is no complete answer; `CancellationError` where the task was cancelled.
    func send(_ request: URLRequest) async throws -> HTTPAnswer
}

/// What a server answered.
public struct HTTPAnswer: Hashable, Sendable {
    /// The status, such as 200.
    public var status: Int
    /// The body, decompressed; empty where there is none.
    public var body: Data
    /// Where a redirect points, as the header `Location` has it.
    public var location: String?

    /// Describes an answer.
    public init(status: Int, body: Data, location: String? = nil) {
        self.status = status
        self.body = body
        self.location = location
    }
}
