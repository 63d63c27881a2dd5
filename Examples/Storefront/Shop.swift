import Foundation
import StoreManagerCore
import StoreSimulator

/// A shop: a simulated store, an app's manager over it, and a ledger of what was bought.
@MainActor
final class Shop {
    let store: SimulatedStore
    let manager: StoreManager
    let ledger = MemoryPersistence()
    let output: Output
    /// How each subscription stood when it was last looked at, by group.
    var standings: [String: Standing] = [:]
    /// The product of each transaction that the app has heard of.
    var productsOfTransactions: [StoreTransaction.ID: String] = [:]

    /// Opens a shop that sells what a configuration lists.
    convenience init(configuration: StoreConfiguration, seed: UInt64, output: Output) {
        self.init(SimulatedStore(configuration: configuration, seed: seed), output: output)
    }

    /// Opens a shop again that was saved, with its ledger beside it.
    convenience init(resuming url: URL, output: Output) async throws {
        self.init(try SimulatedStore(resuming: url), output: output)
        let file = Self.ledgerFile(beside: url)
        guard FileManager.default.fileExists(atPath: file.path) else {
            throw ShopError("the ledger \(file.path) is missing; right would be both files that save has written")
        }
        let saved = try await FilePersistence(url: file).withLedger { $0 }
        try await ledger.withLedger { $0 = saved }
    }

    private init(_ store: SimulatedStore, output: Output) {
        self.store = store
        self.output = output
        manager = StoreManager(backend: store, clock: store.clock)
        manager.persistence = ledger
        manager.defaultHandlers = PurchaseHandlers(onSuccess: { _ in })
        manager.addObserver(self)
        for transaction in store.allTransactions {
            productsOfTransactions[transaction.id] = transaction.productIdentifier
        }
    }

    /// Serves until there is no command left. Returns whether every command could be done.
    ///
    /// - Parameter nextLine: what is typed, line by line.
    func open(reading nextLine: () -> String?) async -> Bool {
        output.say("Welcome. Type help to see what this shop understands.")
        standings = standingsNow()
        await fetchEverything()
        var allDone = true
        var number = 0
        while let line = nextLine() {
            number += 1
            output.echo(line)
            do {
                if let command = try ShopCommand(line) {
                    if command == .quit { break }
                    try await perform(command)
                    await settle()
                    tellStandings()
                }
            } catch {
                allDone = false
                await settle()
                let problem = (error as? any LocalizedError)?.errorDescription ?? "\(error)"
                output.emit(.commandFailed, at: store.clock.now, [.line: number, .error: problem])
                output.complain(problem, line: number)
            }
        }
        return allDone
    }

    private func perform(_ command: ShopCommand) async throws {
        switch command {
        case .list: try await list()
        case .buy(let product, let quantity, let offer): try await buy(product, quantity: quantity, offer: offer)
        case .buyAnswering(let product, let answer): try await buy(product, answering: answer)
        case .approve: try store.approveAskToBuyTransaction(identifier: try waiting().id)
        case .decline: try store.declineAskToBuyTransaction(identifier: try waiting().id)
        case .resolve: try store.resolveIssueForTransaction(identifier: try unsettled().id)
        case .refund(let transaction): try store.refundTransaction(identifier: transaction ?? refundable().id)
        case .restore: _ = try await manager.restorePurchases()
        case .renew(let product):
            try store.forceRenewalOfSubscription(productIdentifier: subscription(product).productIdentifier)
        case .expire(let product):
            try store.expireSubscription(productIdentifier: subscription(product).productIdentifier)
        case .autorenew(let isOn, let product): try setAutoRenew(isOn, product)
        case .advance(let interval): await advance(interval)
        case .storefront(let country): await move(to: country)
        case .offline(let isOffline): setOffline(isOffline)
        case .download(let product): try await download(product)
        case .owned: try await showOwned()
        case .consume(let product): try await consume(product)
        case .status: showStatus()
        case .timeline(let product, let file): try showTimeline(of: product, picture: file)
        case .log: showLog()
        case .save(let file): try await save(URL(filePath: file))
        case .help: showHelp()
        case .quit: break
        }
    }

    /// Returns when neither the store nor the manager has anything left to do now.
    func settle() async {
        var lines: Int
        repeat {
            lines = store.log.count
            await store.settle()
            await manager.settle()
        } while store.log.count != lines
    }

    /// Fetches all that is sold.
    @discardableResult
    func fetchEverything() async -> Result<ProductFetchResponse, any Error> {
        let identifiers = store.configuration.products.map(\.id)
        let result: Result<ProductFetchResponse, any Error>
        do { result = .success(try await manager.products(withIdentifiers: identifiers)) } catch {
            result = .failure(error)
        }
        await settle()
        return result
    }

    /// The product that a word means: its identifier, or the end of one that no other ends with.
    func product(_ word: String) throws -> StoreConfiguration.Product {
        let products = store.configuration.products
        if let exact = products.first(where: { $0.id == word }) { return exact }
        let similar = products.filter { $0.id.lowercased().hasSuffix(".\(word.lowercased())") }
        if let only = similar.first, similar.count == 1 { return only }
        let names = (similar.isEmpty ? products : similar).map(\.id).joined(separator: ", ")
        throw ShopError("\"\(word)\" is no product here; right would be one of \(names)")
    }

    /// The product as the app knows it.
    func storeProduct(_ word: String) throws -> StoreProduct {
        let product = try product(word)
        guard let known = manager.cachedProduct(withIdentifier: product.id) else {
            throw ShopError("the app has not heard of \"\(product.id)\" yet; right would be offline off, then list")
        }
        return known
    }

    /// The newest transaction of the subscription that a word means.
    func subscription(_ word: String) throws -> StoreTransaction {
        let product = try product(word)
        guard product.type == .autoRenewable else {
            let plans = store.configuration.products.filter { $0.type == .autoRenewable }.map(\.id)
            throw ShopError(
                "\"\(product.id)\" is no subscription; "
                    + (plans.isEmpty
                        ? "none is sold here" : "right would be one of \(plans.joined(separator: ", "))"))
        }
        guard let latest = store.latestTransaction(for: product.id) else {
            throw ShopError("nobody subscribes to \"\(product.id)\"; right would be buy \(product.id) before")
        }
        return latest
    }

    private func setOffline(_ isOffline: Bool) {
        var fault = StoreFault()
        fault.isOffline = isOffline
        store.faults = StoreFaults(everywhere: fault)
        output.say(isOffline ? "The store cannot be reached." : "The store can be reached again.")
        output.emit(isOffline ? .offline : .online, at: store.clock.now)
    }

    private func move(to country: String) async {
        store.controls.storefront = country
        await settle()
        await fetchEverything()
    }

    private func save(_ url: URL) async throws {
        var isFolder = false
        if (try? url.resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory == true { isFolder = true }
        let folder = url.deletingLastPathComponent()
        guard !isFolder, FileManager.default.fileExists(atPath: folder.path) else {
            throw ShopError(
                isFolder
                    ? "\(url.path) is a folder; right would be a file in it"
                    : "there is no folder \(folder.path); right would be one that there is")
        }
        try store.save(to: url)
        let copy = try await ledger.withLedger { $0 }
        try await FilePersistence(url: Self.ledgerFile(beside: url)).withLedger { $0 = copy }
        output.say("Saved \(url.path).")
        output.emit(.saved, at: store.clock.now, [.file: url.path])
    }

    private static func ledgerFile(beside url: URL) -> URL { url.appendingPathExtension("ledger") }
}
