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
        var feed: Feed<Element>
        var accepts: @MainActor (Element) -> Bool
    }

    /// - Parameter keepsUnclaimed: Whether what nobody hears is kept for the next listener.
    nonisolated init(keepsUnclaimed: Bool = false) { self.keepsUnclaimed = keepsUnclaimed }

    /// Whether anybody listens.
    var hasListeners: Bool { !listeners.isEmpty }

    /// Adds a listener, as long as its feed is read.
    ///
    /// - Parameters:
    ///   - feed: What it reads.
    ///   - first: What it begins with.
    ///   - accepts: Whether the listener wants something that is sent.
    func add(
        _ feed: Feed<Element>, startingWith first: [Element] = [],
        accepting accepts: @escaping @MainActor (Element) -> Bool = { _ in true }
    ) {
        count += 1
        let number = count
        feed.onEnd { [weak self] in Task { @MainActor in self?.listeners[number] = nil } }
        listeners[number] = Listening(feed: feed, accepts: accepts)
        for element in first + unclaimed { feed.send(element) }
        unclaimed = []
    }

    /// Tells all listeners.
    func send(_ element: Element) {
        if listeners.isEmpty, keepsUnclaimed { unclaimed.append(element) }
        for listener in listeners.values where listener.accepts(element) { listener.feed.send(element) }
    }

    /// Drops what nobody has heard.
    func forgetUnclaimed() { unclaimed = [] }

    /// Ends all feeds.
    func finish() {
        for listener in listeners.values { listener.feed.finish() }
        listeners = [:]
        unclaimed = []
    }
}
