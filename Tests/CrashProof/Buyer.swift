import Foundation
import StoreManagerCore
import StoreSimulator

/// The app that is killed: it buys, is refunded, restores and renews as chance has it, until somebody ends it.
@MainActor
final class Buyer {
    private let files: Files
    private let store: SimulatedStore
    private let manager: StoreManager
    private var chance: SplitMix64
    private var steps = 0

    init(folder: URL, seed: UInt64) throws {
        files = Files(folder: folder)
        chance = SplitMix64(seed: seed)
        store =
            try FileManager.default.fileExists(atPath: files.store.path)
            ? SimulatedStore(resuming: files.store) : SimulatedStore(configuration: .proof, seed: seed)
        try store.autosave(to: files.store)
        manager = StoreManager(backend: store, clock: store.clock)
        manager.persistence = FilePersistence(url: files.ledger)
        manager.verifier = HesitantVerifier(seed: chance.next())
        manager.effectProbe = { [weak self] _, _ in self?.report() }
        manager.defaultHandlers = handlers
    }

    /// Deals with what an earlier process left, and then buys for ever; or, at the last, ends when all is dealt with.
    func run(isLast: Bool) async throws {
        await settle()
        while isLast ? !store.unfinishedTransactions.isEmpty : true {
            if !isLast { try act() }
            manager.retryPendingVerifications()
            await settle()
            store.clock.advance(by: 5)
            await settle()
        }
    }

    private func act() throws {
        let bought = store.allTransactions.filter { $0.state == .purchased && $0.revocationDate == nil }
        switch Int.random(in: 0..<100, using: &chance) {
        case ..<45: buy(.coins, quantity: Int.random(in: 1...3, using: &chance))
        case ..<55: buy(.theme)
        case ..<60: buy(.silver)
        case ..<70: buy(.coins, answer: .ask)
        case ..<80:
            for waiting in store.allTransactions where waiting.pendingAskToBuyConfirmation {
                try store.approveAskToBuyTransaction(identifier: waiting.id)
            }
        case ..<85: buy(.coins, answer: .cancel)
        case ..<90:
            manager.restorePurchases(handlers: RestoreHandlers(onSuccess: { $0.restored.forEach(self.receive) }))
        case ..<95:
            if let one = bought.randomElement(using: &chance) {
                try store.refundTransaction(identifier: one.id)
            }
        default: store.clock.advance(by: StoreSubscriptionPeriod(value: 1, unit: .month))
        }
    }

    private func buy(_ product: StoreProduct, quantity: Int = 1, answer: StoreBuyer.Answer = .buy) {
        store.buyer.nextAnswers = [answer]
        manager.purchase(product, options: PurchaseOptions(quantity: quantity), handlers: handlers)
    }

    private var handlers: PurchaseHandlers { PurchaseHandlers(onSuccess: receive, onRevoke: receive) }

    private func receive(_ transaction: StoreTransaction) {
        do { try files.note(transaction) } catch { exit(3) }
        report()
    }

    /// Tells the killer that something has happened.
    private func report() {
        steps += 1
        FileHandle.standardOutput.write(Data(".".utf8))
    }

    /// Returns when nothing happens any more as long as the clock stands.
    private func settle() async {
        var before = 0
        repeat {
            before = steps
            await store.settle()
            await manager.settle()
        } while steps != before || store.pendingDeliveries.isEmpty == false
    }
}

/// A verifier that cannot tell now and then.
private struct HesitantVerifier: TransactionVerifier {
    private let chance: Locked<SplitMix64>

    init(seed: UInt64) { chance = Locked(SplitMix64(seed: seed)) }

    func verify(_ transaction: StoreTransaction) async -> VerificationVerdict {
        let isHesitant = chance.withLock { Int.random(in: 0..<10, using: &$0) == 0 }
        return isHesitant ? .unableToComplete(StoreError.network()) : .valid
    }
}

extension StoreProduct {
    static let coins = StoreProduct(id: "coins", type: .consumable, price: 1)
    static let theme = StoreProduct(id: "theme", type: .nonConsumable, price: 5)
    static let silver = StoreProduct(id: "silver", type: .autoRenewable, price: 3)
}

extension StoreConfiguration {
    /// A product of each kind that is renewed, kept and used up.
    static let proof = StoreConfiguration(
        products: [
            Product(id: "coins", type: .consumable, price: 1), Product(id: "theme", type: .nonConsumable, price: 5),
            Product(
                id: "silver", type: .autoRenewable, price: 3,
                subscription: Subscription(groupID: "plans", period: StoreSubscriptionPeriod(value: 1, unit: .month))),
        ],
        subscriptionGroups: [SubscriptionGroup(id: "plans")])
}
