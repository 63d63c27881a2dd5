import Foundation
import StoreManagerCore
import TestSupport
import Testing

/// A manager that is stopped before any effect, and started again over the same store and ledger.
@MainActor
struct CrashTests {
    /// What happens in the run that is stopped.
    enum Scenario: String, CaseIterable, Sendable {
        case purchase, delegate, unasked, subscription, restore, refund, refused, failed, downloaded, manual

        /// What the store has to say, and has to say again until it is finished.
        var transactions: [StoreTransaction] {
            switch self {
            case .purchase, .delegate, .unasked, .refused, .downloaded, .manual:
                [StoreTransaction.sample("1").with(\.quantity, 3)]
            case .subscription: [.sample("1", of: "pro", .autoRenewable)]
            case .restore: ["1", "2"].map { .sample($0, of: "p\($0)", .nonConsumable, state: .restored) }
            case .refund: [StoreTransaction.sample("1").with(\.revocationDate, .start + 1)]
            case .failed: [.sample("1", state: .failed)]
            }
        }

        /// What the ledger has in the end.
        var counts: [String: Int] {
            switch self {
            case .purchase, .delegate, .unasked, .downloaded, .manual: ["coins": 3]
            case .subscription: ["pro": 1]
            case .restore: ["p1": 1, "p2": 1]
            case .refund, .refused, .failed: ["coins": 0]
            }
        }
    }

    /// A store that outlives the runs of the app, and the ledger.
    private final class World {
        let scenario: Scenario
        let persistence = TestPersistence()
        let recorder = Recorder()
        let delegate: RecordingDelegate
        var finished: Set<StoreTransaction.ID> = []

        @MainActor init(_ scenario: Scenario) {
            self.scenario = scenario
            delegate = RecordingDelegate("d", recorder: recorder)
            delegate.onVerify = { manager, transactions in manager.verifyByDefault(transactions) }
        }

        var unfinished: [StoreTransaction] { scenario.transactions.filter { !finished.contains($0.id) } }
    }

    /// Launches the app.
    private func launch(_ world: World) -> ManagerFixture {
        let fixture = ManagerFixture(finishing: world.scenario == .manual ? .manual : .automatic)
        let (manager, recorder) = (fixture.manager, world.recorder)
        manager.persistence = world.persistence
        manager.verifier = TestVerifier { [scenario = world.scenario] _ in
            scenario == .refused ? .invalid(reason: "no") : .valid
        }
        if world.scenario == .downloaded { manager.contentDownloader = TestDownloader(recorder: recorder) }
        var handlers = recorder.purchaseHandlers("default")
        if world.scenario == .manual { handlers = finishing(handlers, by: manager) }
        manager.defaultHandlers = handlers
        fixture.backend.answer = { [weak world] command in
            if case .finish(let transaction) = command { world?.finished.insert(transaction.id) }
            return command.finishedAtOnce
        }
        return fixture
    }

    private func finishing(_ handlers: PurchaseHandlers, by manager: StoreManager) -> PurchaseHandlers {
        var handlers = handlers
        handlers.onSuccess = { [weak manager, old = handlers.onSuccess] transaction in
            old?(transaction)
            try? manager?.finish(transaction)
        }
        return handlers
    }

    /// The first run: does what the scenario says, and is stopped before the effect of this number. False: it was not.
    private func firstRun(_ world: World, stoppedBefore number: Int) async -> Bool {
        let fixture = launch(world)
        let manager = fixture.manager
        var effects = 0
        var isStopped = false
        manager.effectGate = { _ in
            effects += 1
            isStopped = effects == number
            return !isStopped
        }
        var token: RequestToken?
        switch world.scenario {
        case .purchase, .refused, .failed, .downloaded:
            token = manager.purchase(.sample(), handlers: world.recorder.purchaseHandlers("a"))
        case .manual:
            token = manager.purchase(.sample(), handlers: finishing(world.recorder.purchaseHandlers("a"), by: manager))
        case .delegate: token = manager.purchase(.sample(), delegate: world.delegate)
        case .subscription: token = manager.purchase(.sample("pro", .autoRenewable), onSuccess: nil)
        case .restore: token = manager.restorePurchases(handlers: world.recorder.restoreHandlers("a"))
        case .unasked, .refund: break
        }
        await fixture.report(
            .transactionsUpdated(world.scenario.transactions.map { StoreTransactionUpdate($0, token: token) }))
        if let token, token.kind == .restore { await fixture.report(.restoreFinished(for: token)) }
        await fixture.advance(by: 1)
        guard isStopped else { return false }
        // Nothing more is done, as if the process had ended.
        let (lines, finished) = (world.recorder.lines, world.finished)
        for transaction in world.scenario.transactions { manager.transaction(transaction, didVerify: true) }
        manager.retryPendingVerifications()
        await fixture.answer(nil, with: .sample("99"))
        await fixture.advance(by: 1_000)
        #expect(world.recorder.lines == lines && world.finished == finished)
        return true
    }

    /// A later run: the store tells again of what is not finished.
    private func relaunch(_ world: World) async {
        let fixture = launch(world)
        await fixture.report(.transactionsUpdated(world.unfinished.map { StoreTransactionUpdate($0) }))
    }

    private func count(_ counts: Set<String>, in world: World) async throws -> [String: Int] {
        try await world.persistence.withLedger { ledger in
            Dictionary(uniqueKeysWithValues: counts.map { ($0, ledger.count(of: $0)) })
        }
    }

    /// How often the transaction was handed over.
    private func deliveries(of id: StoreTransaction.ID, in world: World) -> Int {
        world.recorder.lines.count { line in
            ["success \(id)", "restore \(id)", "revoke \(id)"].contains { line.contains($0) }
                || (line.hasPrefix("a restored ") && line.prefix { $0 != "]" }.contains(id))
        }
    }

    @Test("S03 stopped before any effect, nothing paid for is lost, counted twice, or finished before it was handed over",
        arguments: Scenario.allCases)
    func everyEffect(scenario: Scenario) async throws {
        var number = 1
        while true {
            let world = World(scenario)
            let wasStopped = await firstRun(world, stoppedBefore: number)
            let isPaid = ![.refused, .failed].contains(scenario)
            if isPaid {
                // What is finished was handed over.
                for id in world.finished { #expect(deliveries(of: id, in: world) > 0, "stopped before \(number)") }
            }
            await relaunch(world)
            #expect(world.unfinished.isEmpty, "stopped before \(number)")
            #expect(try await count(Set(scenario.counts.keys), in: world) == scenario.counts, "stopped before \(number)")
            for transaction in scenario.transactions where isPaid {
                let times = deliveries(of: transaction.id, in: world)
                // Once, and again only where the stop came between the delivery and the finish.
                #expect(times == 1 || (times == 2 && wasStopped), "stopped before \(number)")
            }
            guard wasStopped else { break }
            number += 1
        }
        #expect(number > 3)
    }
}
