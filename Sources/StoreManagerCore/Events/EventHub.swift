/// Hands every event to every reader.
final class EventHub: Sendable {
    private struct Readers: Sendable {
        var next = 0
        var continuations: [Int: AsyncStream<StoreEvent>.Continuation] = [:]
        var isFinished = false
    }

    private let readers = Locked(Readers())

    /// A stream of all events from now on. Events wait in it until they are read; a stream that is dropped is forgotten.
    func makeStream() -> AsyncStream<StoreEvent> {
        let (stream, continuation) = AsyncStream.makeStream(of: StoreEvent.self)
        let number: Int? = readers.withLock { readers in
            guard !readers.isFinished else { return nil }
            defer { readers.next += 1 }
            readers.continuations[readers.next] = continuation
            return readers.next
        }
        guard let number else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in
            self?.readers.withLock { _ = $0.continuations.removeValue(forKey: number) }
        }
        return stream
    }

    /// Hands an event to all readers, in the order in which they came.
    func publish(_ event: StoreEvent) {
        let continuations = readers.withLock { readers in
            readers.continuations.isEmpty ? [] : readers.continuations.sorted { $0.key < $1.key }.map(\.value)
        }
        for continuation in continuations { continuation.yield(event) }
    }

    /// Ends all streams.
    func finish() {
        let continuations = readers.withLock { readers in
            readers.isFinished = true
            defer { readers.continuations = [:] }
            return Array(readers.continuations.values)
        }
        for continuation in continuations { continuation.finish() }
    }
}
