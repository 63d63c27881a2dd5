import Foundation
import StoreSimulator
import Testing

@testable import StoreManagerCore

/// A lifecycle of transactions, as something that a person and the world do. A process that finds it half done goes on.
struct CrashScenario: CustomTestStringConvertible, Sendable {
    /// One thing that is done, unless the store shows that it was done.
    struct Step: Sendable {
        var isDone: @MainActor @Sendable (AppLaunch) -> Bool
        var perform: @MainActor @Sendable (AppLaunch) throws -> Void
    }

    var name: String
    /// What is done in the store before the app is launched for the first time.
    var before: @MainActor @Sendable (SimulatedStore) throws -> Void = { _ in }
    /// Whether the app sets its default handlers at launch.
    var receivesAtOnce = true
    var steps: [Step]
    /// The verdicts on one transaction, one after the other; the last one stands.
    var verdicts: [Verdict] = [.valid]
    /// How often in a process the content of a transaction cannot be fetched.
    var failingDownloads = 0
    /// Whether finished transactions are finished again, as a restore does it.
    var finishesAgain = false

    /// Whether what is bought is taken back before it is handed over.
    var isTakenBackAtOnce = false

    /// Whether everything that is bought comes with the context that its purchase was started with.
    var keepsContext = true

    /// Whether a purchase may fail as one does that is only interrupted, so that its context is kept.
    var mayBeInterrupted = false

    /// The context that purchases are started with.
    static let context = PurchaseContext(data: Data("shelf 3".utf8))

    enum Verdict: Sendable {
        case valid, invalid, unableToComplete
    }

    var testDescription: String { name }

    /// The verdict when a transaction is asked about for the nth time in a process.
    func verdict(_ number: Int) -> VerificationVerdict {
        switch verdicts[min(number, verdicts.count) - 1] {
        case .valid: .valid
        case .invalid: .invalid(reason: "forged")
        case .unableToComplete: .unableToComplete(StoreError.network())
        }
    }
}

// MARK: All scenarios

extension CrashScenario {
    static let all: [CrashScenario] = purchases + unasked + restores + troubles

    private static let purchases = [
        CrashScenario(name: "a consumable", steps: [.buy(.coins, quantity: 2)]),
        CrashScenario(name: "a non-consumable", steps: [.buy(.theme)]),
        CrashScenario(name: "a subscription", steps: [.buy(.silver)]),
        CrashScenario(name: "bought twice", steps: [.buy(.coins), .buy(.coins, count: 2)]),
        CrashScenario(
            name: "bought though owned", before: own(.theme), steps: [.buyOwned(.theme)], finishesAgain: true,
            keepsContext: false),
        CrashScenario(name: "approved", steps: [.buy(.coins, quantity: 3, answer: .ask), .approve]),
        CrashScenario(
            name: "interrupted", steps: [.buy(.coins, answer: .interrupt), .resolve], mayBeInterrupted: true),
        CrashScenario(name: "cancelled", steps: [.try(.coins, answer: .cancel, ends: .cancelled)]),
        CrashScenario(
            name: "declined", steps: [.try(.coins, answer: .decline(.generic(.unknown)), ends: .failed)],
            mayBeInterrupted: true),
        CrashScenario(name: "upgraded", steps: [.buy(.silver), .buy(.gold)]),
        CrashScenario(name: "a plan change", steps: [.buy(.gold), .changePlan(.silver), .renew(.silver, count: 1)]),
    ]

    private static let unasked = [
        CrashScenario(name: "renewed", steps: [.buy(.silver), .renew(.silver, count: 2)]),
        CrashScenario(name: "refunded", steps: [.buy(.coins, quantity: 2), .refund(.coins)]),
        CrashScenario(
            name: "refund reversed", steps: [.buy(.theme), .refund(.theme), .reverseRefund(.theme)], keepsContext: false
        ),
        CrashScenario(name: "bought elsewhere", steps: [.buyOutside(.coins)], keepsContext: false),
        CrashScenario(name: "promoted", steps: [.beginInStore(.coins)], keepsContext: false),
        CrashScenario(
            name: "with nobody to receive it at first", receivesAtOnce: false, steps: [.buyOutside(.coins), .receive],
            keepsContext: false),
    ]

    private static let restores = [
        CrashScenario(
            name: "restored", before: own(.theme, .silver), steps: [.restore(.theme, .silver)], finishesAgain: true,
            keepsContext: false),
        CrashScenario(
            name: "restored as copies",
            before: { store in
                store.habits.restoresAsCopies = true
                try own(.theme)(store)
            }, steps: [.restore(.theme)], finishesAgain: true, keepsContext: false),
    ]

    private static let troubles = [
        CrashScenario(
            name: "verified at the second try", steps: [.buy(.coins)], verdicts: [.unableToComplete, .valid]),
        CrashScenario(name: "refused", steps: [.buy(.coins)], verdicts: [.invalid]),
        CrashScenario(name: "fetched at the second try", steps: [.buy(.theme)], failingDownloads: 1),
        CrashScenario(
            name: "with hosted content",
            before: { store in
                store.hostedContent[StoreProduct.theme.id] = [HostedContent(id: "first"), HostedContent(id: "second")]
            },
            steps: [.buy(.theme), .wait(15)]),
        CrashScenario(
            name: "refunded while its content is fetched",
            before: { $0.hostedContent[StoreProduct.theme.id] = [HostedContent(id: "first")] },
            steps: [.buy(.theme), .refund(.theme)], isTakenBackAtOnce: true),
    ]

    /// The account owns these products, and another device has dealt with that.
    private static func own(_ products: StoreProduct...) -> @MainActor @Sendable (SimulatedStore) throws -> Void {
        { store in
            for product in products { store.finish(try store.buyProduct(identifier: product.id)) }
        }
    }
}

// MARK: All steps

extension CrashScenario.Step {
    /// Buys, until the store has as many transactions of the product, in whatever state but failed.
    static func buy(
        _ product: StoreProduct, quantity: Int = 1, count: Int = 1, answer: StoreBuyer.Answer = .buy
    ) -> Self {
        Self(
            isDone: { $0.transactions(of: product).count { !$0.isLost } >= count },
            perform: { $0.buy(product, quantity: quantity, answer: answer) })
    }

    /// Buys what is owned, until the app has been told so.
    static func buyOwned(_ product: StoreProduct) -> Self {
        Self(isDone: { $0.wasGranted(product) }, perform: { $0.buy(product) })
    }

    /// Tries to buy, until the app has heard how it ends.
    static func `try`(_ product: StoreProduct, answer: StoreBuyer.Answer, ends word: Delivery.Word) -> Self {
        Self(
            isDone: { launch in launch.watch.deliveries.contains { $0.word == word } },
            perform: { $0.buy(product, answer: answer) })
    }

    /// Asks for another plan, unless it is coming or there.
    static func changePlan(_ product: StoreProduct) -> Self {
        Self(
            isDone: { launch in
                !launch.transactions(of: product).isEmpty
                    || launch.store.renewalInfos.contains { $0.autoRenewPreference == product.id }
            },
            perform: { $0.buy(product) })
    }

    /// Somebody says yes.
    static let approve = Self(
        isDone: { launch in !launch.store.allTransactions.contains(where: \.pendingAskToBuyConfirmation) },
        perform: { launch in
            for waiting in launch.store.allTransactions where waiting.pendingAskToBuyConfirmation {
                try launch.store.approveAskToBuyTransaction(identifier: waiting.id)
            }
        })

    /// The buyer does what the store asks for.
    static let resolve = Self(
        isDone: { launch in !launch.store.allTransactions.contains(where: \.hasPurchaseIssue) },
        perform: { launch in
            for waiting in launch.store.allTransactions where waiting.hasPurchaseIssue {
                try launch.store.resolveIssueForTransaction(identifier: waiting.id)
            }
        })

    /// Months pass, until there are as many transactions of the plan.
    static func renew(_ product: StoreProduct, count: Int) -> Self {
        Self(
            isDone: { $0.transactions(of: product).count >= count },
            perform: { $0.store.clock.advance(by: StoreSubscriptionPeriod(value: 1, unit: .month)) })
    }

    /// The store takes a purchase back.
    static func refund(_ product: StoreProduct) -> Self {
        Self(
            isDone: { $0.hasHappened(.refunded) },
            perform: { launch in
                for transaction in launch.transactions(of: product) {
                    try launch.store.refundTransaction(identifier: transaction.id)
                }
            })
    }

    /// The store takes back that it took a purchase back.
    static func reverseRefund(_ product: StoreProduct) -> Self {
        Self(
            isDone: { $0.hasHappened(.refundReversed) },
            perform: { launch in
                for transaction in launch.transactions(of: product) {
                    try launch.store.reverseRefund(identifier: transaction.id)
                }
            })
    }

    /// Another device buys.
    static func buyOutside(_ product: StoreProduct) -> Self {
        Self(
            isDone: { !$0.transactions(of: product).isEmpty },
            perform: { try $0.store.buyProduct(identifier: product.id) })
    }

    /// Somebody presses "buy" on the app's page in the store.
    static func beginInStore(_ product: StoreProduct) -> Self {
        Self(
            isDone: { !$0.transactions(of: product).isEmpty },
            perform: { try $0.store.sendPurchaseIntent(productIdentifier: product.id) })
    }

    /// Restores, until the app has been handed all of it.
    static func restore(_ products: StoreProduct...) -> Self {
        Self(
            isDone: { launch in products.allSatisfy { launch.wasGranted($0) } },
            perform: { $0.manager.restorePurchases(handlers: $0.restoreHandlers) })
    }

    /// The app sets its default handlers.
    static let receive = Self(
        isDone: { $0.manager.defaultHandlers != nil }, perform: { $0.manager.defaultHandlers = $0.handlers })

    /// Some seconds pass, unless everything is dealt with.
    static func wait(_ seconds: TimeInterval) -> Self {
        Self(
            isDone: { $0.store.unfinishedTransactions.isEmpty }, perform: { $0.store.clock.advance(by: seconds) })
    }
}

extension AppLaunch {
    fileprivate func buy(_ product: StoreProduct, quantity: Int = 1, answer: StoreBuyer.Answer = .buy) {
        store.buyer.nextAnswers = [answer]
        let options = PurchaseOptions(quantity: quantity, context: CrashScenario.context)
        manager.purchase(product, options: options, handlers: handlers)
    }

    fileprivate func transactions(of product: StoreProduct) -> [SimulatedTransaction] {
        store.allTransactions.filter { $0.productIdentifier == product.id }
    }

    fileprivate func wasGranted(_ product: StoreProduct) -> Bool {
        watch.deliveries.contains { $0.word == .granted && $0.transaction?.productIdentifier == product.id }
    }

    fileprivate func hasHappened(_ event: StoreLogEntry.Event) -> Bool { store.log.contains { $0.event == event } }
}

extension SimulatedTransaction {
    /// Whether it will never be paid.
    fileprivate var isLost: Bool { transaction.state == .failed && !hasPurchaseIssue }
}
