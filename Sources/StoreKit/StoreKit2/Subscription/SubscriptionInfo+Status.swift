extension Product.SubscriptionInfo {
    /// How a subscription stands.
    public struct Status: Equatable, Hashable, Sendable {
        /// The state.
        public let state: RenewalState
        /// Its newest transaction.
        public let transaction: VerificationResult<Transaction>
        /// What the store says of the next renewal.
        public let renewalInfo: VerificationResult<RenewalInfo>

        /// Each change, from now on.
        public static var updates: Statuses { Statuses() }

        /// How all subscriptions of the user stand, group by group.
        public static var all: AsyncStream<(groupID: String, statuses: [Status])> {
            AsyncStream { continuation in
                Task {
                    let all = (try? await StoreLink.shared.statuses()) ?? []
                    var groups: [String] = []
                    for entry in all where !groups.contains(entry.groupID) { groups.append(entry.groupID) }
                    for group in groups {
                        continuation.yield((group, all.filter { $0.groupID == group }.map(\.status)))
                    }
                    continuation.finish()
                }
            }
        }

        /// Statuses, as they change.
        public struct Statuses: AsyncSequence, Sendable {
            /// A status.
            public typealias Element = Status

            /// Begins to listen.
            public func makeAsyncIterator() -> AsyncIterator { AsyncIterator() }

            /// Listens.
            public struct AsyncIterator: AsyncIteratorProtocol {
                /// A status.
                public typealias Element = Status
                private var listener = Listener<Status> { $0.statusUpdates.add($1) }

                /// The next change; nil when the task was cancelled.
                public mutating func next() async -> Status? { await listener.next() }
            }
        }
    }

    /// The states of a subscription. The set is open: any raw value is one.
    public struct RenewalState: RawRepresentable, Equatable, Hashable, Sendable {
        /// The store's number.
        public let rawValue: Int
        /// Keeps the store's number.
        public init(rawValue: Int) { self.rawValue = rawValue }
        /// Paid, and running.
        public static let subscribed = RenewalState(rawValue: 1)
        /// Over.
        public static let expired = RenewalState(rawValue: 2)
        /// A renewal could not be charged; no access.
        public static let inBillingRetryPeriod = RenewalState(rawValue: 3)
        /// A renewal could not be charged; access goes on.
        public static let inGracePeriod = RenewalState(rawValue: 4)
        /// Taken back by the store.
        public static let revoked = RenewalState(rawValue: 5)
    }
}

/// An iterator belongs to one task.
@available(*, unavailable)
extension Product.SubscriptionInfo.Status.Statuses.AsyncIterator: Sendable {}
