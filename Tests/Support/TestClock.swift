package import Foundation
import StoreManagerCore

/// A clock that moves only when told. It begins at `Date.start`.
package final class TestClock: StoreClock, Sendable {
    private struct Sleeper: Sendable {
        var deadline: Date
        var number: Int
        var continuation: CheckedContinuation<Void, any Error>
    }

    private struct State: Sendable {
        var now = Date.start
        var lastNumber = 0
        var sleepers: [Int: Sleeper] = [:]
        var cancelled: Set<Int> = []
    }

    private let state = Locked(State())

    package init() {}

    package var now: Date { state.withLock { $0.now } }

    /// How many sleep now.
    package var sleeperCount: Int { state.withLock { $0.sleepers.count } }

    /// Moves on. Whoever sleeps until a time that is reached is woken, the earliest first and among equals the first to sleep.
    package func advance(by seconds: TimeInterval) {
        let due = state.withLock { state in
            state.now += seconds
            let due = state.sleepers.values.filter { $0.deadline <= state.now }
            for sleeper in due { state.sleepers[sleeper.number] = nil }
            return due.sorted { ($0.deadline, $0.number) < ($1.deadline, $1.number) }
        }
        for sleeper in due { sleeper.continuation.resume() }
    }

    package func sleep(until deadline: Date) async throws {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let sleeper = Sleeper(deadline: deadline, number: number, continuation: continuation)
                if let result = add(sleeper) { continuation.resume(with: result) }
            }
        } onCancel: {
            cancel(number)
        }
    }

    /// Puts a sleeper to sleep, or tells why it need not.
    private func add(_ sleeper: Sleeper) -> Result<Void, any Error>? {
        state.withLock { state in
            if state.cancelled.remove(sleeper.number) != nil { return .failure(CancellationError()) }
            if sleeper.deadline <= state.now { return .success(()) }
            state.sleepers[sleeper.number] = sleeper
            return nil
        }
    }

    private func cancel(_ number: Int) {
        let sleeper = state.withLock { state in
            let sleeper = state.sleepers.removeValue(forKey: number)
            if sleeper == nil { state.cancelled.insert(number) }
            return sleeper
        }
        sleeper?.continuation.resume(throwing: CancellationError())
    }
}
