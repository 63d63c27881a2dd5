import Foundation

/// A value that any thread may use, one at a time.
///
/// `Mutex` of the standard library would need later systems than the package supports.
///
/// `@unchecked Sendable` is right because `value` is private and touched only inside `withLock`, under the lock.
package final class Locked<Value: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    package init(_ value: Value) { self.value = value }

    /// Lends the value to `body`. Must not be called from inside another `withLock` of the same object.
    package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        try lock.withLock { try body(&value) }
    }
}
