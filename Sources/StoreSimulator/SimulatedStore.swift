public import Foundation
import StoreManagerCore

/// An App Store for tests, previews and hosts that have none: it sells what a `.storekit` file lists, to scripted buyers, on a
/// clock that moves only when it is told to.
///
/// The store itself is the first device of its first account, and a manager is made over it: `StoreManager(backend: store)`.
/// More devices and accounts come from ``device(named:account:)``.
///
/// Answers are reported in a later turn of the main actor, one at a time and in order, unless ``StoreControls/faults`` says
/// otherwise; ``settle()`` waits for them. Two stores with one configuration, one seed and one sequence of commands do the same
/// and have the same ``log``, byte for byte.
@MainActor @dynamicMemberLookup
public final class SimulatedStore: SimulatedBackend {
    /// The clock that the store runs on.
    public let clock: VirtualClock

    /// Whether answers are reported from inside the command that they answer, as no real store does; for benchmarks.
    public var deliversImmediately = false

    /// Called after everything that was done to the store, and after its clock moved.
    package var didChange: (@MainActor () -> Void)?

    var engine: StoreEngine
    private var observers: [Int: WeakObserver] = [:]
    private var isPumpScheduled = false
    private var settleWaiters: [CheckedContinuation<Void, Never>] = []

    /// Makes a store that sells what a configuration lists, and behaves as its settings say.
    ///
    /// - Parameters:
    ///   - configuration: What is sold.
    ///   - clock: The store's time; several stores may run on one clock.
    ///   - seed: What decides all chance.
    public init(configuration: StoreConfiguration, clock: VirtualClock = VirtualClock(), seed: UInt64 = 1) {
        self.clock = clock
        engine = StoreEngine(configuration: configuration, now: clock.now, seed: seed)
        let account = engine.addAccount("account-1")
        _ = engine.addDevice("device-1", account: account)
        clock.drive(self)
    }

    /// Makes a store that sells what a `.storekit` file lists.
    ///
    /// - Throws: ``StoreConfigurationError`` where the file cannot be read.
    public convenience init(contentsOf url: URL, clock: VirtualClock = VirtualClock(), seed: UInt64 = 1) throws {
        self.init(configuration: try StoreConfiguration(contentsOf: url), clock: clock, seed: seed)
    }

    /// The store itself, which is its own first device.
    public var store: SimulatedStore { self }

    /// The number of the first device.
    public var deviceIndex: Int { 0 }

    /// A switch of ``StoreControls``, read and set under its own name.
    public subscript<Value>(dynamicMember control: WritableKeyPath<StoreControls, Value>) -> Value {
        get { controls[keyPath: control] }
        set { controls[keyPath: control] = newValue }
    }

    /// All switches.
    public var controls: StoreControls {
        get { engine.controls }
        set { perform(.setControls(newValue)) }
    }

    /// What happened so far, line by line.
    public var log: [StoreLogEntry] { engine.log }

    /// A further device, or the one of this name that there is already.
    ///
    /// - Parameters:
    ///   - name: The device's name, for the log.
    ///   - account: The name of its account, which is opened if there is none; nil is the first account, `account-1`.
    public func device(named name: String, account: String? = nil) -> SimulatedDevice {
        let accountIndex = account.map { accountNumber(named: $0) } ?? 0
        let existing = engine.devices.firstIndex { $0.name == name && $0.account == accountIndex }
        return SimulatedDevice(store: self, index: existing ?? Int(perform(.addDevice(name, account: accountIndex))))
    }

    /// Returns when nothing is left to report now. What is held, or due later, is not waited for.
    public func settle() async {
        guard engine.queue.hasReady || isPumpScheduled else { return }
        await withCheckedContinuation { settleWaiters.append($0) }
    }

    /// How many answers are on their way: ready to be reported, held, or due later.
    public var pendingDeliveryCount: Int { engine.queue.all.count }

    /// Keeps back what would be reported on an interface, until it is released.
    public func hold(_ interface: StoreInterface) { controls.faults[interface].isHeld = true }

    /// Reports what was held.
    public func release(_ interface: StoreInterface) { controls.faults[interface].isHeld = false }

    // MARK: The engine room

    /// Does something to the store that cannot fail, or whose failure changes nothing.
    @discardableResult
    func perform(_ action: StoreAction) -> UInt64 { (try? attempt(action)) ?? 0 }

    /// Does something to the store.
    @discardableResult
    func attempt(_ action: StoreAction) throws(SimulatorError) -> UInt64 {
        engine.advance(to: clock.now)
        let result = try engine.perform(action)
        deliver()
        didChange?()
        return result
    }

    func setObserver(_ observer: (any StoreBackendObserver)?, backend: any StoreBackend, device: Int) {
        observers[device] = observer.map { WeakObserver(observer: $0, backend: backend) }
    }

    /// The number of an account, which is opened if there is none of the name.
    private func accountNumber(named name: String) -> Int {
        engine.accounts.firstIndex { $0.name == name } ?? Int(perform(.addAccount(name)))
    }

    private func deliver() {
        if deliversImmediately {
            while reportNext() {}
        } else if engine.queue.hasReady, !isPumpScheduled {
            isPumpScheduled = true
            Task { pump() }
        }
    }

    /// Reports one answer a turn, so that what the app does about it has its turn before the next.
    private func pump() {
        isPumpScheduled = false
        _ = reportNext()
        deliver()
        guard !isPumpScheduled else { return }
        let waiters = settleWaiters
        settleWaiters = []
        for waiter in waiters { waiter.resume() }
    }

    private func reportNext() -> Bool {
        guard let delivery = engine.deliverNext() else { return false }
        if let target = observers[delivery.device], let observer = target.observer, let backend = target.backend {
            observer.storeBackend(backend, didReport: delivery.event)
        }
        return true
    }
}

extension SimulatedStore: ClockDriven {
    var nextDueDate: Date? { engine.nextDue }

    func clockDidMove(to date: Date) {
        engine.advance(to: date)
        deliver()
        didChange?()
    }
}

/// Who observes a device.
private struct WeakObserver {
    weak var observer: (any StoreBackendObserver)?
    weak var backend: (any StoreBackend)?
}
