#if !canImport(CryptoKit)
public import Foundation

/// Asks the OCSP services that certificates name whether they were revoked (RFC 6960).
///
/// There is one on Linux, whose library reads the services' answers. An app on Apple's systems asks `SecTrust` in a
/// ``RevocationChecker`` of its own; there the system does the asking too.
public final class OCSPRevocationChecker: RevocationChecker, @unchecked Sendable {
    // Unchecked, because `answers` is read and written under the lock only, and everything else never changes.

    /// How many answers are remembered.
    public static let capacity = 32
    /// For how many seconds an answer is remembered, where it does not end sooner.
    public static let lifetime: TimeInterval = 15 * 60

    private let post: @Sendable (_ question: Data, _ address: URL) async throws -> Data
    private let lock = NSLock()
    private var answers: [Data: (status: RevocationStatus, until: Date)] = [:]

    /// Makes a checker.
    ///
    /// - Parameter post: Sends a question by HTTP POST as `application/ocsp-request` and gives the answer's body. It should not
    ///   wait long, nor take more than some kilobytes.
    public init(post: @escaping @Sendable (_ question: Data, _ address: URL) async throws -> Data) {
        self.post = post
    }

    /// Tells whether a certificate was revoked.
    ///
    /// - Throws: What `post` throws, or ``OCSPError``.
    public func status(of certificate: Data, issuedBy issuer: Data, at date: Date) async throws -> RevocationStatus {
        guard let question = OCSPQuestion(certificate, issuedBy: issuer) else { throw OCSPError.noService }
        if let answer = lock.withLock({ answers[question.encoding] }), date < answer.until { return answer.status }
        let body = try await post(question.encoding, question.address)
        guard let answer = question.status(in: body, at: date) else { throw OCSPError.noAnswer }
        lock.withLock {
            if answers.count >= Self.capacity { answers.removeAll() }
            answers[question.encoding] = (answer.status, min(answer.until, date + Self.lifetime))
        }
        return answer.status
    }
}

/// Why a revocation service could not tell.
public enum OCSPError: Error, Hashable, Sendable {
    /// The certificate names no service.
    case noService
    /// What the service sent is no valid answer to the question, or says that it does not know.
    case noAnswer
}
#endif
