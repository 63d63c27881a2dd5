import Foundation
public import StoreManagerCore

/// How a store's answers reach its observers.
extension SimulatedStore {
    /// Returns when nothing is left to report now. What is held, or due later, is not waited for.
    public func settle() async {
        guard !isSettled else { return }
        await withCheckedContinuation { delivering.waiters.append($0) }
    }

    /// Returns when neither the store nor these managers have anything left to do now: what one says the other may answer. What
    /// is held, due later, or waits for a clock is not waited for.
    public func settle(with managers: StoreManager...) async {
        // One that was just made would begin to observe in a later turn.
        for manager in managers { manager.startObserving() }
        repeat {
            await settle()
            for manager in managers { await manager.settle() }
        } while !isSettled
    }

    /// Whether nothing is left to report now.
    package var isSettled: Bool { !hasNext && !delivering.isScheduled }

    /// What is on its way: ready to be reported, then what is held, then what is due later.
    public var pendingDeliveries: [PendingDelivery] {
        engine.queue.all.map { PendingDelivery(deviceName: engine.devices[$0.device].name, $0) }
    }

    /// Keeps back what would be reported on an interface, until it is released.
    public func hold(_ interface: StoreInterface) { controls.faults[interface].isHeld = true }

    /// Reports what was held on an interface.
    public func release(_ interface: StoreInterface) { controls.faults[interface].isHeld = false }

    /// Begins to report to an observer, as a new process of the app.
    func startObserving(_ observer: any StoreBackendObserver, on backend: any SimulatedBackend) {
        delivering.observers[backend.deviceIndex] = DeliveringState.Target(observer: observer, backend: backend)
        crashing.devices.remove(backend.deviceIndex)
        perform(.observe(device: backend.deviceIndex))
    }

    /// Whether this is the observer that a device reports to.
    func isReporting(to observer: any StoreBackendObserver, on backend: any SimulatedBackend) -> Bool {
        delivering.observers[backend.deviceIndex]?.observer === observer
    }

    /// Ends the reports to a device.
    func stopReporting(to backend: any SimulatedBackend) { delivering.observers[backend.deviceIndex] = nil }

    /// Reports what is ready, or sees to it that it will be reported.
    func deliver() {
        if deliversImmediately {
            while hasNext { reportNext() }
        } else if hasNext, !delivering.isScheduled {
            delivering.isScheduled = true
            Task { pump() }
        }
    }

    /// Whether there is something that may be reported: what could not be saved must not be.
    private var hasNext: Bool { engine.queue.hasReady && journal?.error == nil }

    /// Reports one answer a turn, so that what the app does about it has its turn before the next.
    private func pump() {
        delivering.isScheduled = false
        reportNext()
        deliver()
        guard !delivering.isScheduled else { return }
        let waiters = delivering.waiters
        delivering.waiters = []
        for waiter in waiters { waiter.resume() }
    }

    /// An observer that was released without a word has stopped observing: what would be told to it is kept for the next.
    private func forgetReleasedObservers() {
        for (device, target) in delivering.observers.sorted(by: { $0.key < $1.key }) where target.observer == nil {
            delivering.observers[device] = nil
            perform(.stopObserving(device: device))
        }
    }

    private func reportNext() {
        forgetReleasedObservers()
        guard hasNext, let delivery = takeNextDelivery() else { return }
        let target = delivering.observers[delivery.device]
        crashIfItIsTime()
        // One that crashed in this very moment hears nothing any more.
        guard !crashing.devices.contains(delivery.device), let observer = target?.observer,
            let backend = target?.backend
        else { return }
        observer.storeBackend(backend, didReport: signer?.signing(delivery.event) ?? delivery.event)
    }
}

/// Something on its way from a store to an app, to look at.
public struct PendingDelivery: Sendable {
    /// The name of the device.
    public let deviceName: String
    /// On which way it comes.
    public let interface: StoreInterface
    /// What will be reported.
    public let event: StoreBackendEvent

    init(deviceName: String, _ delivery: Delivery) {
        self.deviceName = deviceName
        interface = delivery.interface
        event = delivery.event
    }
}

/// What a store keeps to report with.
struct DeliveringState {
    /// Who observes which device.
    var observers: [Int: Target] = [:]
    /// Whether a turn of the main actor is under way that reports.
    var isScheduled = false
    /// Who waits until nothing is left to report.
    var waiters: [CheckedContinuation<Void, Never>] = []

    /// Who observes a device.
    struct Target {
        weak var observer: (any StoreBackendObserver)?
        weak var backend: (any StoreBackend)?
    }
}
