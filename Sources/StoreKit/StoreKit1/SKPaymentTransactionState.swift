/// Where a transaction stands. Later systems may know more.
public enum SKPaymentTransactionState: Int, Sendable {
    /// The store is at work on it.
    case purchasing = 0
    /// Paid.
    case purchased = 1
    /// Not paid.
    case failed = 2
    /// Paid earlier, and owned.
    case restored = 3
    /// Waiting for somebody's approval.
    case deferred = 4
}
