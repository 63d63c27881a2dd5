import Foundation
import StoreManagerCore
import StoreSimulator

/// An app's life over a simulated store, step by step, with a model of what must and must not happen beside it.
///
/// One scenario gives one life: nothing else decides anything. What was wrong is in ``faults``.
@MainActor
final class Life {
    let setup: Setup
    let disk = Disk()
    var store: SimulatedStore
    private(set) var process: AppProcess!
    private(set) var processCount = 0

    /// What became of each transaction.
    var fates: [StoreTransaction.ID: TransactionFate] = [:]
    /// How many coins the app used up.
    var consumed = 0
    /// What somebody took from the queue before the app had it.
    var removed: Set<StoreTransaction.ID> = []
    /// The processes that were not told everything.
    private(set) var lossyProcesses: Set<Int> = []
    private(set) var faults: [Fault] = []

    /// What happened, line by line; kept only where somebody wants to read it.
    private(set) var story: [String] = []
    private let tellsStory: Bool
    private var lastNumber = 0
    private var readLogLines = 0

    /// Something that must not be: the contract's line, and what happened.
    struct Fault: Hashable, Sendable, CustomStringConvertible {
        var rule: String
        var what: String
        var description: String { "\(rule): \(what)" }
    }

    init(seed: UInt32, tellsStory: Bool = false) {
        setup = Setup(seed: seed)
        self.tellsStory = tellsStory
        store = SimulatedStore(configuration: Setup.configuration, seed: setup.storeSeed)
        store.habits = setup.habits
        tell("# \(setup.line)")
        launch()
    }

    /// Lives a scenario, and looks after each step. Ends with the first step that is at fault.
    static func live(_ scenario: Scenario, tellsStory: Bool = false) async -> Life {
        let life = Life(seed: scenario.seed, tellsStory: tellsStory)
        for step in scenario.steps {
            life.tell("\(step)")
            await life.perform(step)
            life.look()
            if !life.faults.isEmpty { return life }
        }
        await life.end()
        return life
    }

    // MARK: The record

    func tell(_ line: @autoclosure () -> String) { if tellsStory { story.append(line()) } }

    /// Notes that something was wrong; `what` begins with the contract's line.
    func fault(_ what: String) {
        let words = what.split(separator: " ", maxSplits: 1)
        faults.append(Fault(rule: String(words.first ?? ""), what: String(words.last ?? "")))
        tell("  ✗ \(what)")
    }

    func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    // MARK: Processes

    /// A process begins, over what is on the disk and in the store.
    func launch() {
        processCount += 1
        process = AppProcess(number: processCount, in: self)
    }

    /// The process ends, as if it was killed, and another begins.
    func relaunch() {
        look()
        process.die()
        store.relaunch()
        launch()
    }

    /// The machine loses its power: the store goes on from its file.
    func loseAndRegainPower() throws {
        look()
        process.die()
        let file = FileManager.default.temporaryDirectory.appending(
            path: "soak-\(ProcessInfo.processInfo.processIdentifier)")
        defer { try? FileManager.default.removeItem(at: file) }
        try store.save(to: file)
        store = try SimulatedStore(resuming: file)
        readLogLines = store.log.count
        launch()
    }

    /// Returns when nothing happens any more as long as the clock stands.
    func settle() async {
        var before: Int
        repeat {
            before = store.log.count
            await store.settle()
            await process.manager.settle()
        } while store.log.count != before
    }

    // MARK: After each step

    /// Looks whether all is as it must be.
    func look() {
        readLog()
        checkCounts()
    }

    /// Reads what the store wrote since the last time.
    private func readLog() {
        let log = store.log
        guard readLogLines < log.count else { return }
        for index in readLogLines..<log.count { read(log[index]) }
        readLogLines = log.count
    }

    private func read(_ entry: StoreLogEntry) {
        tell("    store: \(entry)")
        switch entry.event {
        case .lost:
            process.noteLoss(of: entry["token"])
            lossyProcesses.insert(processCount)
        case .finish:
            if let id = entry["transaction"] { finished(id) }
        case .failed, .interrupted:
            if let id = entry["transaction"] { fates[id, default: TransactionFate()].hasFailed = true }
        case .paid, .renewed:
            guard let id = entry["transaction"] else { return }
            fates[id, default: TransactionFate()].hasFailed = false
            fates[id]?.product = entry["product"]
        case .refunded, .refundReversed:
            if let id = entry["transaction"] {
                fates[id, default: TransactionFate()].change(isRevoked: entry.event == .refunded, at: entry.date)
            }
        case .removed:
            if let id = entry["transaction"] { removed.insert(id) }
        default: break
        }
    }

    private func finished(_ id: StoreTransaction.ID) {
        fates[id, default: TransactionFate()].finish(
            in: processCount, isOffline: store.faults[.finish].isOffline)
        if process.isAwaiting(fates[id]?.product) { fates[id]?.wasAwaited = true }
        guard let fate = fates[id] else { return }
        if !fate.hasBeenHandedOver, !fate.wasAwaited, !fate.hasBeenRefused, !fate.hasFailed,
            !fate.isReplaced
        {
            fault("S01 transaction \(id) was finished before it was handed over")
        }
        // An app that finishes by hand does so whenever it hears of a transaction.
        if setup.finishing == .automatic, fate.finishes > max(1, fate.reports) {
            fault("S05 transaction \(id) was finished \(fate.finishes) times, and reported \(fate.reports) times")
        }
    }

    /// Notes that the ledger knows that another plan took its place, where the store does not say so: the manager takes the
    /// store's word for an old copy then, and waits for a newer one, which may never come.
    func noteIfLeftAlone(_ transaction: StoreTransaction) {
        guard setup.keepsLedger, transaction.productType == .autoRenewable, disk.ledger.isSuperseded(transaction),
            disk.ledger.transactions(for: transaction.productIdentifier).contains(where: {
                $0.id == transaction.originalID && $0.isUpgraded
            })
        else { return }
        fates[transaction.id, default: TransactionFate()].isLeftAlone = true
    }

    private func checkCounts() {
        guard setup.keepsLedger else { return }
        for product in Setup.products where disk.ledger.count(of: product.id) < 0 {
            fault("S06 there are \(disk.ledger.count(of: product.id)) \(product.id)")
        }
    }
}
