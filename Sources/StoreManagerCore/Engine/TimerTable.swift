import Foundation

/// What a manager is to do later, by date.
struct TimerTable {
    /// Something to be done when its time has come, unless it is cancelled before.
    final class Timer {
        let deadline: Date
        /// The order in which timers of one deadline came.
        fileprivate let number: UInt64
        fileprivate(set) var work: (@MainActor (StoreManager) -> Void)?

        fileprivate init(deadline: Date, number: UInt64, work: @escaping @MainActor (StoreManager) -> Void) {
            self.deadline = deadline
            self.number = number
            self.work = work
        }

        /// What was to be done is forgotten, with all that it holds.
        func cancel() { work = nil }

        fileprivate func isDue(before other: Timer) -> Bool {
            deadline == other.deadline ? number < other.number : deadline < other.deadline
        }
    }

    /// A heap: none is due after the two below it, which are at twice its index plus one and plus two.
    private var timers: [Timer] = []
    private var lastNumber: UInt64 = 0
    /// At so many the cancelled ones are thrown out, so that their number never exceeds that of the others for long.
    private var limit = 64

    /// How many there are, the cancelled ones included that were not thrown out yet.
    var count: Int { timers.count }

    /// The earliest deadline.
    mutating func nextDeadline() -> Date? {
        while let first = timers.first, first.work == nil { removeFirst() }
        return timers.first?.deadline
    }

    /// Adds something to be done.
    mutating func add(at deadline: Date, _ work: @escaping @MainActor (StoreManager) -> Void) -> Timer {
        if timers.count >= limit {
            timers.removeAll { $0.work == nil }
            // What is sorted is a heap.
            timers.sort { $0.isDue(before: $1) }
            limit = max(64, timers.count * 2)
        }
        lastNumber += 1
        let timer = Timer(deadline: deadline, number: lastNumber, work: work)
        timers.append(timer)
        rise(from: timers.count - 1)
        return timer
    }

    /// Takes out what is due by a date, in order; one of them may still be cancelled by an earlier one.
    mutating func takeDue(by date: Date) -> [Timer] {
        var due: [Timer] = []
        while let first = timers.first, first.deadline <= date {
            due.append(first)
            removeFirst()
        }
        return due
    }

    private mutating func removeFirst() {
        let last = timers.removeLast()
        guard !timers.isEmpty else { return }
        timers[0] = last
        sink()
    }

    private mutating func rise(from index: Int) {
        var index = index
        while index > 0, timers[index].isDue(before: timers[(index - 1) / 2]) {
            timers.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    private mutating func sink() {
        var index = 0
        while true {
            var earliest = index
            for child in (2 * index + 1)...(2 * index + 2)
            where child < timers.count && timers[child].isDue(before: timers[earliest]) {
                earliest = child
            }
            if earliest == index { return }
            timers.swapAt(index, earliest)
            index = earliest
        }
    }
}
