/// What the manager's verifier is being asked: each state of a transaction once a round, whoever wants to know. A value without
/// I/O.
struct VerifierTable {
    /// One asking, and for whom it is.
    struct Asking {
        var transaction: StoreTransaction
        /// The question of the transaction's own way that waits for the verdict.
        var question: OpenQuestions.Asking?
        /// A reading of the entitlements waits for the verdict.
        var isForEntitlements = false
    }

    private var askings: [Int: Asking] = [:]
    private var lastNumber = 0
    /// The asking that has not been given up, by transaction.
    private var current: [StoreTransaction.ID: Int] = [:]
    /// The final verdicts that a reading of the entitlements asked for: they stand for the transaction, should it come.
    private var verdicts: [StoreTransaction.DeliveryState: VerificationVerdict] = [:]

    /// The verdict on this state of the transaction that a reading of the entitlements brought.
    func verdict(on transaction: StoreTransaction) -> VerificationVerdict? {
        verdicts.isEmpty ? nil : verdicts[transaction.deliveryState]
    }

    /// Somebody wants to know. Returns the number of the asking; nil: the verifier is being asked already.
    mutating func ask(_ wanted: Asking) -> Int? {
        let id = wanted.transaction.id
        if let number = current[id], var asking = askings[number],
            asking.transaction.deliveryState == wanted.transaction.deliveryState
        {
            asking.question = wanted.question ?? asking.question
            asking.isForEntitlements = asking.isForEntitlements || wanted.isForEntitlements
            askings[number] = asking
            return nil
        }
        lastNumber += 1
        askings[lastNumber] = wanted
        current[id] = lastNumber
        return lastNumber
    }

    /// The verifier answered, perhaps too late. Returns who asked.
    mutating func answer(_ number: Int, _ verdict: VerificationVerdict) -> Asking? {
        guard let asking = askings.removeValue(forKey: number) else { return nil }
        if current[asking.transaction.id] == number { current[asking.transaction.id] = nil }
        if asking.isForEntitlements, verdict.isFinal { verdicts[asking.transaction.deliveryState] = verdict }
        return asking
    }

    /// Nobody waits for the answer any longer: whoever wants to know asks anew.
    mutating func giveUp(_ id: StoreTransaction.ID) { current[id] = nil }

    /// The verifier is another one.
    mutating func forgetVerdicts() { verdicts = [:] }
}
