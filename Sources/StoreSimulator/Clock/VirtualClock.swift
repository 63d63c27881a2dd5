public import Foundation
public import StoreManagerCore

/// A clock that moves only when it is told to, and takes with it whoever sleeps by it and every store that runs on it.
///
/// Moving it visits all that falls due on the way in the order of the dates: stores renew subscriptions and report what was
/// delayed, sleepers wake. A sleeper's task goes on as soon as its thread is free, which may be after the clock has arrived;
/// it sleeps until a date, so that it loses nothing by that.
public final class VirtualClock: StoreClock, Sendable {
    private let state: Locked<State>

    /// Where a clock starts unless told otherwise: 2025-01-01 00:00:00 UTC.
    public static let defaultStart = Date(timeIntervalSince1970: 1_735_689_600)

    /// Where every clock stops: 4001-01-01 00:00:00 UTC, Foundation's distant future. Nothing that is due then or later ever
    /// happens.
    public static let end = CivilDate.range.upperBound

    /// Makes a clock that stands at a date, at most ``end``.
    public init(now: Date = VirtualClock.defaultStart) { state = Locked(State(now: min(now, Self.end))) }

    /// The date the clock stands at.
    public var now: Date { state.withLock { $0.now } }

    /// How many tasks sleep by the clock.
    public var sleeperCount: Int { state.withLock { $0.sleepers.count } }

    /// The date of what falls due next, a sleeper's or a store's; nil where nothing will.
    @MainActor public var nextDueDate: Date? {
        let (sleepers, drivers) = state.withLock { ($0.firstDeadline, $0.liveDrivers) }
        return ([sleepers] + drivers.map(\.nextDueDate)).compactMap(\.self).min()
    }

    /// Moves the clock forward by so many seconds, but not beyond ``end``; 0 or less moves nothing, but wakes and reports what is
    /// due now.
    ///
    /// - Returns: whether the clock could go as far.
    @discardableResult
    @MainActor public func advance(by seconds: TimeInterval) -> Bool { advance(to: now + max(0, seconds)) }

    /// Moves the clock forward by so many days, weeks, months or years of the calendar, but not beyond ``end``.
    ///
    /// - Returns: whether the clock could go as far.
    @discardableResult
    @MainActor public func advance(by period: StoreSubscriptionPeriod) -> Bool { advance(to: date(after: period)) }

    /// The date so many days, weeks, months or years of the calendar from now.
    public func date(after period: StoreSubscriptionPeriod) -> Date {
        PeriodStep.calendar(period).date(after: now, count: 1)
    }

    /// Moves the clock forward to a date, but not beyond ``end``; an earlier one than now moves nothing.
    ///
    /// - Returns: whether the clock could go as far.
    @discardableResult
    @MainActor public func advance(to date: Date) -> Bool {
        move(to: min(date, Self.end))
        return date <= Self.end
    }

    @MainActor private func move(to date: Date) {
        guard date > now || nextDueDate.map({ $0 <= now }) == true else { return }
        while let due = nextDueDate, due <= date {
            let stop = nextStop(from: due, to: date)
            let drivers = state.withLock { state in
                state.now = max(state.now, stop)
                return state.liveDrivers
            }
            for driver in drivers { driver.clockDidMove(to: now) }
            for sleeper in state.withLock({ $0.removeSleepers(dueBy: $0.now) }) { sleeper.continuation.resume() }
        }
        let drivers = state.withLock { state in
            state.now = max(state.now, date)
            return state.liveDrivers
        }
        for driver in drivers { driver.clockDidMove(to: now) }
        for driver in drivers { driver.clockDidArrive() }
    }

    /// Returns when the clock has been moved to the deadline or beyond.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    public func sleep(until deadline: Date) async throws {
        let id = state.withLock { $0.makeID() }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let arrived = state.withLock { $0.add(Sleeper(id: id, deadline: deadline, continuation: continuation)) }
                for waiter in arrived { waiter.resume() }
                // One that was cancelled before it lay down was looked for in vain.
                if Task.isCancelled { wake(id, throwing: CancellationError()) }
            }
        } onCancel: {
            wake(id, throwing: CancellationError())
        }
    }

    /// Returns when at least so many tasks sleep by the clock: a test waits for a timeout to be running before it moves on.
    public func waitForSleepers(_ count: Int = 1) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.sleepers.count >= count { return true }
                state.waiters.append((count, continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }

    /// Takes a store along from now on, as long as it lives.
    @MainActor func drive(_ driver: any ClockDriven) {
        state.withLock { $0.drivers.append(WeakDriver(driver)) }
    }

    /// Where the clock has to stop next: where something is due that somebody notices. What happens in a store that nobody
    /// listens to needs no stop of its own.
    @MainActor private func nextStop(from due: Date, to date: Date) -> Date {
        let (deadline, drivers) = state.withLock { ($0.firstDeadline, $0.liveDrivers) }
        let noticed = drivers.filter(\.hasListeners).map(\.nextDueDate) + [deadline]
        return max(due, min(date, noticed.compactMap(\.self).min() ?? date))
    }

    private func wake(_ id: Int, throwing error: any Error) {
        state.withLock { $0.sleepers.removeValue(forKey: id) }?.continuation.resume(throwing: error)
    }
}

/// What runs on a virtual clock.
@MainActor
protocol ClockDriven: AnyObject, Sendable {
    /// The date of what falls due next; nil where nothing will.
    var nextDueDate: Date? { get }
    /// Whether anybody would notice when exactly something happens.
    var hasListeners: Bool { get }
    /// The clock stands at a new date, or the same again. All that is due by then is to be done, in the order of the dates.
    func clockDidMove(to date: Date)
    /// The clock has gone as far as it was told to.
    func clockDidArrive()
}

private struct WeakDriver: Sendable {
    weak var driver: (any ClockDriven)?
    init(_ driver: any ClockDriven) { self.driver = driver }
}

private struct Sleeper: Sendable {
    var id: Int
    var deadline: Date
    var continuation: CheckedContinuation<Void, any Error>
}

/// What the clock keeps under its lock.
private struct State: Sendable {
    var now: Date
    var sleepers: [Int: Sleeper] = [:]
    var waiters: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    var drivers: [WeakDriver] = []
    private var lastID = 0

    init(now: Date) { self.now = now }

    mutating func makeID() -> Int {
        lastID += 1
        return lastID
    }

    /// Lays a sleeper down, or wakes it at once; returns those who waited for it.
    mutating func add(_ sleeper: Sleeper) -> [CheckedContinuation<Void, Never>] {
        if sleeper.deadline <= now {
            sleeper.continuation.resume()
            return []
        }
        sleepers[sleeper.id] = sleeper
        let arrived = waiters.filter { $0.count <= sleepers.count }.map(\.continuation)
        waiters.removeAll { $0.count <= sleepers.count }
        return arrived
    }

    /// Takes those out who are due, the earliest deadline first and, of equal ones, who lay down first.
    mutating func removeSleepers(dueBy date: Date) -> [Sleeper] {
        let due = sleepers.values.filter { $0.deadline <= date }.sorted { ($0.deadline, $0.id) < ($1.deadline, $1.id) }
        for sleeper in due { sleepers.removeValue(forKey: sleeper.id) }
        return due
    }

    var firstDeadline: Date? { sleepers.values.map(\.deadline).min() }

    var liveDrivers: [any ClockDriven] {
        mutating get {
            drivers.removeAll { $0.driver == nil }
            return drivers.compactMap(\.driver)
        }
    }
}
