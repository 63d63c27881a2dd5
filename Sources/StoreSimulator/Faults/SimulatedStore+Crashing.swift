import StoreManagerCore

extension SimulatedStore {
    /// Lets the app crash on all devices as soon as the ``log`` has so many lines: nothing is reported any more, what the old
    /// process still asks for is not heard, and the next one that observes is told of all that is unfinished.
    ///
    /// A run that is repeated with every number up to the length of its log is stopped after everything that the app ever
    /// asked for, and before everything that it was ever told.
    public func crash(atLogLine number: Int) {
        crashing.line = number
        crashIfItIsTime()
    }

    /// Whether a process crashed and was not started again.
    public var hasCrashed: Bool { !crashing.devices.isEmpty }

    /// Does what the app on a device asks for, unless that process has crashed.
    func command(_ action: StoreAction, from backend: any SimulatedBackend) {
        if !crashing.devices.contains(backend.deviceIndex) { perform(action) }
    }

    /// Crashes where that was asked for.
    func crashIfItIsTime() {
        guard let line = crashing.line, engine.log.count >= line else { return }
        crashing.line = nil
        for device in engine.devices.indices where engine.devices[device].app?.isObserving == true {
            crashing.devices.insert(device)
            delivering.observers[device] = nil
            perform(.relaunch(device: device))
        }
    }
}

extension SimulatedBackend {
    /// The app's process ends, as if it was killed: nothing is reported any more, its requests are forgotten, and the next
    /// process that observes is told of all that is unfinished.
    public func relaunch() {
        store.stopReporting(to: self)
        store.perform(.relaunch(device: deviceIndex))
    }
}

/// What a store keeps to crash with.
struct CrashingState {
    /// How long the log is when the app crashes.
    var line: Int?
    /// The devices whose process crashed and was not started again.
    var devices: Set<Int> = []
}
