import Foundation
import StoreManagerCore
import TestSupport

/// A transaction of a random schedule: what the store says of it, and what must and must not become of it.
@MainActor
final class ScheduledTransaction {
    /// How it was handed over.
    enum Delivery: Equatable {
        /// By itself, to its request or the default receiver.
        case single
        /// As restored, to a purchase or, where a restore has nobody to tell, to the default receiver.
        case restored
        /// As part of what a restore brought.
        case listed
        case revoked
    }

    /// The store's present word; every word has a date of its own, which names it.
    private(set) var word: StoreTransaction
    /// The former words, oldest first.
    private(set) var formerWords: [StoreTransaction] = []
    let request: ScheduledRequest?
    /// Somebody was there to be asked about it, so that it needs a yes.
    var needsVerdict = false
    var isRemoved = false
    /// And the manager has had the time to hear of it.
    var isKnownToBeRemoved = false
    var finishes = 0
    /// The word that somebody was asked about last, and whether an answer may still count.
    private(set) var askedWord: Date?
    private var verdicts: [Date: VerificationVerdict] = [:]
    private var listings: [Date: Int] = [:]
    private(set) var deliveries: [(word: Date, kind: Delivery)] = []

    init(_ word: StoreTransaction, for request: ScheduledRequest?) {
        self.word = word
        self.request = request
    }

    var id: StoreTransaction.ID { word.id }
    var isFailed: Bool { word.state == .failed }
    var isRevoked: Bool { word.revocationDate != nil }

    // MARK: What happens

    /// The store takes it back, or gives it again.
    func turn(at date: Date) {
        formerWords.append(word)
        word.revocationDate = isRevoked ? nil : date
        word.signedDate = date
    }

    /// A restore lists it.
    func list() { if let date = word.signedDate { listings[date, default: 0] += 1 } }

    /// Somebody is asked.
    func ask(about transaction: StoreTransaction) { askedWord = transaction.signedDate }

    /// An answer counted.
    func answer(_ verdict: VerificationVerdict) {
        guard let askedWord else { return }
        if verdict.isRefusal, !deliveries.isEmpty { hasBeenRefusedAndAccepted = true }
        verdicts[askedWord] = verdict
    }

    /// Its request is gone, and with it whoever was to be asked, if nobody was.
    func forgetRequest() { if askedWord == nil { needsVerdict = false } }

    // MARK: What must not happen

    /// What is wrong with handing it over now; nil: nothing.
    func fault(in delivery: Delivery, of transaction: StoreTransaction) -> String? {
        guard let date = transaction.signedDate else { return "a word without its date" }
        defer { deliveries.append((date, delivery)) }
        let before = deliveries.filter { $0.word == date }.map(\.kind)
        switch delivery {
        case .revoked:
            return before.isEmpty ? nil : "revoked twice"
        case .single:
            if !before.isEmpty { return "delivered again" }
        case .restored:
            if before.count(where: { $0 == .restored }) >= max(1, listings[date] ?? 0) { return "restored again" }
        case .listed:
            break
        }
        if transaction.revocationDate != nil { return "delivered although it was taken back" }
        switch verdicts[date] {
        case .valid: return nil
        case .invalid: return "delivered although it was refused"
        case .unableToComplete, nil:
            // What was found genuine once stays so when a refund of it is reversed.
            let isGenuine = verdicts.values.contains { if case .valid = $0 { true } else { false } }
            return needsVerdict && !isGenuine ? "delivered without a yes" : nil
        }
    }

    /// What is wrong with finishing it now; nil: nothing.
    var faultInFinishing: String? {
        isFailed || isRefused || !deliveries.isEmpty ? nil : "finished before it was handed over"
    }

    // MARK: What must have happened in the end

    private var isRefused: Bool {
        verdicts.values.contains(where: \.isRefusal)
    }

    /// A restore had it verified again, with another result; then the ledger has what it had.
    private(set) var hasBeenRefusedAndAccepted = false

    private var isPresentWordRefused: Bool {
        word.signedDate.flatMap { verdicts[$0] }?.isRefusal == true
    }

    /// What is missing in the end; nil: nothing.
    var fault: String? {
        if isFailed { return isRemoved || finishes == 1 ? nil : "a failed one finished \(finishes) times" }
        if isPresentWordRefused {
            return isRemoved || finishes > 0 ? nil : "refused and not finished"
        }
        guard let last = deliveries.last else { return "lost" }
        if isRevoked {
            if last.kind != .revoked { return "its refund was not told" }
        } else if last.kind == .revoked {
            return "the reversal of its refund was not told"
        }
        return isRemoved || finishes > 0 ? nil : "delivered and not finished"
    }

    /// Whether a ledger has it, and what it has: standing, or marked as taken back; nil: there is no row.
    var expectedRow: Bool? {
        if isFailed || deliveries.isEmpty { return nil }
        return !isRevoked && !isPresentWordRefused
    }
}

extension VerificationVerdict {
    fileprivate var isRefusal: Bool { if case .invalid = self { true } else { false } }
}
