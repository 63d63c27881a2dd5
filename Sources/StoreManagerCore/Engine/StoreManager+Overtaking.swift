import Foundation

/// Transactions that come by themselves while a purchase of their product waits for its answer.
///
/// A store that gives the token back with the answer alone (StoreKit 2) may tell of the same transaction on its other way too,
/// and ahead of the answer. So what may be an answer waits until the purchase has its own, for a short while at most.
extension StoreManager {
    /// A transaction that waits, and until when.
    struct Overtaker {
        var update: StoreTransactionUpdate
        var deadline: Date
    }

    /// How long a transaction waits, in seconds.
    static let overtakingPause: TimeInterval = 10

    /// Keeps a transaction that may be the answer to a purchase. False: it is none.
    func holdIfOvertaking(_ update: StoreTransactionUpdate) -> Bool {
        guard backend.capabilities.tokenCarriage == .unlessDeferred, update.token == nil,
            !transactions.isKnown(update.transaction.id),
            unanswered.request(endedBy: update.transaction, by: storeTime) != nil
        else { return false }
        overtakers.append(Overtaker(update: update, deadline: clock.now + Self.overtakingPause))
        // Whoever waits is looked at whenever the inbox is empty.
        startTimer(after: Self.overtakingPause) { _ in }
        return true
    }

    /// Whether a transaction waits.
    func isOvertaking(_ id: StoreTransaction.ID) -> Bool { overtakers.contains { $0.update.transaction.id == id } }

    /// Deals with those that need not wait any more. False: there were none.
    func receiveOvertakers() -> Bool {
        guard !overtakers.isEmpty else { return false }
        let (now, held) = (clock.now, overtakers)
        overtakers = held.filter {
            now < $0.deadline && unanswered.request(endedBy: $0.update.transaction, by: storeTime) != nil
        }
        let waiting = Set(overtakers.map(\.update.transaction.id))
        let free = held.filter { !waiting.contains($0.update.transaction.id) }
        receiveLate(free.map(\.update))
        return !free.isEmpty
    }
}
