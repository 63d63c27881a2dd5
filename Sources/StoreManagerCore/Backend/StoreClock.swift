public import Foundation

/// The time that a manager goes by.
///
/// The standard library's `Clock` knows no dates, and subscriptions are made of dates; so the manager has a clock of its own.
public protocol StoreClock: Sendable {
    /// The date now.
    var now: Date { get }

    /// Returns when the clock has reached the deadline, at once where it already has.
    ///
    /// A deadline rather than an interval, so that no time is lost between deciding to wait and waiting.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    func sleep(until deadline: Date) async throws
}

/// The system's time.
public struct SystemStoreClock: StoreClock, Sendable {
    /// Makes the clock.
    public init() {}

    /// The date now.
    public var now: Date { Date() }

    /// Returns when the system's clock has reached the deadline.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    public func sleep(until deadline: Date) async throws {
        let interval = min(deadline.timeIntervalSince(now), Self.longestInterval)
        if interval > 0 { try await Task.sleep(nanoseconds: UInt64(interval * 1e9)) }
    }

    /// About thirty years: what nanoseconds can hold with room to spare.
    private static let longestInterval: TimeInterval = 1e9
}
