/// Who tells whether a purchase is genuine, for a whole manager.
///
/// A request's own verify handler or delegate goes before it.
public protocol TransactionVerifier: Sendable {
    /// Looks at a purchased or restored transaction. Called on no particular thread, once a round for each transaction; an
    /// answer that takes longer than the manager's `verificationTimeout` counts as could-not-tell for the time being.
    func verify(_ transaction: StoreTransaction) async -> VerificationVerdict
}

/// What a verifier found.
public enum VerificationVerdict: Sendable {
    /// The purchase is genuine: write it down, deliver it, finish it.
    case valid
    /// The purchase is not genuine, for the reason given: finish it and deliver nothing.
    case invalid(reason: String)
    /// Nobody can tell now, because of the error: leave it unfinished and ask again.
    case unableToComplete(any Error)

    /// Whether it stands: nobody is asked about the transaction again.
    var isFinal: Bool { if case .unableToComplete = self { false } else { true } }
}
