import Foundation

// `@unchecked Sendable` is right because everything that changes is read and written under the lock alone. The observers
// themselves are called in the queue of callbacks, as StoreKit says.
/// What of the payment queue any thread may read and set: its observers, its delegate, and which transactions there are.
final class QueueFace: @unchecked Sendable {
    private let lock = NSLock()
    private var weakObservers: [WeakObject<AnyObject>] = []
    private var shown: [SKPaymentTransaction] = []

    let delegate = WeakReference()

    /// All observers that are alive.
    var observers: [any SKPaymentTransactionObserver] {
        lock.withLock { weakObservers }.compactMap { $0.object as? any SKPaymentTransactionObserver }
    }

    /// All transactions that are not finished.
    var transactions: [SKPaymentTransaction] {
        get { lock.withLock { shown } }
        set { lock.withLock { shown = newValue } }
    }

    /// Adds an observer; false where it is there already.
    func add(_ observer: any SKPaymentTransactionObserver) -> Bool {
        lock.withLock {
            weakObservers.removeAll { $0.object == nil }
            guard !weakObservers.contains(where: { $0.object === observer }) else { return false }
            weakObservers.append(WeakObject(observer))
            return true
        }
    }

    /// Removes an observer.
    func remove(_ observer: any SKPaymentTransactionObserver) {
        lock.withLock { weakObservers.removeAll { $0.object === observer || $0.object == nil } }
    }

    /// Forgets everybody.
    func clear() {
        lock.withLock {
            weakObservers = []
            shown = []
        }
        delegate.object = nil
    }
}
