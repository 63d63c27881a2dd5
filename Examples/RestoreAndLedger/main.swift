// Buys a consumable, and kills itself on the way if told to: the next run gets the purchase back, and counts it once.
import ExampleSupport
import Foundation
import StoreManagerCore
import StoreSimulator

let stages = Stage.allCases.map(\.rawValue).joined(separator: "|")
let command = Command(
    "RestoreAndLedger", summary: "Buys a consumable that survives a crash, in a simulated App Store.",
    options: [
        Option("--crash-after", value: stages, help: "kill the process on purpose, once the purchase is so far"),
        Option("--folder", value: "DIR", help: "where store and ledger are kept from run to run"),
    ])
let arguments = command.arguments()
let crash = Crash(after: command.stage(arguments["--crash-after"]))
let folder =
    arguments["--folder"].map { URL(filePath: $0, directoryHint: .isDirectory) }
    ?? FileManager.default.temporaryDirectory.appending(path: "RestoreAndLedger")
let story = Story("A purchase that survives; store and ledger are in \(folder.path)")

// The store saves everything before it tells of it, so that it goes on where an earlier run ended.
let file = folder.appending(path: "store")
let store = command.opening {
    let exists = FileManager.default.fileExists(atPath: file.path)
    let store =
        try exists ? SimulatedStore(resuming: file) : SimulatedStore(configuration: command.configuration(arguments))
    try store.autosave(to: file)
    return store
}
store.onAutosaveFailure = { command.fail("\($0)", status: 1) }
let coins = StoreProduct(id: "com.example.coins", type: .consumable, price: 0.99)
let unfinished = store.unfinishedTransactions.count

// All that an app does at launch: the manager, its parts, and who receives what nobody asked for.
let ledger = FilePersistence(url: folder.appending(path: "ledger"))
let manager = StoreManager(backend: store, clock: store.clock)
manager.persistence = ledger
manager.verifier = crash
manager.contentDownloader = crash
let finishes = Finishes(crash)
manager.addObserver(finishes)
let grant: @MainActor (StoreTransaction) -> Void = { transaction in
    story.note("delivered: \(transaction.quantity) of \(transaction.productIdentifier), transaction \(transaction.id)")
    crash.reach(.deliver)
}

if unfinished > 0 {
    await story.step("What an earlier run did not finish comes back", expecting: "finished: \(unfinished)") { ended in
        finishes.expect(unfinished) { ended("finished: \($0)") }
        manager.defaultHandlers = PurchaseHandlers(
            onSuccess: grant, onFailure: { _, error in ended(error.localizedDescription) })
    }
} else {
    story.skip("What an earlier run did not finish comes back", because: "there is nothing of the kind")
    manager.defaultHandlers = PurchaseHandlers(onSuccess: grant)
}

await story.step("Buy 3 of \(coins.id)", expecting: "finished: 1") { ended in
    finishes.expect(1) { ended("finished: \($0)") }
    manager.purchase(
        coins, options: PurchaseOptions(quantity: 3), onSuccess: grant,
        onFailure: { _, error in ended(error.localizedDescription) })
}

await story.step("Restore, which never adds to a count", expecting: "restored: 0") { ended in
    manager.restorePurchases(
        onSuccess: { result in ended("restored: \(result.restored.count)") },
        onFailure: { error in ended(error.localizedDescription) })
}

let sold = store.allTransactions.filter { $0.productIdentifier == coins.id && $0.state == .purchased }
let quantity = sold.reduce(0) { $0 + $1.quantity }
let counted: String
do { counted = "the ledger counts \(try await ledger.count(of: coins.id))" } catch { counted = "\(error)" }
await story.step("Count: the store sold \(quantity)", expecting: "the ledger counts \(quantity)") { $0(counted) }
exit(story.end())
