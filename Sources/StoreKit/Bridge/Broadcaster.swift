import Foundation

/// Tells any number of listeners the same, each in its own stream.
@MainActor
final class Broadcaster<Element: Sendable> {
    private var listeners: [Int: Listening] = [:]
    private var count = 0
    /// What was sent while nobody listened, where that is kept.
    private var unclaimed: [Element] = []
    private let keepsUnclaimed: Bool

    private struct Listening {
        var continuation: AsyncStream<Element>.Continuation
        var accepts: @MainActor (Element) -> Bool
    }

    /// - Parameter keepsUnclaimed: Whether what nobody hears is kept for the next listener.
    nonisolated init(keepsUnclaimed: Bool = false) { self.keepsUnclaimed = keepsUnclaimed }

    /// Whether anybody listens.
    var hasListeners: Bool { !listeners.isEmpty }

    /// A new listener's stream.
    ///
    /// - Parameters:
    ///   - first: What it begins with.
    ///   - accepts: Whether the listener wants something that is sent.
    func listen(
        startingWith first: [Element] = [], accepting accepts: @escaping @MainActor (Element) -> Bool = { _ in true }
    ) -> AsyncStream<Element> {
        count += 1
        let number = count
        let (stream, continuation) = AsyncStream.makeStream(of: Element.self)
        continuation.onTermination = { [weak self] _ in Task { @MainActor in self?.listeners[number] = nil } }
        listeners[number] = Listening(continuation: continuation, accepts: accepts)
        for element in first + takeUnclaimed() { continuation.yield(element) }
        return stream
    }

    /// Tells all listeners.
    func send(_ element: Element) {
        if listeners.isEmpty, keepsUnclaimed { unclaimed.append(element) }
        for listener in listeners.values where listener.accepts(element) { listener.continuation.yield(element) }
    }

    /// What nobody has heard, which counts as heard from now on.
    func takeUnclaimed() -> [Element] {
        defer { unclaimed = [] }
        return unclaimed
    }

    /// Ends all streams.
    func finish() {
        for listener in listeners.values { listener.continuation.finish() }
        listeners = [:]
        unclaimed = []
    }
}

/// A stream that is begun by its first `next()`, for the iterators of StoreKit's sequences.
struct Listener<Element: Sendable> {
    private let begin: @Sendable () async -> AsyncStream<Element>
    private var iterator: AsyncStream<Element>.AsyncIterator?

    init(_ begin: @escaping @Sendable () async -> AsyncStream<Element>) { self.begin = begin }

    mutating func next() async -> Element? {
        if iterator == nil { iterator = await begin().makeAsyncIterator() }
        return await iterator?.next()
    }
}
