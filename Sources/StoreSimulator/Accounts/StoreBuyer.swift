/// What the person at the device answers when the store asks whether to buy.
public struct StoreBuyer: Hashable, Codable, Sendable {
    /// The answers to the next payments, the first one first; each is used once.
    public var nextAnswers: [Answer] = []
    /// The answer when ``nextAnswers`` is empty.
    public var standingAnswer = Answer.buy

    /// A buyer who always buys.
    public init() {}

    /// One answer.
    public enum Answer: Hashable, Codable, Sendable {
        /// Pays.
        case buy
        /// Says no.
        case cancel
        /// The payment fails, for the reason given.
        case decline(StoreAPIFailure)
        /// Asks somebody for approval (Ask to Buy).
        case ask
        /// Has to do something in the store first, such as agreeing to new terms.
        case interrupt
        /// The store ends the purchase with neither a transaction nor an error.
        case neither
        /// Leaves the sheet open; see ``SimulatedStore/answerOpenPayment(identifier:with:)``.
        case hesitate
    }

    /// The answer to a payment now.
    mutating func answer() -> Answer { nextAnswers.isEmpty ? standingAnswer : nextAnswers.removeFirst() }
}
