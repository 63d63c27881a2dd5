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

    /// Opens a shop that sells what a configuration lists.
    init(configuration: StoreConfiguration, seed: UInt64, output: Output) {
        store = SimulatedStore(configuration: configuration, seed: seed)
        manager = StoreManager(backend: store, clock: store.clock)
        self.output = output
        manager.persistence = ledger
        manager.defaultHandlers = PurchaseHandlers(onSuccess: { _ in })
        manager.addObserver(self)
    }

    /// Opens a shop again that was saved, with its ledger beside it.
    init(resuming url: URL, output: Output) async throws {
        store = try SimulatedStore(resuming: url)
        manager = StoreManager(backend: store, clock: store.clock)
        self.output = output
        let saved = try await FilePersistence(url: Self.ledgerFile(beside: url)).withLedger { $0 }
        try await ledger.withLedger { $0 = saved }
        manager.persistence = ledger
        manager.defaultHandlers = PurchaseHandlers(onSuccess: { _ in })
        manager.addObserver(self)
    }

    /// Serves until there is no command left. Returns whether every command could be done.
    ///
    /// - Parameter nextLine: what is typed, line by line.
    func open(reading nextLine: () -> String? = { readLine() }) async -> Bool {
        output.say("Welcome. Type help to see what this shop understands.")
        await fetchEverything()
        var allDone = true
        var number = 0
        output.prompt()
        while let line = nextLine() {
            number += 1
            output.echo(line)
            do {
                if let command = try ShopCommand(line) {
                    if command == .quit { break }
                    try await perform(command)
                    await settle()
                }
            } catch {
                allDone = false
                output.complain("\(error)", line: number)
            }
            output.prompt()
        }
        return allDone
    }

    private func perform(_ command: ShopCommand) async throws {
        switch command {
        case .list: await list()
        case .buy(let product, let quantity, let offer): try await buy(product, quantity: quantity, offer: offer)
        case .buyAnswering(let product, let answer): try await buy(product, answering: answer)
        case .approve: try store.approveAskToBuyTransaction(identifier: try waiting().id)
        case .decline: try store.declineAskToBuyTransaction(identifier: try waiting().id)
        case .resolve: try store.resolveIssueForTransaction(identifier: try unsettled().id)
        case .refund(let transaction): try store.refundTransaction(identifier: transaction ?? refundable().id)
        case .restore: _ = try await manager.restorePurchases()
        case .renew(let product): try store.forceRenewalOfSubscription(productIdentifier: self.product(product).id)
        case .expire(let product): try store.expireSubscription(productIdentifier: self.product(product).id)
        case .autorenew(let isOn, let product): try setAutoRenew(isOn, product)
        case .advance(let interval): advance(interval)
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

    private func fetchEverything() async {
        let identifiers = store.configuration.products.map(\.id)
        _ = try? await manager.products(withIdentifiers: identifiers)
        await settle()
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

    // MARK: Time, place, network

    private func advance(_ interval: ShopInterval) {
        switch interval.length {
        case .hours(let hours): store.clock.advance(by: Double(hours) * 3600)
        case .period(let period): store.clock.advance(by: period)
        }
        output.say("It is \(store.clock.now.ISO8601Format()).")
        output.emit("advanced", at: store.clock.now)
    }

    private func move(to country: String) async {
        store.controls.storefront = country
        await settle()
        await fetchEverything()
    }

    private func setOffline(_ isOffline: Bool) {
        var fault = StoreFault()
        fault.isOffline = isOffline
        store.faults = StoreFaults(everywhere: fault)
        output.say(isOffline ? "The store cannot be reached." : "The store can be reached again.")
        output.emit(isOffline ? "offline" : "online", at: store.clock.now)
    }

    /// Lists what is sold, as the store would sell it now.
    private func list() async {
        await fetchEverything()
        let controls = store.controls
        output.say(store.configuration.table(storefront: controls.storefront, locale: controls.locale.identifier))
    }

    private func save(_ url: URL) async throws {
        try store.save(to: url)
        let copy = try await ledger.withLedger { $0 }
        try await FilePersistence(url: Self.ledgerFile(beside: url)).withLedger { $0 = copy }
        output.say("Saved \(url.path).")
        output.emit("saved", at: store.clock.now, ["file": url.path])
    }

    private static func ledgerFile(beside url: URL) -> URL { url.appendingPathExtension("ledger") }
}
