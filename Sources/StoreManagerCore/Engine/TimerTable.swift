import Foundation

/// What a manager is to do later, by date.
struct TimerTable {
    /// Something to be done when its time has come, unless it is cancelled before.
    final class Timer {
        let deadline: Date
        fileprivate(set) var work: (@MainActor (StoreManager) -> Void)?

        fileprivate init(deadline: Date, work: @escaping @MainActor (StoreManager) -> Void) {
            self.deadline = deadline
            self.work = work
        }

        /// What was to be done is forgotten, with all that it holds.
        func cancel() { work = nil }
    }

    /// By deadline; equal ones in the order in which they came.
    private var timers: [Timer] = []
    /// At so many the cancelled ones are thrown out, so that their number never exceeds that of the others for long.
    private var limit = 64

    /// How many there are, the cancelled ones included that were not thrown out yet.
    var count: Int { timers.count }

    /// The earliest deadline.
    mutating func nextDeadline() -> Date? {
        timers.removeFirst(timers.prefix { $0.work == nil }.count)
        return timers.first?.deadline
    }

    /// Adds something to be done.
    mutating func add(at deadline: Date, _ work: @escaping @MainActor (StoreManager) -> Void) -> Timer {
        if timers.count >= limit {
            timers.removeAll { $0.work == nil }
            limit = max(64, timers.count * 2)
        }
        let timer = Timer(deadline: deadline, work: work)
        // Most are due later than all others, so the place is looked for from the end.
        let place = timers.lastIndex { $0.deadline <= deadline }.map { $0 + 1 } ?? 0
        timers.insert(timer, at: place)
        return timer
    }

    /// Takes out what is due by a date, in order; one of them may still be cancelled by an earlier one.
    mutating func takeDue(by date: Date) -> [Timer] {
        guard let first = timers.first, first.deadline <= date else { return [] }
        let due = Array(timers.prefix { $0.deadline <= date })
        timers.removeFirst(due.count)
        return due
    }
}
