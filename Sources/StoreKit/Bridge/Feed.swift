import StoreManagerCore

/// What one iterator of StoreKit's sequences reads from.
struct Feed<Element: Sendable>: Sendable {
    private let continuation: AsyncStream<Element>.Continuation
    /// How far the reader has got.
    let progress: ReadingProgress

    /// A feed and its reader.
    ///
    /// - Parameter join: Gives the link the feed, in the order of all commands.
    init(_ continuation: AsyncStream<Element>.Continuation) {
        let progress = ReadingProgress()
        self.continuation = continuation
        self.progress = progress
        continuation.onTermination = { _ in progress.end() }
    }

    /// Gives the reader an element.
    func send(_ element: Element) {
        progress.send()
        continuation.yield(element)
    }

    /// There is no further element.
    func finish() { continuation.finish() }

    /// Sets what is done when nobody reads any more.
    func onEnd(_ body: @escaping @Sendable () -> Void) {
        continuation.onTermination = { [progress] _ in
            progress.end()
            body()
        }
    }
}

/// How far a reader of one of StoreKit's sequences has got.
final class ReadingProgress: Sendable {
    private let counts = Locked((sent: 0, asked: 0, isOver: false))

    /// Whether nobody reads any more.
    var isOver: Bool { counts.withLock { $0.isOver } }

    /// Whether the reader has dealt with all elements, and waits for the next.
    var isWaiting: Bool { counts.withLock { $0.isOver || $0.asked > $0.sent } }

    /// An element was sent.
    func send() { counts.withLock { $0.sent += 1 } }

    /// The reader asks for an element, and has dealt with all before it.
    func ask() { counts.withLock { $0.asked += 1 } }

    /// The reader was told that there is no further element, or is gone.
    func end() { counts.withLock { $0.isOver = true } }
}

/// Reads a feed from its making on, for the iterators of StoreKit's sequences.
struct Listener<Element: Sendable> {
    private var iterator: AsyncStream<Element>.AsyncIterator
    private let progress: ReadingProgress

    /// - Parameter join: Gives the link the feed, in the order of all commands.
    init(_ join: @escaping @MainActor @Sendable (StoreLink, Feed<Element>) -> Void) {
        let (stream, continuation) = AsyncStream.makeStream(of: Element.self)
        let feed = Feed(continuation)
        iterator = stream.makeAsyncIterator()
        progress = feed.progress
        StoreLink.shared.post { link in
            link.follow(feed.progress)
            join(link, feed)
        }
    }

    mutating func next() async -> Element? {
        progress.ask()
        let element = await iterator.next()
        if element == nil { progress.end() }
        return element
    }
}
