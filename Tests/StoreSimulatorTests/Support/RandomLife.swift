import Foundation
import StoreManagerCore

@testable import StoreSimulator

/// A store's life made of chance: whatever can be done, in any order.
@MainActor
struct RandomLife {
    let store: SimulatedStore
    let app: TestApp
    /// A little more than a month, as the store's time runs.
    private let longest: Double
    private var generator: SplitMix64

    /// - Parameter seed: Decides both what is done and what goes astray.
    init(seed: UInt64) {
        var configuration = Shop.configuration()
        let rates: [(StoreTimeRate, Double)] = [
            (.realTime, 3_000_000), (.monthlyRenewalEveryHour, 4_500), (.oneRenewalEveryMinute, 90),
        ]
        (configuration.settings.timeRate, longest) = rates[Int(seed % 3)]
        store = SimulatedStore(configuration: configuration, seed: seed)
        app = TestApp(store)
        generator = SplitMix64(seed: seed)
    }

    /// Does something. What cannot be done is no matter.
    mutating func step() async {
        let transactions = store.allTransactions
        let id = transactions.isEmpty ? "1" : pick(transactions).id
        let product = pick(Shop.all)
        let other = store.device(named: "tablet", account: "other")
        switch generator.index(below: 28) {
        case 0...4: app.startBuying(product, PurchaseOptions(quantity: 1 + generator.index(below: 2)))
        case 5:
            store.buyer.nextAnswers.append(pick([.cancel, .ask, .interrupt, .neither, .hesitate]))
        case 6...7: store.clock.advance(by: generator.number(in: 0...longest))
        case 8: store.clock.advance(by: generator.number(in: 0...longest / 100))
        case 9...11: for transaction in store.unfinishedTransactions.prefix(3) { store.finish(transaction) }
        case 12: try? store.refundTransaction(identifier: id)
        case 13: try? store.reverseRefund(identifier: id)
        case 14: try? store.approveAskToBuyTransaction(identifier: id)
        case 15: try? store.declineAskToBuyTransaction(identifier: id)
        case 16: try? store.resolveIssueForTransaction(identifier: id)
        case 17: try? store.expireSubscription(productIdentifier: product)
        case 18: try? store.forceRenewalOfSubscription(productIdentifier: product)
        case 19: try? store.disableAutoRenewForTransaction(identifier: id)
        case 20: try? store.requestPriceIncreaseConsentForTransaction(identifier: id, price: 20)
        case 21: try? store.consentToPriceIncreaseForTransaction(identifier: id)
        case 22: store.shouldEnterBillingRetryOnRenewal.toggle()
        case 23: store.billingGracePeriodIsEnabled.toggle()
        case 24: store.restorePurchases(applicationUsername: nil, for: app.makeToken(.restore))
        case 25:
            var fault = StoreFault()
            fault.duplication = 0.2
            fault.loss = 0.1
            fault.delay = 0...50
            fault.isReordered = pick([true, false])
            store.faults = pick([true, false]) ? StoreFaults(everywhere: fault) : StoreFaults()
        case 26: _ = try? other.buyProduct(identifier: product)
        default:
            if pick([true, false]) {
                try? other.joinFamily(of: store.accountName)
            } else {
                try? other.leaveFamily()
            }
        }
        if pick([true, false]) { await store.settle() }
    }

    private mutating func pick<Value>(_ values: [Value]) -> Value { values[generator.index(below: values.count)] }

    /// Does so many things.
    mutating func live(steps: Int) async {
        for _ in 0..<steps { await step() }
        await store.settle()
    }
}
