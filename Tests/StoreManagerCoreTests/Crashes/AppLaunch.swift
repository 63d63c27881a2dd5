import Foundation
import StoreSimulator
import TestSupport
import Testing

@testable import StoreManagerCore

/// How an app uses its manager.
struct AppSetup: Hashable, CustomTestStringConvertible {
    enum Verification: CaseIterable {
        case none, verifier, handlers
    }

    var verification = Verification.none
    var downloads = false
    var keepsLedger = false
    var finishing = StoreManager.FinishingPolicy.automatic
    var tokenCarriage = StoreBackendCapabilities.TokenCarriage.always

    var testDescription: String {
        "verification \(verification), downloader \(downloads), ledger \(keepsLedger), finishing \(finishing), tokens "
            + tokenCarriage.rawValue
    }
}

/// One process of an app, over what an earlier one left behind.
@MainActor
final class AppLaunch {
    let store: SimulatedStore
    let manager: StoreManager
    let watch: DiskWatch
    let startDate: Date
    /// The effects that were done, by name.
    private(set) var effects: Set<String> = []

    private let setup: AppSetup
    private let scenario: CrashScenario
    private let backend: WatchedStore
    private let folder: TemporaryFolder
    private let ledgerURL: URL
    /// How often each transaction was asked about, and its content asked for.
    private let attempts = Locked<[String: Int]>([:])

    /// - Parameter isWatched: whether what it would leave behind is kept, moment by moment.
    init(_ scenario: CrashScenario, _ setup: AppSetup, after disk: Disk, isWatched: Bool = true) throws {
        self.scenario = scenario
        self.setup = setup
        folder = try TemporaryFolder(inMemory: true)
        ledgerURL = folder.url.appending(path: "ledger")
        try disk.ledger?.write(to: ledgerURL)
        let storeURL = folder.url.appending(path: "store")
        try SimulatedStore(replaying: disk.store).save(to: storeURL)
        store = try SimulatedStore(resuming: storeURL)
        store.clock.advance(by: 1)
        startDate = store.clock.now
        watch = DiskWatch(store: store, ledgerURL: ledgerURL, after: disk, isKeeping: isWatched)
        backend = WatchedStore(store, watch: watch)
        manager = StoreManager(backend: backend, clock: store.clock, finishing: setup.finishing)
        setUp()
    }

    private func setUp() {
        let attempts = attempts
        if setup.keepsLedger {
            manager.persistence = WatchedPersistence(ledger: FilePersistence(url: ledgerURL), watch: watch)
        }
        if setup.verification == .verifier {
            manager.verifier = WatchedVerifier(
                verdict: { [scenario] in scenario.verdict(attempts.next("verdict \($0.id)")) }, watch: watch)
        }
        if setup.downloads {
            manager.contentDownloader = WatchedDownloader(
                isFailing: { [scenario] in attempts.next("download \($0.id)") <= scenario.failingDownloads },
                watch: watch)
        }
        manager.effectProbe = { [weak self] effect, moment in
            self?.effects.insert(String(effect.name.prefix { $0 != " " }))
            self?.watch.look("\(moment) the effect \(effect.name)")
        }
        if scenario.receivesAtOnce { manager.defaultHandlers = handlers }
    }

    /// The ledger as it is on the disk; nil where the app keeps none.
    func ledger() async throws -> Ledger? {
        setup.keepsLedger ? try await FilePersistence(url: ledgerURL).withLedger { $0 } : nil
    }

    /// Lets the process live its life: whatever of the scenario's steps is not done yet, and then some time.
    func run() async throws {
        await settle()
        for step in scenario.steps where !step.isDone(self) {
            try step.perform(self)
            await settle()
        }
        for _ in 1...3 where !manager.transactions.entries.isEmpty {
            manager.retryPendingVerifications()
            await settle()
            store.clock.advance(by: 20)
            await settle()
        }
    }

    /// Returns when nothing happens any more as long as the clock stands.
    private func settle() async {
        var before = 0
        repeat {
            before = watch.momentCount
            await store.settle()
            await manager.settle()
        } while watch.momentCount != before
    }

    // MARK: What the app does with what it is handed

    /// The handlers of its purchases, and the default ones.
    var handlers: PurchaseHandlers {
        var handlers = PurchaseHandlers(
            onSuccess: { [weak self] in self?.receive($0) },
            onFailure: { [weak self] in self?.receive($1, about: $0) },
            onCancel: { [weak self] in self?.watch.receive(.cancelled) },
            onDefer: { [weak self] in self?.watch.receive(.deferred) },
            onRevoke: { [weak self] in self?.receive($0) })
        if setup.verification == .handlers { handlers.onVerify = { [weak self] in self?.verify($0) } }
        return handlers
    }

    /// The handlers of its restores.
    var restoreHandlers: RestoreHandlers {
        var handlers = RestoreHandlers(onSuccess: { [weak self] result in
            for transaction in result.restored { self?.receive(transaction) }
        })
        if setup.verification == .handlers {
            handlers.onVerify = { [weak self] transactions in
                for transaction in transactions { self?.verify(transaction) }
            }
        }
        return handlers
    }

    private func receive(_ transaction: StoreTransaction) {
        if transaction.state == .scheduled { return watch.receive(.scheduled, transaction) }
        watch.receive(transaction.revocationDate == nil ? .granted : .revoked, transaction)
        if setup.finishing == .manual { try? manager.finish(transaction) }
    }

    private func receive(_ error: StoreError, about transaction: StoreTransaction?) {
        watch.receive(.failed, transaction)
        if case .verificationFailed = error, setup.finishing == .manual, let transaction {
            try? manager.finish(transaction)
        }
    }

    private func verify(_ transaction: StoreTransaction) {
        watch.look("in a verify handler")
        manager.transaction(transaction, didVerify: scenario.verdict(attempts.next("verdict \(transaction.id)")))
    }
}

extension Locked<[String: Int]> {
    /// Which time this is, from 1 on.
    fileprivate func next(_ name: String) -> Int {
        withLock { counts in
            counts[name, default: 0] += 1
            return counts[name, default: 0]
        }
    }
}
