import Foundation

// `@unchecked Sendable` is right because everything that changes is read and written under the lock alone. The observers
// themselves are called in the queue of callbacks, as StoreKit says.
/// What of the payment queue any thread may read and set: its observers, its delegate, and which transactions there are.
final class QueueFace: @unchecked Sendable {
    private let lock = NSLock()
    private var registered: [Registration] = []
    private var shown: [SKPaymentTransaction] = []

    let delegate = WeakReference()

    private struct Registration {
        let observer: WeakObject<AnyObject>
        /// Whether the observer has been shown what was in the queue, and so hears what comes after.
        var isUpToDate = false
    }

    /// All observers that are alive.
    var observers: [any SKPaymentTransactionObserver] {
        lock.withLock { registered }.compactMap { $0.observer.object as? any SKPaymentTransactionObserver }
    }

    /// The observers that hear what happens now.
    var listeners: [WeakObject<AnyObject>] {
        lock.withLock { registered }.filter(\.isUpToDate).map(\.observer)
    }

    /// All transactions that are not finished.
    var transactions: [SKPaymentTransaction] {
        get { lock.withLock { shown } }
        set { lock.withLock { shown = newValue } }
    }

    /// Adds an observer; false where it is there already.
    func add(_ observer: any SKPaymentTransactionObserver) -> Bool {
        lock.withLock {
            registered.removeAll { $0.observer.object == nil }
            guard !registered.contains(where: { $0.observer.object === observer }) else { return false }
            registered.append(Registration(observer: WeakObject(observer)))
            return true
        }
    }

    /// Notes that an observer has been shown what was in the queue.
    func bringUpToDate(_ observer: WeakObject<AnyObject>) {
        lock.withLock {
            for place in registered.indices where registered[place].observer.object === observer.object {
                registered[place].isUpToDate = true
            }
        }
    }

    /// An observer as long as it lives and nobody removed it.
    func current(_ observer: WeakObject<AnyObject>) -> (any SKPaymentTransactionObserver)? {
        observers.first { $0 === observer.object }
    }

    /// Removes an observer.
    func remove(_ observer: any SKPaymentTransactionObserver) {
        lock.withLock { registered.removeAll { $0.observer.object === observer || $0.observer.object == nil } }
    }

    /// Forgets everybody.
    func clear() {
        lock.withLock {
            registered = []
            shown = []
        }
        delegate.object = nil
    }
}
