/// The content downloaders at work, one for each transaction at most.
struct ContentDownloadTable: Sendable {
    private struct Attempt {
        var number: Int
        var task: Task<Void, Never>
    }

    private var attempts: [TransactionKey: Attempt] = [:]
    private var lastNumber = 0

    /// What tells the next attempt from all others.
    mutating func makeNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    /// An attempt has begun.
    mutating func begin(_ number: Int, _ task: Task<Void, Never>, for key: TransactionKey) {
        attempts[key] = Attempt(number: number, task: task)
    }

    /// An attempt has ended. False: it was given up before, and nothing follows from it.
    mutating func end(_ number: Int, for key: TransactionKey) -> Bool {
        guard attempts[key]?.number == number else { return false }
        attempts[key] = nil
        return true
    }

    /// Asks an attempt to stop, where there is one; it still tells how it ends.
    func cancel(_ key: TransactionKey) { attempts[key]?.task.cancel() }

    /// Stops an attempt, where there is one; how it ends is of no interest.
    mutating func giveUp(_ key: TransactionKey) { attempts.removeValue(forKey: key)?.task.cancel() }

    /// Stops all attempts.
    func cancelAll() { for attempt in attempts.values { attempt.task.cancel() } }
}
