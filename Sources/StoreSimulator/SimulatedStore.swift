public import Foundation
public import StoreManagerCore

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

    /// Signs what the store says; nil leaves it unsigned. It is no part of what is saved.
    public var signer: (any StoreSigner)?

    /// All that was done to the store since it was made.
    public private(set) var recording: StoreRecording

    /// Called once, with ``autosaveError``, as soon as a change could not be saved.
    public var onAutosaveFailure: (@MainActor (StoreStateError) -> Void)?

    /// Called after everything that was done to the store, and after its clock moved.
    package var didChange: (@MainActor () -> Void)?

    private(set) var engine: StoreEngine
    var journal: StateJournal?
    var delivering = DeliveringState()
    var crashing = CrashingState()
    private var accountNumbers: [String: Int]
    private var listeners: [AsyncStream<StoreServerNotification>.Continuation] = []

    /// Makes a store that sells what a configuration lists, and behaves as its settings say.
    ///
    /// - Parameters:
    ///   - configuration: What is sold.
    ///   - clock: The store's time; several stores may run on one clock.
    ///   - seed: What decides all chance.
    public convenience init(
        configuration: StoreConfiguration, clock: VirtualClock = VirtualClock(), seed: UInt64 = 1
    ) {
        var engine = StoreEngine(configuration: configuration, now: clock.now, seed: seed)
        _ = engine.addDevice("device-1", account: engine.addAccount("account-1"))
        self.init(engine: engine, clock: clock)
    }

    /// Makes a store of what it is.
    init(engine: StoreEngine, clock: VirtualClock?) {
        self.engine = engine
        self.clock = clock ?? VirtualClock(now: engine.now)
        recording = StoreRecording(start: engine)
        accountNumbers = Dictionary(
            engine.accounts.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
        self.clock.drive(self)
        self.clock.advance(to: engine.now)
        self.engine.advance(to: self.clock.now)
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

    /// What is sold, and the settings to begin with.
    public var configuration: StoreConfiguration { engine.catalogue.configuration }

    /// What happened so far, line by line.
    public var log: [StoreLogEntry] { engine.log }

    /// A further device, or the one of this name that there is already.
    ///
    /// - Parameters:
    ///   - name: The device's name, for the log.
    ///   - account: The name of its account, which is opened if there is none; nil is the first account, `account-1`.
    public func device(named name: String, account: String? = nil) -> SimulatedDevice {
        let number = account.map { accountIndex(named: $0) ?? openAccount(named: $0) } ?? 0
        let known = engine.accounts[number].devices.first { engine.devices[Int($0)].name == name }
        return SimulatedDevice(store: self, index: known.map { Int($0) } ?? addDevice(named: name, account: number))
    }

    /// Opens many accounts at once, each with a subscription: a crowd to measure with. They are called `subscriber-1` and so
    /// on; ``device(named:account:)`` signs one of them in on a device.
    ///
    /// - Parameters:
    ///   - count: How many.
    ///   - productIdentifier: What they subscribe to.
    ///   - interval: They began one after the other, evenly spread over these last seconds.
    /// - Throws: ``SimulatorError`` where the product cannot be subscribed to.
    public func addSubscribers(
        _ count: Int, to productIdentifier: String, overLast interval: TimeInterval = 0
    ) throws(SimulatorError) {
        let first = engine.accounts.count
        try attempt(.addSubscribers(count, product: productIdentifier, interval: interval))
        for number in first..<engine.accounts.count { accountNumbers[engine.accounts[number].name] = number }
    }

    /// What the App Store would tell the app's server, for any number of readers. Each call gives a stream of its own, which
    /// has all notifications from then on.
    public var serverNotifications: AsyncStream<StoreServerNotification> {
        let (stream, continuation) = AsyncStream.makeStream(of: StoreServerNotification.self)
        listeners.append(continuation)
        engine.emitsNotifications = true
        return stream
    }

    /// Drops every change of the switches; what was bought stays.
    public func resetToDefaultState() {
        controls = StoreControls(settings: engine.catalogue.configuration.settings)
    }

    /// Deletes all transactions of all accounts.
    public func clearTransactions() { perform(.clearTransactions) }

    /// Makes the store as it was at first, but for its accounts and devices, its ``log`` and its time: nothing was ever bought,
    /// nothing is on its way or due on the clock, all switches and buyers are as at first, and chance begins anew.
    ///
    /// Identifiers count on, so that no app takes a new transaction for an old one, and the clock is not set back: other stores
    /// may run on it, and what an app has seen must not lie in the future.
    public func reset() { perform(.reset) }

    // MARK: The engine room

    /// Does something to the store that cannot fail, or whose failure changes nothing.
    @discardableResult
    func perform(_ action: StoreAction) -> UInt64 { (try? attempt(action)) ?? 0 }

    /// Does something to the store, and saves it before anybody hears of it.
    @discardableResult
    func attempt(_ action: StoreAction) throws(SimulatorError) -> UInt64 {
        engine.advance(to: clock.now)
        let result = try engine.perform(action)
        record(action)
        tellServer()
        crashIfItIsTime()
        deliver()
        didChange?()
        return result
    }

    /// Takes what is to be reported next out of the queue.
    func takeNextDelivery() -> Delivery? {
        guard let delivery = engine.deliverNext() else { return nil }
        record(.deliver)
        return delivery
    }

    /// A transaction as the app is told of it; nil where there is none.
    func transaction(_ id: UInt64) -> StoreTransaction? { engine.transaction(id).map { signed($0) } }

    /// The transaction with the signer's signature, if there is a signer.
    package func signed(_ transaction: StoreTransaction) -> StoreTransaction {
        signer?.signing(transaction) ?? transaction
    }

    /// The number of the account of a name; nil where there is none.
    func accountIndex(named name: String) -> Int? { accountNumbers[name] }

    private func openAccount(named name: String) -> Int {
        let number = Int(perform(.addAccount(name)))
        accountNumbers[name] = number
        return number
    }

    private func addDevice(named name: String, account: Int) -> Int {
        Int(perform(.addDevice(name, account: account)))
    }

    private func record(_ action: StoreAction) {
        let step = StoreRecording.Step(date: engine.now, action: action)
        recording.steps.append(step)
        guard journal?.error == nil else { return }
        journal?.add(step)
        if let error = autosaveError { onAutosaveFailure?(error) }
    }

    private func tellServer() {
        guard !engine.notifications.isEmpty else { return }
        let notifications = engine.notifications
        engine.notifications = []
        for notification in notifications {
            listeners.removeAll { if case .terminated = $0.yield(notification) { true } else { false } }
        }
        engine.emitsNotifications = !listeners.isEmpty
    }

    deinit { for listener in listeners { listener.finish() } }
}

extension SimulatedStore: ClockDriven {
    /// The date of what falls due next in the store, such as a renewal; nil where nothing will.
    public var nextDueDate: Date? { engine.nextDue }

    var hasListeners: Bool {
        engine.emitsNotifications || !engine.notifications.isEmpty || !delivering.observers.isEmpty
    }

    func clockDidMove(to date: Date) {
        engine.advance(to: date)
        tellServer()
        deliver()
        didChange?()
    }

    func clockDidArrive() { perform(.advance) }
}
