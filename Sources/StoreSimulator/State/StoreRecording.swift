public import Foundation

/// A store's life: how it was at first, and all that was done to it since, each with its date.
///
/// A store is the outcome of its recording, so that a recording made anywhere can be played again, step by step, in a test.
/// `SimulatedStore.recording` gives it, a saved store is one, and ``init(contentsOf:)`` reads it back.
public struct StoreRecording: Sendable {
    /// How the store was at first.
    var start: StoreEngine
    /// What was done to it.
    var steps: [Step] = []

    /// Something that was done.
    struct Step: Codable, Sendable {
        var date: Date
        var action: StoreAction
    }

    init(start: StoreEngine) { self.start = start }

    /// Reads the recording that a saved store is.
    ///
    /// - Throws: ``StoreStateError``, which names the file.
    public init(contentsOf url: URL) throws {
        self = try StateFile(url: url).read()
    }

    /// How many steps were taken.
    public var stepCount: Int { steps.count }

    /// The log that the store has after so many steps; nil takes all.
    public func log(afterSteps count: Int? = nil) -> [StoreLogEntry] { played(count).log }

    /// The store after so many steps. A step that could not be taken then cannot be taken again, and changes nothing.
    func played(_ count: Int? = nil) -> StoreEngine {
        var engine = start
        for step in steps.prefix(count ?? steps.count) {
            engine.advance(to: step.date)
            _ = try? engine.perform(step.action)
        }
        return engine
    }
}
