import Foundation
import StoreManagerCore

/// What became of a transaction, over all processes: who was asked about it, and who had it.
struct TransactionFate {
    /// How it was handed over.
    enum Delivery: String { case single, restored, listed, revoked }

    /// The process that this was last about.
    private var process = 0
    /// In that process: whether somebody was asked, what counted last, and in which state it was handed over by itself last.
    private(set) var wasAsked = false
    private(set) var verdict: Verdict?
    private var isVerifiersWord = false
    /// Whether nothing was handed over yet since the last yes.
    private var isYesUnused = false
    private var state: StoreTransaction.DeliveryState?

    /// Over all processes.
    private(set) var hasBeenRefused = false
    private(set) var hasBeenHandedOver = false
    private(set) var isToldAsRevoked = false
    /// Whether the store reported that it gave way to another plan, which is for good: it is written down and finished then, and
    /// for no receiver.
    private(set) var isReplaced = false
    /// Whether the manager left it unfinished, because the ledger knows of a plan that took its place.
    var isLeftAlone = false
    /// Whether somebody awaited it when it was finished: he has it a turn later, if the process lives so long.
    var wasAwaited = false
    /// When the store took it back, or gave it again, last, and when the newest word was signed that somebody was told.
    private var lastChange = Date.distantPast
    private var lastTold = Date.distantPast
    /// When it was given again, each time.
    private var reversals: [Date] = []
    /// When the newest word was signed that was reported, and whether an older one ever came after it.
    private var lastReported = Date.distantPast
    private(set) var wasOvertaken = false
    /// The process that finished it in a state that was no longer its last, if one did: the store has nothing to tell then to
    /// the next one.
    private(set) var processThatFinishedEarly: Int?
    /// Whether the store has yet to hear that it is finished.
    private var isFinishOnItsWay = false
    /// What it is of.
    var product: String?
    /// Whether its payment failed.
    var hasFailed = false
    /// How often the store reported it, and was told to finish it.
    private(set) var reports = 0
    private(set) var finishes = 0

    enum Verdict { case valid, invalid, undecided }

    mutating func ask(in process: Int) {
        enter(process)
        wasAsked = true
    }

    /// An answer counted.
    ///
    /// - Parameter isVerifiers: whether the manager's verifier gave it. It is asked about entitlements too, which decides nothing
    ///   about handing over.
    mutating func answer(_ verdict: VerificationVerdict, in process: Int, isVerifiers: Bool = false) {
        enter(process)
        isVerifiersWord = isVerifiers
        switch verdict {
        case .valid:
            self.verdict = .valid
            isYesUnused = true
        case .invalid:
            hasBeenRefused = true
            // Before the manager heard of a late yes it may have asked again: the yes is what it goes by.
            let stands = self.verdict == .valid && (isVerifiers || isYesUnused)
            if !stands { self.verdict = .invalid }
        case .unableToComplete: if self.verdict != .valid { self.verdict = .undecided }
        }
    }

    /// It was handed over. Returns what is wrong with that; nil: nothing.
    mutating func deliver(_ delivery: Delivery, of transaction: StoreTransaction, in process: Int) -> String? {
        enter(process)
        // What was bought again and is owned is not asked about again, nor is what is listed again and was genuine before; the
        // verifier's word was about entitlements then.
        let isKnown = hasBeenHandedOver && (delivery == .restored || delivery == .listed && isVerifiersWord)
        hasBeenHandedOver = true
        isYesUnused = false
        // A reversed refund counts again, also where nobody had been told of the refund.
        let signedDate = transaction.signedDate ?? .distantPast
        let isReversal = reversals.contains { lastTold < $0 && $0 <= signedDate }
        // Who awaits hears a turn later, when a newer word may have been told.
        let isStale = signedDate < lastTold
        lastTold = max(lastTold, signedDate)
        if delivery == .revoked {
            isToldAsRevoked = true
            if transaction.revocationDate == nil { return "U04 told as revoked, and is not" }
            defer { state = transaction.deliveryState }
            return state == transaction.deliveryState ? "U04 told as revoked twice" : nil
        }
        if !isStale { isToldAsRevoked = false }
        if transaction.revocationDate != nil { return "U04 handed over although it was taken back" }
        if transaction.isUpgraded { return "T01 handed over although another plan took its place" }
        if delivery == .single {
            defer { state = transaction.deliveryState }
            if state == transaction.deliveryState, !isReversal { return "P13 handed over twice" }
        }
        if isKnown { return nil }
        switch verdict {
        case .valid: return nil
        case .invalid: return "V03 handed over although it was refused"
        case .undecided: return "V04 handed over although nobody could tell"
        case nil: return wasAsked ? "V01 handed over before anybody answered" : nil
        }
    }

    // MARK: What the store does

    /// The store took it back, or gave it again.
    mutating func change(isRevoked: Bool, at date: Date) {
        lastChange = date
        if !isRevoked { reversals.append(date) }
        if isFinishOnItsWay { processThatFinishedEarly = process }
    }

    /// The store reported it.
    mutating func report(_ transaction: StoreTransaction) {
        reports += 1
        if transaction.isUpgraded { isReplaced = true }
        let date = transaction.signedDate ?? .distantPast
        if date < lastReported { wasOvertaken = true }
        lastReported = max(lastReported, date)
    }

    /// The app asked for it to be finished, which the store hears at once or, while it cannot be reached, later.
    mutating func finish(in process: Int, isOffline: Bool) {
        finishes += 1
        isFinishOnItsWay = isOffline
        if lastTold < lastChange { processThatFinishedEarly = process }
    }

    /// Another process knows nothing of what the one before was told.
    private mutating func enter(_ process: Int) {
        guard process != self.process else { return }
        self.process = process
        wasAsked = false
        verdict = nil
        isYesUnused = false
        state = nil
    }
}
