import Foundation

/// How an event reaches those who listen: the stream, the queue handlers, the observers and the notification centre, in this
/// order. All say the same, and nothing is published in any other way.
extension StoreManager {
    /// Publishes an event. Handlers and delegates of the request have been called by then.
    func publish(_ event: StoreEvent) {
        hub.publish(event)
        queueHandlers.receive(event)
        tellObservers(event)
        for notification in event.notifications(from: self) { notificationCenter.post(notification) }
    }

    /// Adds an observer, which is held weakly and hears of everything from now on. One that is there already is not added
    /// again.
    public func addObserver(_ observer: any StoreObserver) {
        guard !observers.contains(where: { $0.object === observer }) else { return }
        observers.removeAll { $0.object == nil }
        observers.append(WeakObserver(object: observer))
    }

    /// Removes an observer.
    public func removeObserver(_ observer: any StoreObserver) {
        observers.removeAll { $0.object === observer || $0.object == nil }
    }

    /// An observer, held weakly.
    struct WeakObserver {
        weak var object: (any StoreObserver)?
    }

    private func tellObservers(_ event: StoreEvent) {
        guard !observers.isEmpty else { return }
        for observer in observers { observer.object?.receive(event, from: self) }
    }
}
