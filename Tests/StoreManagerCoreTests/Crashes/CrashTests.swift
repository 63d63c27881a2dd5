import StoreSimulator
import Testing

@testable import StoreManagerCore

/// The proof that nothing that was paid for is lost: a process may end at any moment, and the next one goes on with what is
/// on the disk.
@MainActor
@Suite("A process that ends at any moment")
struct CrashTests {
    @Test(
        "S03 whatever a purchase goes through, whenever the process ends: it is delivered, counted once, finished once",
        arguments: CrashScenario.all, AppSetup.all)
    func everyMoment(scenario: CrashScenario, setup: AppSetup) async throws {
        let start = try Disk.new(for: scenario, setup)
        try await prove(scenario, setup, since: start, after: start, ends: 1)
    }

    @Test("S03 the same if the next process ends too, at any moment", arguments: CrashScenario.all)
    func everyTwoMoments(scenario: CrashScenario) async throws {
        let start = try Disk.new(for: scenario, .fullest)
        try await prove(scenario, .fullest, since: start, after: start, ends: 2)
    }

    @Test("S03 the scenarios go through every effect that there is")
    func everyEffect() async throws {
        var effects: Set<String> = []
        for scenario in CrashScenario.all {
            let launch = try AppLaunch(scenario, .fullest, after: Disk.new(for: scenario, .fullest), isWatched: false)
            try await launch.run()
            effects.formUnion(launch.effects)
        }
        #expect(
            effects == [
                "announceDeferral", "lookUp", "verify", "persist", "download", "cancelDownload", "settle", "deliver",
                "finish", "recordFinish", "scheduleRetry", "reportWaiting", "publish", "end",
            ])
    }

    /// A process goes on after another, and so do the next ones after whatever it leaves behind at any of its moments.
    ///
    /// - Parameter ends: how many processes more come to an early end.
    private func prove(
        _ scenario: CrashScenario, _ setup: AppSetup, since start: Disk, after disk: Disk, ends: Int
    ) async throws {
        let launch = try AppLaunch(scenario, setup, after: disk, isWatched: ends > 0)
        try await launch.run()
        try await check(launch, scenario, setup, since: start, disk.moment)
        for disk in launch.watch.disks {
            try await prove(scenario, setup, since: start, after: disk, ends: ends - 1)
        }
    }

    /// What must hold when everything has been done.
    private func check(
        _ launch: AppLaunch, _ scenario: CrashScenario, _ setup: AppSetup, since start: Disk, _ end: String
    ) async throws {
        var comment: Comment { "the process before ended: \(end)\n\(launch.watch.deliveries)" }
        let earlier = Set(SimulatedStore(replaying: start.store).allTransactions.map(\.id))
        let isRefused = scenario.verdicts.contains(.invalid) && setup.verification != .none
        let paid = launch.store.allTransactions.map(\.transaction).filter { $0.state.isPaid }

        // Everything was done, and nothing is open.
        for (number, step) in scenario.steps.enumerated() {
            #expect(step.isDone(launch), "step \(number + 1)")
        }
        #expect(launch.store.openTransactions.isEmpty, comment)
        #expect(launch.store.pendingDeliveries.isEmpty, comment)
        #expect(launch.manager.transactions.entries.isEmpty, comment)
        #expect(launch.manager.purchases.isEmpty, comment)

        // Delivered, and to no process twice.
        for transaction in paid where !earlier.contains(transaction.id) {
            let words = launch.watch.deliveries.filter { $0.transaction?.id == transaction.id }
            let isGranted = words.contains { $0.word == .granted }
            #expect(scenario.isTakenBackAtOnce ? !words.isEmpty : isGranted != isRefused, comment)
            let isRevoked = words.last { $0.word == .revoked || $0.word == .granted }?.word == .revoked
            #expect(isRevoked == (transaction.revocationDate != nil), comment)
            #expect(zip(words, words.dropFirst()).allSatisfy { $0 != $1 }, comment)
            if setup.keepsLedger, scenario.keepsContext, transaction.reason == .purchase {
                #expect(
                    words.allSatisfy { $0.word != .granted || $0.transaction?.context == CrashScenario.context },
                    comment)
            }
        }

        // Finished once.
        #expect(scenario.finishesAgain || launch.store.idsFinishedTwice.isEmpty, comment)

        // Counted once.
        guard let ledger = try await launch.ledger() else { return }
        let kept = ledger.pendingPurchases.count { $0.startDate >= launch.startDate }
        #expect(kept <= (scenario.mayBeInterrupted ? 1 : 0), comment)
        for product in [StoreProduct.coins, .theme, .silver, .gold] {
            let genuine = isRefused ? [] : paid.filter { $0.productIdentifier == product.id }
            let standing = genuine.filter { $0.revocationDate == nil && !$0.isUpgraded }
            #expect(
                Set(ledger.transactions(for: product.id).map(\.id)) == Set(genuine.map(\.originalID)), comment)
            #expect(ledger.isPurchased(product.id) == !standing.isEmpty, comment)
            let quantity = standing.reduce(0) { $0 + $1.quantity }
            #expect(
                ledger.count(of: product.id) == (product.type == .consumable ? quantity : min(standing.count, 1)),
                comment)
        }
    }
}

extension AppSetup {
    /// With everything.
    static let fullest = AppSetup(verification: .verifier, downloads: true, keepsLedger: true)

    /// Every way to use a manager, and every kind of store with the fullest of them.
    static let all: [AppSetup] = {
        var setups = [AppSetup.Verification.none, .verifier].flatMap { verification in
            [false, true].flatMap { downloads in
                [false, true].map { keepsLedger in
                    AppSetup(verification: verification, downloads: downloads, keepsLedger: keepsLedger)
                }
            }
        }
        let changes: [(inout AppSetup) -> Void] = [
            { $0.verification = .handlers }, { $0.tokenCarriage = .unlessDeferred }, { $0.tokenCarriage = .never },
            { $0.finishing = .manual },
        ]
        for change in changes {
            setups.append(.fullest)
            change(&setups[setups.count - 1])
        }
        return setups
    }()
}

extension StoreTransactionState {
    fileprivate var isPaid: Bool { self == .purchased || self == .restored }
}

extension SimulatedStore {
    /// The transactions that the app has not finished: what was paid, and what failed where the app hears of it.
    fileprivate var openTransactions: [StoreTransaction] {
        let tellsFailed = controls.habits.tokenCarriage != .unlessDeferred
        return unfinishedTransactions
            + allTransactions.filter { $0.state == .failed && !$0.isFinished && tellsFailed }.map(\.transaction)
    }

    /// The transactions that were reported as dealt with though they were, in that state, before.
    fileprivate var idsFinishedTwice: [String] {
        var finished: Set<String> = []
        var twice: [String] = []
        for entry in log {
            guard let id = entry["transaction"] else { continue }
            switch entry.event {
            case .finish: if !finished.insert(id).inserted { twice.append(id) }
            case .refunded, .refundReversed, .upgraded, .paid: finished.remove(id)
            default: break
            }
        }
        return twice
    }
}
