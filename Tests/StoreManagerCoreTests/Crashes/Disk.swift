import Foundation
import StoreManagerCore
import StoreSimulator

/// What a process leaves behind, in whatever instant it ends: the store, the ledger's file, and what the app had been handed
/// by then.
struct Disk {
    var store: StoreRecording
    var ledger: Data?
    var deliveries: [Delivery] = []
    /// How many processes there were so far.
    var launches = 0
    /// The store's transactions and its date, which is all that the next process finds there: what was asked and told is
    /// forgotten.
    var transactions: [SimulatedTransaction] = []
    var date = VirtualClock.defaultStart
    /// When it was left behind.
    var moment = "before the first launch"

    /// Whether the next process finds exactly what it would find here. To be asked about two moments of one process.
    func isSame(as other: Disk) -> Bool {
        deliveries.count == other.deliveries.count && ledger == other.ledger && date == other.date
            && transactions == other.transactions
    }
}

/// A word that the app was handed.
struct Delivery: Hashable, CustomStringConvertible {
    enum Word: Hashable {
        case granted, scheduled, revoked, failed, cancelled, deferred
    }

    var word: Word
    var transaction: StoreTransaction?
    /// The process that was handed it, from 1 on.
    var launch: Int

    var description: String { "\(word) \(transaction?.id ?? "-") in launch \(launch)" }
}

/// Looks at every moment of a process what would be left behind if it ended then.
@MainActor
final class DiskWatch {
    /// All that would be left behind, one after the other, without repetitions.
    private(set) var disks: [Disk] = []
    /// How many moments there were.
    private(set) var momentCount = 0
    private(set) var deliveries: [Delivery]
    private let store: SimulatedStore
    private let ledgerURL: URL
    private let launch: Int
    private let isKeeping: Bool

    /// - Parameter isKeeping: whether anybody wants to know the disks.
    init(store: SimulatedStore, ledgerURL: URL, after disk: Disk, isKeeping: Bool) {
        self.store = store
        self.ledgerURL = ledgerURL
        self.isKeeping = isKeeping
        deliveries = disk.deliveries
        launch = disk.launches + 1
    }

    /// A moment has come.
    func look(_ moment: String) {
        momentCount += 1
        guard isKeeping else { return }
        let disk = Disk(
            store: store.recording, ledger: try? Data(contentsOf: ledgerURL), deliveries: deliveries, launches: launch,
            transactions: store.allTransactions, date: store.clock.now,
            moment: "launch \(launch), moment \(momentCount), \(moment)")
        if disks.last?.isSame(as: disk) != true { disks.append(disk) }
    }

    /// The app is handed a word.
    func receive(_ word: Delivery.Word, _ transaction: StoreTransaction? = nil) {
        deliveries.append(Delivery(word: word, transaction: transaction, launch: launch))
        look("in a handler: \(word)")
    }
}
