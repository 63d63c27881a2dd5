// Buys with closures: every purchase has its own set, and hears only of itself.
import ExampleSupport
import Foundation
import StoreManagerCore
import StoreSimulator

let command = Command(
    "ClosurePurchases", summary: "Fetches, buys and restores with closures, in a simulated App Store.",
    options: [.configuration, .shared])
let store = command.store(command.arguments())
let manager = store.manager
let story = Story("Purchases with closures")

/// What verification finds; a real app asks its server.
var verdict = VerificationVerdict.valid

/// Buys something, with all six closures, and reports how it ended.
@MainActor
func buy(_ product: StoreProduct, ended: @escaping @MainActor (String) -> Void) {
    manager.purchase(
        product,
        onSuccess: { transaction in ended("bought \(transaction.productIdentifier)") },
        onRestore: { transaction in ended("owned already") },
        onFailure: { _, error in ended(error.localizedDescription) },
        onCancel: { ended("cancelled") },
        onDefer: {
            story.note("waits for approval; the family says yes")
            store.approve()
        },
        onVerify: { transaction in
            story.note("transaction \(transaction.id) is to be verified")
            manager.transaction(transaction, didVerify: verdict)
        })
}

await story.step("Fetch everything that is sold", expecting: "all are known") { ended in
    manager.fetchProducts(
        withIdentifiers: store.configuration.products.map(\.id),
        onSuccess: { products, invalidIdentifiers in
            for product in products { story.note("\(product.displayName), \(product.localizedPrice)") }
            ended(invalidIdentifiers.isEmpty ? "all are known" : "unknown: \(invalidIdentifiers)")
        },
        onFailure: { error in ended(error.localizedDescription) })
}

/// The first product of a type that can be bought.
@MainActor
func firstProduct(_ type: StoreProductType) -> StoreProduct? {
    let product = store.configuration.products.first { $0.type == type && $0.obstacleToPurchase == nil }
    return product.flatMap { manager.cachedProduct(withIdentifier: $0.id) }
}

if let coins = firstProduct(.consumable) {
    let refused = StoreError.verificationFailed(reason: "forged").localizedDescription
    let undecided = StoreError.unableToCompleteVerification(underlying: StoreError.network()).localizedDescription

    await story.step("Buy it", expecting: "bought \(coins.id)") { buy(coins, ended: $0) }
    store.answer(.cancel)
    await story.step("Buy it, and say no when asked to pay", expecting: "cancelled") { buy(coins, ended: $0) }
    store.answer(.ask)
    await story.step("Buy it as a child who has to ask", expecting: "bought \(coins.id)") { buy(coins, ended: $0) }
    verdict = .invalid(reason: "forged")
    await story.step("Buy it, and find it forged", expecting: refused) { buy(coins, ended: $0) }
    verdict = .unableToComplete(StoreError.network())
    await story.step("Buy it while verification is offline", expecting: undecided) { buy(coins, ended: $0) }
    verdict = .valid
    await story.step("Ask about that one again", expecting: "delivered after all") { ended in
        manager.defaultHandlers = PurchaseHandlers(onSuccess: { _ in ended("delivered after all") })
        manager.retryPendingVerifications()
    }
} else {
    story.skip("Buy, cancel, ask, verify", because: "no consumable product that can be bought is sold here")
}

if let upgrade = firstProduct(.nonConsumable) {
    await story.step("Buy \(upgrade.displayName)", expecting: "bought \(upgrade.id)") { buy(upgrade, ended: $0) }
    await story.step("Buy it once more", expecting: "owned already") { buy(upgrade, ended: $0) }
    await story.step("Restore what is owned", expecting: "restored [\"\(upgrade.id)\"]") { ended in
        manager.restorePurchases(
            onSuccess: { result in ended("restored \(result.restored.map(\.productIdentifier))") },
            onFailure: { error in ended(error.localizedDescription) },
            onVerify: { transactions in
                for transaction in transactions { manager.transaction(transaction, didVerify: true) }
            })
    }
} else {
    story.skip("Buy twice, restore", because: "nothing that is kept for ever and can be bought is sold here")
}

exit(story.end())
