public import Foundation

/// The time that a manager goes by.
///
/// The standard library's `Clock` knows no dates, and subscriptions are made of dates; so the manager has a clock of its own.
public protocol StoreClock: Sendable {
    /// The date now.
    var now: Date { get }

    /// Returns when `interval` seconds have passed.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    func sleep(for interval: TimeInterval) async throws
}

/// The system's time.
public struct SystemStoreClock: StoreClock, Sendable {
    /// Makes the clock.
    public init() {}

    /// The date now.
    public var now: Date { Date() }

    /// Returns when `interval` seconds have passed; throws `CancellationError` as soon as the task is cancelled.
    public func sleep(for interval: TimeInterval) async throws {
        try await Task.sleep(nanoseconds: UInt64(max(0, min(interval, 1e9)) * 1e9))
    }
}
