/// What the store lists as the user's entitlements, until all of it is decided. A value without I/O.
struct EntitlementReading {
    /// What is known of one that is listed.
    enum Standing {
        /// Nobody could tell, or nobody was asked yet.
        case undecided
        /// Somebody is being asked.
        case asked
        /// To be written down.
        case genuine
        /// Written down.
        case recorded
        /// Not genuine, or not any more.
        case refused
    }

    private let listed: [StoreTransaction]
    private var standings: [StoreTransaction.ID: Standing]
    /// How many are being asked about.
    private var askedCount = 0
    /// Who awaits the end of the first round.
    private(set) var reply: Reply<[StoreTransaction]>?
    /// How many rounds there were.
    var rounds = 0
    /// Ends the wait for verdicts, or begins the next round.
    var timer: TimerTable.Timer?

    /// Of transactions that the store lists twice the first one counts.
    init(_ transactions: [StoreTransaction], reply: Reply<[StoreTransaction]>?) {
        var standings: [StoreTransaction.ID: Standing] = [:]
        listed = transactions.filter { standings.updateValue(.undecided, forKey: $0.id) == nil }
        self.standings = standings
        self.reply = reply
    }

    /// Whether somebody is being asked.
    var isWaiting: Bool { askedCount > 0 }

    /// Those of a standing, in the order of the list.
    func transactions(_ isWanted: (Standing) -> Bool) -> [StoreTransaction] {
        listed.filter { standings[$0.id].map(isWanted) ?? false }
    }

    /// Something is known of one now.
    mutating func set(_ standing: Standing, of id: StoreTransaction.ID) {
        guard let former = standings.updateValue(standing, forKey: id) else {
            standings[id] = nil
            return
        }
        if former == .asked { askedCount -= 1 }
        if standing == .asked { askedCount += 1 }
    }

    /// A verdict on one. False: it tells nothing, since another stands.
    mutating func receive(_ verdict: VerificationVerdict, on id: StoreTransaction.ID) -> Bool {
        guard let standing = standings[id], standing == .asked || standing == .undecided else { return false }
        switch verdict {
        case .valid: set(.genuine, of: id)
        case .invalid: set(.refused, of: id)
        case .unableToComplete: set(.undecided, of: id)
        }
        return standing == .asked || verdict.isFinal
    }

    /// Whoever awaits the first round has the answer now.
    mutating func takeReply() -> Reply<[StoreTransaction]>? {
        defer { reply = nil }
        return reply
    }
}
