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

    /// Adds a listener, as long as its stream is read.
    ///
    /// - Parameters:
    ///   - continuation: Its stream.
    ///   - first: What it begins with.
    ///   - accepts: Whether the listener wants something that is sent.
    func add(
        _ continuation: AsyncStream<Element>.Continuation, startingWith first: [Element] = [],
        accepting accepts: @escaping @MainActor (Element) -> Bool = { _ in true }
    ) {
        count += 1
        let number = count
        continuation.onTermination = { [weak self] _ in Task { @MainActor in self?.listeners[number] = nil } }
        listeners[number] = Listening(continuation: continuation, accepts: accepts)
        for element in first + unclaimed { continuation.yield(element) }
        unclaimed = []
    }

    /// Tells all listeners.
    func send(_ element: Element) {
        if listeners.isEmpty, keepsUnclaimed { unclaimed.append(element) }
        for listener in listeners.values where listener.accepts(element) { listener.continuation.yield(element) }
    }

    /// Drops what nobody has heard.
    func forgetUnclaimed() { unclaimed = [] }

    /// Ends all streams.
    func finish() {
        for listener in listeners.values { listener.continuation.finish() }
        listeners = [:]
        unclaimed = []
    }
}

/// Listens to the link from its making on, for the iterators of StoreKit's sequences.
struct Listener<Element: Sendable> {
    private var iterator: AsyncStream<Element>.AsyncIterator

    /// - Parameter join: Gives the link the stream, in the order of all commands.
    init(_ join: @escaping @MainActor @Sendable (StoreLink, AsyncStream<Element>.Continuation) -> Void) {
        let (stream, continuation) = AsyncStream.makeStream(of: Element.self)
        iterator = stream.makeAsyncIterator()
        StoreLink.shared.post { join($0, continuation) }
    }

    mutating func next() async -> Element? { await iterator.next() }
}
