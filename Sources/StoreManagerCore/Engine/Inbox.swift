import Foundation

/// The one queue of everything that a manager has to deal with, from any thread.
///
/// Whatever happens is posted here and dealt with one after the other on the main actor. So a handler that answers, buys or
/// cancels from inside its call never re-enters what is half done, and no handler runs before the call that registered it
/// has returned.
final class Inbox: Sendable {
    private struct State: Sendable {
        var messages: [Message] = []
        var isBeingEmptied = false
    }

    private let state = Locked(State())

    /// Adds a message. True: nobody is emptying the inbox, so that the caller has to have it emptied.
    func post(_ message: Message) -> Bool {
        state.withLock { state in
            state.messages.append(message)
            defer { state.isBeingEmptied = true }
            return !state.isBeingEmptied
        }
    }

    /// All messages, the oldest first. Nil: there are none, and whoever posts next has to have the inbox emptied again.
    func takeAll() -> [Message]? {
        state.withLock { state in
            guard !state.messages.isEmpty else {
                state.isBeingEmptied = false
                return nil
            }
            defer { state.messages = [] }
            return state.messages
        }
    }
}

/// Something that a manager has to deal with.
enum Message: Sendable {
    /// The store said something.
    indirect case store(StoreBackendEvent)
    /// Somebody answered whether a transaction is genuine.
    case answer(StoreTransaction.ID, VerificationVerdict)
    /// Something happened to a transaction.
    case transaction(TransactionKey, TransactionLifecycle.Input)
    /// As before, and the work that brought it about is over.
    case effectEnded(TransactionKey, TransactionLifecycle.Input)
    /// Anything else.
    case perform(@MainActor @Sendable (StoreManager) -> Void)
}
