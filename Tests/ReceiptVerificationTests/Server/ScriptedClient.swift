import Foundation
import ReceiptVerification
import StoreManagerCore

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A network that gives the answers that a test says, in their order, and keeps what was sent. After the last answer it fails.
final class ScriptedClient: HTTPClient, Sendable {
    private let state: Locked<(answers: [Result<HTTPAnswer, any Error>], requests: [URLRequest])>

    init(_ answers: Result<HTTPAnswer, any Error>...) { state = Locked((answers, [])) }

    convenience init(_ answers: [HTTPAnswer]) {
        self.init()
        state.withLock { $0.answers = answers.map { .success($0) } }
    }

    /// What was sent so far.
    var requests: [URLRequest] { state.withLock { $0.requests } }

    func send(_ request: URLRequest) async throws -> HTTPAnswer {
        try state.withLock { state in
            state.requests.append(request)
            guard !state.answers.isEmpty else { throw URLError(.networkConnectionLost) }
            return try state.answers.removeFirst().get()
        }
    }
}

extension HTTPAnswer {
    /// An answer of status 200.
    static func json(_ body: String) -> HTTPAnswer { HTTPAnswer(status: 200, body: Data(body.utf8)) }

    /// A redirect.
    static func redirect(_ status: Int = 307, to location: String?) -> HTTPAnswer {
        HTTPAnswer(status: status, body: Data("moved".utf8), location: location)
    }
}

/// Why nobody could tell: the cause of the `.undecided` that `body` throws; nil where it throws nothing, or something else.
func anyCause(_ body: () async throws -> Void) async -> (any Error)? {
    do {
        try await body()
        return nil
    } catch VerificationError.undecided(let cause) {
        return cause
    } catch {
        return nil
    }
}

/// The same where the cause lies with a server.
func cause(_ body: () async throws -> Void) async -> ReceiptServerError? { await anyCause(body) as? ReceiptServerError }

extension ReceiptServerError {
    /// Whether the answer could not be read.
    var isUnreadableAnswer: Bool { if case .unreadableAnswer = self { true } else { false } }
}
