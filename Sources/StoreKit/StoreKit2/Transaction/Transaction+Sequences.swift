import StoreManagerCore

extension Transaction {
    /// Every transaction that comes unasked, for ever; at the beginning those that are not finished.
    public static var updates: Transactions { Transactions(.updates) }
    /// What is not finished now.
    public static var unfinished: Transactions { Transactions(.unfinished) }
    /// All transactions; of consumables only those that are not finished.
    public static var all: Transactions { Transactions(.all(productID: nil)) }
    /// What entitles the user to something now.
    public static var currentEntitlements: Transactions { Transactions(.currentEntitlements(productID: nil)) }

    /// All transactions of a product.
    public static func all(for productID: String) -> Transactions { Transactions(.all(productID: productID)) }

    /// What entitles the user to a product now.
    public static func currentEntitlements(for productID: String) -> Transactions {
        Transactions(.currentEntitlements(productID: productID))
    }

    /// The newest transaction of a product; nil where there is none.
    public static func latest(for productID: String) async -> VerificationResult<Transaction>? {
        await StoreLink.shared.transactions(.all(productID: productID)).last
    }

    /// What entitles the user to a product now; nil where nothing does.
    public static func currentEntitlement(for productID: String) async -> VerificationResult<Transaction>? {
        await StoreLink.shared.transactions(.currentEntitlements(productID: productID)).last
    }

    /// Transactions, read when they are iterated.
    public struct Transactions: AsyncSequence, Sendable {
        /// A transaction, and what became of its signature.
        public typealias Element = VerificationResult<Transaction>

        enum Selection: Sendable {
            case updates
            case unfinished
            case all(productID: String?)
            case currentEntitlements(productID: String?)
        }

        private let selection: Selection

        init(_ selection: Selection) { self.selection = selection }

        /// Begins to read.
        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(selection) }

        /// Reads.
        public struct AsyncIterator: AsyncIteratorProtocol {
            /// A transaction, and what became of its signature.
            public typealias Element = VerificationResult<Transaction>
            private var listener: Listener<Element>

            init(_ selection: Selection) {
                listener = Listener { $0.begin(selection, in: $1) }
            }

            /// The next one; nil after the last, and when the task was cancelled.
            public mutating func next() async -> VerificationResult<Transaction>? { await listener.next() }
        }
    }
}

/// An iterator belongs to one task.
@available(*, unavailable)
extension Transaction.Transactions.AsyncIterator: Sendable {}
