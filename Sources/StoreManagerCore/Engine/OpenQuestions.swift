/// The transactions of which somebody was asked whether they are genuine. Any thread may answer.
final class OpenQuestions: Sendable {
    /// One asking: the same transaction may be asked about again.
    struct Asking: Hashable, Sendable {
        var id: StoreTransaction.ID
        var number: Int
    }

    private enum Question: Hashable, Sendable {
        /// Any answer counts. The number tells one asking from the next.
        case open(Int)
        /// It was given up; only a yes still counts.
        case lapsed
    }

    private struct State: Sendable {
        var questions: [StoreTransaction.ID: Question] = [:]
        var lastNumber = 0
    }

    private let state = Locked(State())

    /// Opens a question, before whoever is to answer hears of it.
    func open(_ id: StoreTransaction.ID) -> Asking {
        state.withLock { state in
            state.lastNumber += 1
            state.questions[id] = .open(state.lastNumber)
            return Asking(id: id, number: state.lastNumber)
        }
    }

    /// Gives a question up, without forgetting it. False: it was not open any more.
    func lapse(_ asking: Asking) -> Bool {
        state.withLock { state in
            guard state.questions[asking.id] == .open(asking.number) else { return false }
            state.questions[asking.id] = .lapsed
            return true
        }
    }

    /// Forgets a question; no answer counts any more.
    func close(_ id: StoreTransaction.ID) { state.withLock { $0.questions[id] = nil } }

    /// The asking that is open for a transaction; one that only a yes answers, where it was given up.
    func asking(about id: StoreTransaction.ID) -> Asking {
        let question = state.withLock { $0.questions[id] }
        return if case .open(let number) = question { Asking(id: id, number: number) } else {
            Asking(id: id, number: 0)
        }
    }

    /// Takes the answer; false if it does not count. At most one answer counts.
    ///
    /// - Parameter asking: The asking that it answers, where that is known: of another than the open one only a yes counts.
    func answer(_ id: StoreTransaction.ID, _ verdict: VerificationVerdict, to asking: Asking? = nil) -> Bool {
        state.withLock { state in
            let counts =
                switch (state.questions[id], verdict) {
                case (.open, .valid), (.lapsed, .valid): true
                case (.open(let number), _): asking.map { $0.number == number } ?? true
                default: false
                }
            if counts { state.questions[id] = nil }
            return counts
        }
    }
}
