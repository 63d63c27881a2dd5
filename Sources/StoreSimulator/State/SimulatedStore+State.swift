public import Foundation

extension SimulatedStore {
    /// Takes up a store that was saved, as after a restart of the app: nobody observes it, its requests are forgotten, and
    /// what is unfinished is reported to the next observer. The ``log`` goes on where it ended.
    ///
    /// - Parameters:
    ///   - url: The file that ``save(to:)`` or ``autosave(to:)`` wrote.
    ///   - clock: The store's time; nil makes a clock that stands where the store's time stood. One that stands earlier is
    ///     moved there; one that stands later makes the store catch up.
    /// - Throws: ``StoreStateError``, which names the file, where anything of it is missing or not as it was written. Only the
    ///   last step of a file of ``autosave(to:)`` may be cut off, as it is when the process was killed while it saved: nobody
    ///   had been told of that step, and it is left out.
    public convenience init(resuming url: URL, clock: VirtualClock? = nil) throws {
        var engine = try StoreRecording(contentsOf: url).played()
        engine.endAllProcesses()
        self.init(engine: engine, clock: clock)
    }

    /// Plays a recording again.
    ///
    /// - Parameters:
    ///   - recording: What to play.
    ///   - stepCount: How many of its steps; nil takes all.
    public convenience init(replaying recording: StoreRecording, steps stepCount: Int? = nil) {
        self.init(engine: recording.played(stepCount), clock: nil)
    }

    /// Saves the store; afterwards the file holds the store as it was before or as it is now, never half of it.
    ///
    /// - Throws: ``StoreStateError`` where the file cannot be written.
    public func save(to url: URL) throws { try StateFile(url: url).write(recording, goesOn: false) }

    /// Saves the store now, and from now on every change to it before anybody hears of it: what a buyer paid for is in the
    /// file before the app is told.
    ///
    /// Of a change that cannot be saved ``autosaveError`` and ``onAutosaveFailure`` tell, and nothing is reported any more.
    ///
    /// - Throws: ``StoreStateError`` where the file cannot be written.
    public func autosave(to url: URL) throws {
        let file = StateFile(url: url)
        journal = StateJournal(file: file, last: try file.write(recording, goesOn: true))
    }

    /// Why a change could not be saved; nil while all is well.
    public var autosaveError: StoreStateError? { journal?.error }
}

/// The steps of a store on their way into its file.
struct StateJournal: Sendable {
    let file: StateFile
    private(set) var error: StoreStateError?
    private var unsaved: [StoreRecording.Step] = []
    /// The checksum of the last line in the file.
    private var last: StateLine.Checksum

    init(file: StateFile, last: StateLine.Checksum) {
        self.file = file
        self.last = last
    }

    /// Saves a step. That something was reported is saved with the next one: if it is lost, it is only reported again.
    mutating func add(_ step: StoreRecording.Step) {
        unsaved.append(step)
        if case .deliver = step.action { return }
        do throws(StoreStateError) {
            try file.append(unsaved, after: &last)
            unsaved = []
        } catch {
            self.error = error
        }
    }
}
