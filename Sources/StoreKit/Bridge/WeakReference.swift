import Foundation

// `@unchecked Sendable` is right because the reference is read and written under the lock alone. What the object's owner lets
// other threads do with it is the owner's affair: StoreKit says that it calls delegates from a queue of its choice.
/// A weak reference that any thread may read and set.
final class WeakReference: @unchecked Sendable {
    private let lock = NSLock()
    private weak var target: AnyObject?

    var object: AnyObject? {
        get { lock.withLock { target } }
        set { lock.withLock { target = newValue } }
    }
}

// `@unchecked Sendable` is right because it is never written to; for the object the same goes as above.
/// A weak reference that is carried to another thread.
struct WeakObject<Object: AnyObject>: @unchecked Sendable {
    private(set) weak var object: Object?

    init(_ object: Object) { self.object = object }
}
