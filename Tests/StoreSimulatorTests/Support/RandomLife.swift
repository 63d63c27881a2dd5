import Foundation
import StoreManagerCore

@testable import StoreSimulator

/// A store's life made of chance: whatever can be done, in any order.
@MainActor
struct RandomLife {
    let store: SimulatedStore
    let app: TestApp
    /// Whether the last step took transactions out of the history.
    private(set) var hasDeleted = false
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

    /// Does so many things.
    mutating func live(steps: Int) async {
        for _ in 0..<steps { await step() }
        await store.settle()
    }

    /// Does something. What cannot be done is no matter.
    mutating func step() async {
        hasDeleted = false
        switch generator.index(below: 100) {
        case 0..<22: buy()
        case 22..<30: buyOutside()
        case 30..<44: passTime()
        case 44..<54: for transaction in store.unfinishedTransactions.prefix(3) { store.finish(transaction) }
        case 54..<72: decide()
        case 72..<80: meddle()
        case 80..<90: switchSomething()
        case 90..<95: goAstray()
        case 95..<98: ask()
        default: delete()
        }
        if chance(2) { await store.settle() }
    }

    /// The price that a plan's subscribers are told of, which no other plan has.
    static func announcedPrice(of product: String) -> Decimal {
        Decimal(1_000 + (Shop.all.firstIndex(of: product) ?? 0))
    }

    /// The price that a plan's subscribers are asked to agree to, which no other plan has.
    static func askedPrice(of product: String) -> Decimal { announcedPrice(of: product) + 1_000 }

    private mutating func buy() {
        var options = PurchaseOptions(quantity: 1 + generator.index(below: 2))
        let product = pick(Shop.all)
        switch generator.index(below: 8) {
        case 0:
            options = PurchaseOptions(offer: .winBack(offerID: "comeback"))
        case 1:
            options = PurchaseOptions(offer: .promotionalJWS(offerID: "loyal", compactJWS: "a.b.c"))
        case 2:
            store.buyer.nextAnswers.append(pick([.cancel, .ask, .interrupt, .neither, .hesitate]))
        default: break
        }
        app.startBuying(product, options)
    }

    private mutating func buyOutside() {
        var options = OutsidePurchaseOptions()
        options.quantity = 1 + generator.index(below: 2)
        if chance(3) {
            options.offer = pick([.promotional(id: "loyal"), .winBack(id: "comeback"), .code(referenceName: "fair")])
        }
        if chance(3) { options.purchaseDate = store.clock.now - generator.number(in: 0...longest * 2) }
        if chance(3) { options.renewalBehavior = .cancelImmediately }
        _ = try? anyDevice.buyProduct(identifier: pick(Shop.all), options: options)
    }

    private mutating func passTime() {
        store.clock.advance(by: generator.number(in: 0...(chance(3) ? longest / 100 : longest)))
    }

    /// Somebody decides something about what was bought.
    private mutating func decide() {
        let device = anyDevice
        let transactions = device.allTransactions
        guard !transactions.isEmpty else { return }
        let transaction = pick(transactions)
        let (id, product) = (transaction.id, transaction.productIdentifier)
        switch generator.index(below: 17) {
        case 0: try? device.refundTransaction(identifier: id)
        case 1: try? device.refundTransaction(identifier: id, amount: 1)
        case 2: try? device.reverseRefund(identifier: id)
        case 3...4: try? device.approveAskToBuyTransaction(identifier: id)
        case 5: try? device.declineAskToBuyTransaction(identifier: id)
        case 6...7: try? device.resolveIssueForTransaction(identifier: id)
        case 8: try? device.answerOpenPayment(identifier: id, with: pick([.buy, .cancel, .ask]))
        case 9...10: try? device.disableAutoRenewForTransaction(identifier: id)
        case 11: try? device.enableAutoRenewForTransaction(identifier: id)
        case 12:
            try? device.announcePriceIncreaseForTransaction(identifier: id, price: Self.announcedPrice(of: product))
        case 13:
            try? device.requestPriceIncreaseConsentForTransaction(identifier: id, price: Self.askedPrice(of: product))
        case 14: try? device.consentToPriceIncreaseForTransaction(identifier: id)
        case 15: try? device.declinePriceIncreaseForTransaction(identifier: id)
        default: try? device.removeTransactionFromQueue(identifier: id)
        }
    }

    private mutating func meddle() {
        let (device, product) = (anyDevice, pick(Shop.all))
        switch generator.index(below: 7) {
        case 0: try? device.expireSubscription(productIdentifier: product)
        case 1...2: try? device.forceRenewalOfSubscription(productIdentifier: product)
        case 3: device.resetIntroductoryOfferEligibility(inGroup: pick([Shop.group, "magazine"]))
        case 4: try? device.sendPurchaseIntent(productIdentifier: product)
        case 5: try? tablet.joinFamily(of: store.accountName)
        default: try? tablet.leaveFamily()
        }
    }

    private mutating func switchSomething() {
        switch generator.index(below: 12) {
        case 0...1: store.shouldEnterBillingRetryOnRenewal.toggle()
        case 2...3: store.billingGracePeriodIsEnabled.toggle()
        case 4: store.controls.storefront = pick(["USA", "JPN", "DEU"])
        case 5: store.timeRate = pick([.realTime, .monthlyRenewalEveryHour, .oneRenewalEveryMinute, store.timeRate])
        case 6: store.unavailableProducts = chance(3) ? [pick(Shop.all)] : []
        case 7: store.askToBuyEnabled.toggle()
        case 8: store.interruptedPurchasesEnabled.toggle()
        case 9: store.gracePeriod = chance(2) ? nil : longest / 10
        case 10:
            store.habits.renewalLag = chance(2) ? 0 : longest / 1_000
            store.habits.restoresAsCopies.toggle()
        default: store.resetToDefaultState()
        }
    }

    private mutating func goAstray() {
        var fault = StoreFault()
        fault.duplication = 0.2
        fault.loss = 0.1
        fault.delay = 0...50
        fault.isReordered = chance(2)
        fault.isOffline = chance(4)
        switch generator.index(below: 3) {
        case 0: store.faults = StoreFaults(everywhere: fault)
        case 1: app.backend.startObserving(app)
        default: store.faults = StoreFaults()
        }
    }

    private mutating func ask() {
        switch generator.index(below: 3) {
        case 0: store.restorePurchases(applicationUsername: nil, for: app.makeToken(.restore))
        case 1: store.readCurrentEntitlements(for: app.makeToken(.entitlements))
        default: store.fetchProducts(withIdentifiers: Shop.all, for: app.makeToken(.fetch))
        }
    }

    private mutating func delete() {
        hasDeleted = true
        switch generator.index(below: 8) {
        case 0: store.clearTransactions()
        case 1: store.reset()
        default:
            let transactions = anyDevice.allTransactions
            if !transactions.isEmpty { try? store.deleteTransaction(identifier: pick(transactions).id) }
        }
    }

    private var tablet: SimulatedDevice { store.device(named: "tablet", account: "other") }

    private var anyDevice: any SimulatedBackend {
        mutating get { chance(4) ? tablet : store }
    }

    /// Whether something happens that happens once in so many times.
    private mutating func chance(_ times: Int) -> Bool { generator.index(below: times) == 0 }

    private mutating func pick<Value>(_ values: [Value]) -> Value { values[generator.index(below: values.count)] }
}
