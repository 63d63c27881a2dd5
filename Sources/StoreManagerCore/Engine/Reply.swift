/// The one reply that somebody awaits. The first that comes counts.
final class Reply<Value: Sendable>: Sendable {
    private enum State: Sendable {
        case open
        case awaited(CheckedContinuation<Value, any Error>)
        case replied(Result<Value, any Error>)
        case taken
    }

    private let state = Locked(State.open)

    /// Whether a reply would still count.
    var isOpen: Bool {
        state.withLock { state in
            switch state {
            case .open, .awaited: true
            case .replied, .taken: false
            }
        }
    }

    /// Gives the reply; false if there was one before.
    @discardableResult
    func resume(with result: Result<Value, any Error>) -> Bool {
        let (counts, continuation): (Bool, CheckedContinuation<Value, any Error>?) = state.withLock { state in
            switch state {
            case .open:
                state = .replied(result)
                return (true, nil)
            case .awaited(let continuation):
                state = .taken
                return (true, continuation)
            case .replied, .taken:
                return (false, nil)
            }
        }
        continuation?.resume(with: result)
        return counts
    }

    /// The reply, once it is there. Asked for once.
    var value: Value {
        get async throws {
            try await withCheckedThrowingContinuation { continuation in
                let result: Result<Value, any Error>? = state.withLock { state in
                    guard case .replied(let result) = state else {
                        state = .awaited(continuation)
                        return nil
                    }
                    state = .taken
                    return result
                }
                if let result { continuation.resume(with: result) }
            }
        }
    }
}
