// Buys, and verifies each transaction before it counts: by its own signature, and by the app's receipt. Then somebody cheats.
import ExampleSupport
import Foundation
import ReceiptVerification
import StoreManagerCore
import StoreSimulator

let command = Command(
    "VerifiedPurchases", summary: "Verifies the transactions and the receipt of a simulated App Store.",
    options: [.configuration])
let configuration = command.configuration(command.arguments())
let store = SimulatedStore(configuration: configuration)
let clock = store.clock
let manager = StoreManager(backend: store, clock: clock)
let story = Story("Verified purchases")

// The store signs as the App Store does, but under a root of its own, which only these verifiers trust. An app leaves `roots`
// out: Apple's are built in.
let app = "com.example.app"
let honest: TestStoreSigner
let forger: TestStoreSigner
do {
    honest = try TestStoreSigner(bundleIdentifier: app)
    forger = try TestStoreSigner(bundleIdentifier: app)
} catch {
    command.fail("no keys can be made: \(error.localizedDescription)", status: 1)
}
let bySignature = SignedTransactionVerifier(
    SignedDataVerifier(bundleIdentifier: app, roots: honest.roots, now: { clock.now }))
let byReceipt = AppReceiptTransactionVerifier(
    AppReceiptVerifier(bundleIdentifier: app, roots: honest.roots, now: { clock.now }),
    now: { clock.now }, receipt: { await store.receiptData() }, refresh: { try await manager.refreshReceipt() })

guard let product = configuration.products.first(where: { $0.type == .consumable && $0.obstacleToPurchase == nil })
else {
    story.skip("Buy and verify", because: "no consumable product that can be bought is sold here")
    exit(story.end())
}

/// Buys one, and reports how it ended.
@MainActor
func buy(ended: @escaping @MainActor (String) -> Void) {
    Task {
        do {
            let outcome = try await manager.purchase(productIdentifier: product.id)
            if case .purchased(let transaction) = outcome {
                story.note(
                    "transaction \(transaction.id) came with a JWS of \(transaction.jwsRepresentation?.count ?? 0) bytes"
                )
                ended("bought \(transaction.productIdentifier)")
            } else {
                ended("\(outcome)")
            }
        } catch {
            ended(error.localizedDescription)
        }
    }
}

let notGenuine = StoreError.verificationFailed(reason: Refusal.certificateSignatureMismatch(.intermediate).description)
    .localizedDescription

store.signer = honest
manager.verifier = bySignature
await story.step("Buy, and verify the transaction's own signature", expecting: "bought \(product.id)", buy)
manager.verifier = byReceipt
await story.step("Buy, and look the transaction up in the receipt", expecting: "bought \(product.id)", buy)

store.signer = forger
manager.verifier = bySignature
await story.step("Buy, with a signature that somebody forged", expecting: notGenuine, buy)
manager.verifier = byReceipt
await story.step("Buy, with a receipt that somebody forged", expecting: notGenuine, buy)

store.signer = nil
manager.verifier = bySignature
await story.step(
    "Buy, with no signature at all",
    expecting: StoreError.unableToCompleteVerification(underlying: SignedTransactionMissing(transactionIdentifier: "5"))
        .localizedDescription, buy)

exit(story.end())
