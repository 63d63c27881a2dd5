extension Transaction {
    /// What became of a request for a refund. Asking for one takes a scene or a window, so that it is not here.
    public enum RefundRequestStatus: Equatable, Hashable, Sendable {
        /// The request was received; that is not to say granted.
        case success
        /// The buyer thought better of it.
        case userCancelled
    }

    /// Why a refund could not be asked for.
    public enum RefundRequestError: Error, Equatable, Hashable, Sendable {
        /// A refund was asked for already.
        case duplicateRequest
        /// The request could not be sent.
        case failed
    }
}
