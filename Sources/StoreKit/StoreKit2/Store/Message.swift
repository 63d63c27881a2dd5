/// A message of the store to the person, for the app to choose the time of. Showing it takes a scene, so that it is not here.
public struct Message: Equatable, Hashable, Sendable {
    /// What it is about.
    public let reason: Reason

    /// Each message, and at the beginning those that nobody took.
    public static var messages: Messages { Messages() }

    /// What a message is about. The set is open: any raw value is one.
    public struct Reason: RawRepresentable, Equatable, Hashable, Sendable {
        /// The store's number.
        public let rawValue: Int
        /// Keeps the store's number.
        public init(rawValue: Int) { self.rawValue = rawValue }
        /// Anything.
        public static let generic = Reason(rawValue: 0)
        /// A higher price needs consent.
        public static let priceIncreaseConsent = Reason(rawValue: 1)
        /// A renewal could not be charged.
        public static let billingIssue = Reason(rawValue: 2)
        /// There is a win-back offer.
        public static let winBackOffer = Reason(rawValue: 3)
    }

    /// Messages, as they come.
    public struct Messages: AsyncSequence, Sendable {
        /// A message.
        public typealias Element = Message

        /// Begins to listen.
        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator() }

        /// Listens.
        public struct AsyncIterator: AsyncIteratorProtocol {
            /// A message.
            public typealias Element = Message
            private var listener = Listener<Message> { $0.messages.add($1) }

            /// The next message; nil when the task was cancelled.
            public mutating func next() async -> Message? { await listener.next() }
        }
    }
}

/// An iterator belongs to one task.
@available(*, unavailable)
extension Message.Messages.AsyncIterator: Sendable {}
