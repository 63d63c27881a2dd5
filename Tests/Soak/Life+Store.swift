import Foundation
import StoreManagerCore
import StoreSimulator

/// What the store, the buyer, the network and the clock do.
extension Life {
    func happen(_ kind: Step.Kind, _ random: inout SplitMix64) {
        switch kind {
        case .approve: settleDeferred(&random, approves: true)
        case .decline: settleDeferred(&random, approves: false)
        case .resolve:
            act(on: transactions { $0.hasPurchaseIssue }, &random) {
                try store.resolveIssueForTransaction(identifier: $0)
            }
        case .sheet:
            let answer = random.pick([StoreBuyer.Answer.buy, .buy, .cancel, .ask]) ?? .buy
            act(on: transactions { $0.state == .purchasing }, &random) {
                try store.answerOpenPayment(identifier: $0, with: answer)
            }
        case .refund:
            // Each refund, and each reversal, has a date of its own.
            advance(by: 1)
            act(on: transactions { $0.transaction.state == .purchased && $0.revocationDate == nil }, &random) {
                try store.refundTransaction(identifier: $0)
            }
        case .reverse:
            advance(by: 1)
            act(on: transactions { $0.transaction.state == .purchased && $0.revocationDate != nil }, &random) {
                try store.reverseRefund(identifier: $0)
            }
        case .outside:
            let product = random.pick(Setup.products)?.id ?? "coins"
            attempt { try store.buyProduct(identifier: product) }
        case .intent:
            let product = random.pick(Setup.products)?.id ?? "coins"
            attempt { try store.sendPurchaseIntent(productIdentifier: product) }
        case .expire: plan(&random) { try store.expireSubscription(productIdentifier: $0) }
        case .renew: plan(&random) { try store.forceRenewalOfSubscription(productIdentifier: $0) }
        case .autorenew:
            act(on: transactions { $0.isPaid && $0.productType == .autoRenewable }, &random) {
                try store.disableAutoRenewForTransaction(identifier: $0)
            }
        case .remove:
            // StoreKit 2 has no queue that what is not paid could be taken from, and elsewhere it is there before it is gone.
            let hasQueue = setup.habits.tokenCarriage != .unlessDeferred && store.pendingDeliveries.isEmpty
            act(on: transactions { !$0.isFinished && (hasQueue || $0.isPaid) }, &random) {
                try store.removeTransactionFromQueue(identifier: $0)
            }
        case .billing:
            store.shouldEnterBillingRetryOnRenewal.toggle()
            store.billingGracePeriodIsEnabled = random.chance(0.5)
        case .faults, .calm, .hold, .letgo, .offline: goAstray(kind, &random)
        case .disk: disk.failures = 1 + random.below(3)
        case .wait: advance(by: random.pick([0.5, 1, 2, 5, 11, 31, 61, 400]) ?? 1)
        case .days: advance(by: 86_400 * Double(1 + random.below(40)))
        case .crash: store.crash(atLogLine: store.log.count + random.below(12))
        default: break
        }
    }

    func advance(by seconds: TimeInterval) {
        tell("  \(seconds) s pass")
        store.clock.advance(by: seconds)
    }

    // MARK: Transactions

    private func transactions(where isWanted: (SimulatedTransaction) -> Bool) -> [StoreTransaction.ID] {
        store.allTransactions.filter(isWanted).map(\.id)
    }

    private func act(
        on candidates: [StoreTransaction.ID], _ random: inout SplitMix64, _ body: (StoreTransaction.ID) throws -> Void
    ) {
        guard let id = random.pick(candidates) else { return }
        attempt { try body(id) }
    }

    private func plan(_ random: inout SplitMix64, _ body: (String) throws -> Void) {
        let product = random.pick(["silver", "gold"]) ?? "silver"
        attempt { try body(product) }
    }

    private func settleDeferred(_ random: inout SplitMix64, approves: Bool) {
        act(on: transactions { $0.pendingAskToBuyConfirmation }, &random) {
            if approves {
                try store.approveAskToBuyTransaction(identifier: $0)
            } else {
                try store.declineAskToBuyTransaction(identifier: $0)
            }
        }
    }

    // MARK: The network

    private func goAstray(_ kind: Step.Kind, _ random: inout SplitMix64) {
        var faults = store.faults
        let interface = random.pick(StoreInterface.allCases) ?? .purchase
        switch kind {
        case .faults:
            var fault = StoreFault()
            if random.chance(0.5) { fault.duplication = 0.4 }
            if random.chance(0.5) { fault.delay = 0...random.number(upTo: 40) }
            if random.chance(0.5) { fault.isReordered = true }
            if random.chance(0.2) { fault.loss = 0.2 }
            if random.chance(0.5) { faults[interface] = fault } else { faults = StoreFaults(everywhere: fault) }
        case .hold: faults[interface].isHeld = true
        case .letgo: for interface in StoreInterface.allCases { faults[interface].isHeld = false }
        case .offline:
            if random.chance(0.5) {
                faults[interface].isOffline = true
            } else {
                for interface in StoreInterface.allCases { faults[interface].isOffline = true }
            }
        default: faults = StoreFaults()
        }
        tell("  \(kind) \(interface)")
        store.faults = faults
    }
}

extension SplitMix64 {
    fileprivate mutating func number(upTo limit: Double) -> Double { Double.random(in: 0...limit, using: &self) }
}

extension SimulatedTransaction {
    /// Whether it was paid, by this account or by whoever shares with it.
    var isPaid: Bool { transaction.state == .purchased || transaction.state == .restored }
}
